// SPDX-License-Identifier: Apache-2.0
#include "common/chosen_system.hpp"

#include "uts/problem.hpp"

using bench::uts::count;
using bench::uts::node;

/// A child is found by its task from its parent, which lives until the task is joined.
TASK_3(count, search, const node*, parent, int, index, int, max_depth) {
  const node n = bench::uts::child(*parent, index);
  const int number = bench::uts::children(n, max_depth);
  count sum = bench::uts::itself(n, number);
  for (int i = 0; i < number; ++i) SPAWN(search, &n, i, max_depth);
  for (int i = 0; i < number; ++i) sum = sum + SYNC(search);
  return sum;
}

TASK_1(count, search_root, int, max_depth) {
  const node n = bench::uts::root();
  const int number = bench::uts::children(n, max_depth);
  count sum = bench::uts::itself(n, number);
  for (int i = 0; i < number; ++i) SPAWN(search, &n, i, max_depth);
  for (int i = 0; i < number; ++i) sum = sum + SYNC(search);
  return sum;
}

int main(int argc, char** argv) {
  using bench::uts::problem;
  return bench::run<bench::chosen_system, problem>(
      argc, argv, {{"spawn", [](problem& p) { return RUN(search_root, p.max_depth); }}});
}
