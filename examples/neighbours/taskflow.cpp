// SPDX-License-Identifier: Apache-2.0
// A graph of Taskflow that is built once and runs many times, with Kasuri's loops inside.
#include <kasuri/kasuri.hpp>

#include <taskflow/taskflow.hpp>

#include <cstdio>
#include <functional>
#include <vector>

int main() {
  std::vector<long> left(10'000, 1);
  std::vector<long> right(10'000, 2);
  long total = 0;
  // Graph:
  tf::Executor executor(2);
  tf::Taskflow flow;
  const auto grow = [](std::vector<long>& v) {
    return
        [&v] { kasuri::parallel_for(std::size_t{0}, v.size(), [&v](std::size_t i) { ++v[i]; }); };
  };
  tf::Task first = flow.emplace(grow(left));
  tf::Task second = flow.emplace(grow(right));
  tf::Task sum = flow.emplace([&] {
    total += kasuri::parallel_reduce(
        std::size_t{0}, left.size(), 0L, [&](std::size_t i) { return left[i] * right[i]; },
        std::plus<>());
  });
  sum.succeed(first, second);
  executor.run_n(flow, 20).wait();
  // end

  long expected = 0;
  for (long run = 1; run <= 20; ++run) expected += 10'000 * (1 + run) * (2 + run);
  std::printf("total %ld: %s\n", total, total == expected ? "right" : "wrong");
  return total == expected ? 0 : 1;
}
