// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "threads/problem.hpp"

int main(int argc, char** argv) {
  using namespace bench;
  return run<chosen_system, threads::problem>(
      argc, argv, threads::solver<kasuri::model::qthreads_threads>::variants());
}
