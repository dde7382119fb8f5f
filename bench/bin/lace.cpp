// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "bin/problem.hpp"

using bench::bin::consume;
using bench::bin::units;

TASK_3(units, tree, std::uint64_t, cycles, int, rounds, int, n) {
  consume(cycles);
  units used{1, 1};
  if (n == 0) return used;
  for (int round = 0; round < rounds; ++round) {
    SPAWN(tree, cycles, rounds, n - 1);
    const units a = CALL(tree, cycles, rounds, n - 1);
    const units b = SYNC(tree);
    consume(cycles);
    used = then(then(used, beside(a, b)), {1, 1});
  }
  return used;
}

int main(int argc, char** argv) {
  using bench::bin::problem;
  const auto solve = [](problem& p) { return RUN(tree, p.cycles, p.rounds, p.n); };
  return bench::run<bench::chosen_system, problem>(
      argc, argv, {{"spawn", solve, problem::inputs[0]}, {"spawn", solve, problem::inputs[1]}});
}
