// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <memory>

#include "problem.hpp"

namespace quickstart {
namespace {

/// A board with its upper rows filled. One bit per column: those attacked in the next row along
/// columns and along both diagonals.
struct board {
  unsigned columns = 0;
  unsigned left = 0;
  unsigned right = 0;
  int rows_left = 13;

  unsigned free_squares() const { return ((1u << 13) - 1) & ~(columns | left | right); }
  board with_queen(unsigned square) const {
    return {columns | square, (left | square) << 1, (right | square) >> 1, rows_left - 1};
  }
};

long solve_serial(const board& b) {
  if (b.rows_left == 0) return 1;
  long solutions = 0;
  for (unsigned free = b.free_squares(); free != 0; free &= free - 1) {
    solutions += solve_serial(b.with_queen(free & -free));
  }
  return solutions;
}

long solve(const board& b);

/// The lowest free square and, in parallel, the others.
long solve_squares(const board& b, unsigned free) {
  if (free == 0) return 0;
  auto [first, others] =
      kasuri::parallel_invoke([=] { return solve(b.with_queen(free & -free)); },
                              [=] { return solve_squares(b, free & (free - 1)); });
  return first + others;
}

/// With eight rows left a board is about a microsecond of work: not worth cutting further.
long solve(const board& b) {
  return b.rows_left <= 8 ? solve_serial(b) : solve_squares(b, b.free_squares());
}

}  // namespace

problem queens_problem() {
  auto solutions = std::make_shared<long>(0);
  return {.name = "queens",
          .size = "13 x 13 board",
          .prepare = [=] { *solutions = 0; },
          .serial = [=] { *solutions = solve_serial(board{}); },
          .parallel = [=] { *solutions = solve(board{}); },
          .right = [=] { return *solutions == 73'712; },
          .checked = "73,712 solutions"};
}

}  // namespace quickstart
