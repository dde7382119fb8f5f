// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "threads/problem.hpp"

int main(int argc, char** argv) {
  using namespace bench;
  using child_first = kasuri::model::kasuri_c_threads<KASURI_CHILD_FIRST>;
  return run<chosen_system, threads::problem>(argc, argv, threads::solver<child_first>::variants());
}
