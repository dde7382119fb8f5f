// SPDX-License-Identifier: Apache-2.0
#include "common/massivethreads.hpp"

#include "common/thread_model.hpp"
#include "flat/problem.hpp"

int main(int argc, char** argv) {
  using bench::flat::problem;
  namespace model = bench::thread_model;
  return bench::run<bench::massivethreads_system, problem>(
      argc, argv, {{"child_first", [](problem& p) {
                      return p.solve(model::create_then_join<bench::massivethreads_system>,
                                     &model::empty_thread, &model::counting_thread);
                    }}});
}
