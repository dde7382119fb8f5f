// SPDX-License-Identifier: Apache-2.0
#include "common/taskflow.hpp"

#include "flat/problem.hpp"

namespace {

constexpr auto loop = [](long n, auto task) {
  tf::TaskGroup group = bench::taskflow_system::executor().task_group();
  for (long i = 0; i < n; ++i) group.silent_async(task);
  group.corun();
};

}  // namespace

int main(int argc, char** argv) {
  using bench::flat::problem;
  return bench::run<bench::taskflow_system, problem>(
      argc, argv, {{"task_group", [](problem& p) { return p.solve(loop); }}});
}
