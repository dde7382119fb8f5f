// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "fib/fork_join.hpp"
#include "fib/problem.hpp"

int main(int argc, char** argv) {
  using namespace bench;
  return run_model<fib::problem>(
      argc, argv, []<class Way>(fib::problem& p) { return fib::fork_join<Way>(p.n); });
}
