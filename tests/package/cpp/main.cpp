// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <atomic>

int main() {
  auto [a, b] = kasuri::parallel_invoke([] { return 40; }, [] { return 2; });

  std::atomic<int> visited{0};
  kasuri::task_group group;
  for (int i = 0; i < 100; ++i) group.run([&] { ++visited; });
  group.wait();

  return a + b == 42 && visited == 100 ? 0 : 1;
}
