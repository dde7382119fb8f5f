// SPDX-License-Identifier: Apache-2.0
#include "common/lace.hpp"

#include "bin/problem.hpp"

using bench::bin::consume;

TASK_3(long, tree, std::uint64_t, cycles, int, rounds, int, n) {
  consume(cycles);
  if (n == 0) return 1;
  long calls = 1;
  for (int round = 0; round < rounds; ++round) {
    SPAWN(tree, cycles, rounds, n - 1);
    calls += CALL(tree, cycles, rounds, n - 1);
    calls += SYNC(tree);
  }
  consume(cycles);
  return calls;
}

int main(int argc, char** argv) {
  using bench::bin::problem;
  const auto solve = [](problem& p) { return RUN(tree, p.cycles, p.rounds, p.n); };
  return bench::run<bench::lace_system, problem>(
      argc, argv, {{problem::fine, solve}, {problem::coarse, solve}});
}
