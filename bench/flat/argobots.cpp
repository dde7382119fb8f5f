// SPDX-License-Identifier: Apache-2.0
#include "common/argobots.hpp"

#include "common/thread_model.hpp"
#include "flat/problem.hpp"

int main(int argc, char** argv) {
  using bench::flat::problem;
  namespace model = bench::thread_model;
  return bench::run<bench::argobots_system, problem>(
      argc, argv, {{"child_first", [](problem& p) {
                      return p.solve(model::create_then_join<bench::argobots_system>,
                                     &model::empty_thread, &model::counting_thread);
                    }}});
}
