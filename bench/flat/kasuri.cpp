// SPDX-License-Identifier: Apache-2.0
#include "common/kasuri.hpp"

#include "flat/problem.hpp"

namespace {

constexpr auto loop = [](long n, auto task) {
  kasuri::task_group group;
  for (long i = 0; i < n; ++i) group.run(task);
  group.wait();
};

}  // namespace

int main(int argc, char** argv) {
  using bench::flat::problem;
  return bench::run<bench::kasuri_system, problem>(
      argc, argv, {{"task_group", [](problem& p) { return p.solve(loop); }}});
}
