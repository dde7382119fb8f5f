// SPDX-License-Identifier: Apache-2.0
#include "common/argobots.hpp"

#include "threads/problem.hpp"

int main(int argc, char** argv) {
  using namespace bench;
  return run<argobots_system, threads::problem>(argc, argv,
                                            threads::solver<argobots_system>::variants());
}
