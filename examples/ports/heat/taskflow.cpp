// SPDX-License-Identifier: Apache-2.0
#include <taskflow/taskflow.hpp>
#include <taskflow/algorithm/for_each.hpp>
#include <taskflow/algorithm/reduce.hpp>

#include "input.hpp"

int main() {
  std::vector<double> now = make_rod();
  std::vector<double> next = now;
  int steps = 0;
  // Loop:
  std::vector<double> changes(cells);
  double change = 0;
  tf::Executor executor;
  tf::Taskflow flow;
  tf::Task begin = flow.emplace([] {});
  tf::Task step = flow.for_each_index(1, cells - 1, 1, [&](int i) {
    next[i] = next_heat(now, i);
    changes[i] = std::fabs(next[i] - now[i]);
  });
  tf::Task largest = flow.reduce(changes.begin(), changes.end(), change,
                                 [](double a, double b) { return a > b ? a : b; });
  tf::Task again = flow.emplace([&] {
    std::swap(now, next);
    ++steps;
    return std::exchange(change, 0) > small_change ? 0 : 1;  // which successor runs
  });
  tf::Task end = flow.emplace([] {});
  begin.precede(step);
  step.precede(largest);
  largest.precede(again);
  again.precede(step, end);
  executor.run(flow).wait();
  // end
  print(now, steps);
}
