// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <cstdio>
#include <mutex>
#include <numeric>
#include <vector>

int main() {
  // Future:
  auto total = kasuri::async([] {
    std::vector<int> v(1000);
    std::iota(v.begin(), v.end(), 1);
    return std::accumulate(v.begin(), v.end(), 0);
  });
  // end

  // Mutex:
  kasuri::mutex mutex;
  int turns = 0;
  kasuri::task_group group;
  for (int i = 0; i < 100; ++i) {
    group.run([&] {
      std::lock_guard lock(mutex);
      kasuri::this_task::yield();  // another worker may go on with this task, still holding it
      ++turns;
    });
  }
  group.wait();
  // end

  const int sum = total.get();
  std::printf("sum %d, %d turns\n", sum, turns);
  return sum == 500'500 && turns == 100 ? 0 : 1;
}
