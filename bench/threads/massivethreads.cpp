// SPDX-License-Identifier: Apache-2.0
#include "common/massivethreads.hpp"

#include "threads/problem.hpp"

int main(int argc, char** argv) {
  using namespace bench;
  return run<massivethreads_system, threads::problem>(argc, argv,
                                            threads::solver<massivethreads_system>::variants());
}
