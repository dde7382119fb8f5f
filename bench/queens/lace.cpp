// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "queens/problem.hpp"

using bench::queens::board;

/// The queen of the next row in this column, and all after it; the board lives until the join.
TASK_2(long, place, const board*, before, int, column) {
  const board b = before->with(column);
  if (b.complete()) return 1;
  int tasks = 0;
  for (int next = 0; next < b.n; ++next) {
    if (!b.safe(next)) continue;
    SPAWN(place, &b, next);
    ++tasks;
  }
  long solutions = 0;
  for (; tasks > 0; --tasks) solutions += SYNC(place);
  return solutions;
}

TASK_1(long, place_first, const board*, b) {
  for (int next = 0; next < b->n; ++next) SPAWN(place, b, next);
  long solutions = 0;
  for (int next = 0; next < b->n; ++next) solutions += SYNC(place);
  return solutions;
}

int main(int argc, char** argv) {
  using bench::queens::problem;
  return bench::run<bench::chosen_system, problem>(argc, argv, {{"spawn", [](problem& p) {
                                                                   const board b = p.empty();
                                                                   return RUN(place_first, &b);
                                                                 }}});
}
