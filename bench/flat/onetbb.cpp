// SPDX-License-Identifier: Apache-2.0
#include "common/onetbb.hpp"

#include "flat/problem.hpp"

namespace {

constexpr auto loop = [](long n, auto task) {
  tbb::task_group group;
  for (long i = 0; i < n; ++i) group.run(task);
  group.wait();
};

}  // namespace

int main(int argc, char** argv) {
  using bench::flat::problem;
  return bench::run<bench::onetbb_system, problem>(
      argc, argv, {{"task_group", [](problem& p) { return p.solve(loop); }}});
}
