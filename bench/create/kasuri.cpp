// SPDX-License-Identifier: Apache-2.0
#include "common/kasuri.hpp"

#include "create/problem.hpp"

namespace {

constexpr auto invoke_loop = [](long n, auto task) {
  for (long i = 0; i < n; ++i) kasuri::parallel_invoke([] {}, task);
};

constexpr auto group_loop = [](long n, auto task) {
  for (long i = 0; i < n; ++i) {
    kasuri::task_group group;
    group.run(task);
    group.wait();
  }
};

}  // namespace

int main(int argc, char** argv) {
  using bench::create::problem;
  return bench::run<bench::kasuri_system, problem>(
      argc, argv,
      {{"parallel_invoke", [](problem& p) { return p.solve(invoke_loop); }},
       {"task_group", [](problem& p) { return p.solve(group_loop); }}});
}
