// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

/// All ways to place n queens on an n x n board so that none attacks another: one task for each
/// queen that can be placed, down to the last row.
namespace bench::queens {

inline constexpr int max_n = 16;

/// Solutions for boards of 0 to max_n rows: sequence A000170 of the On-Line Encyclopedia of Integer
/// Sequences.
inline constexpr std::array<long, max_n + 1> known_solutions = {
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};

/// Where the next queen may stand.
struct columns {
  int count = 0;
  std::array<signed char, max_n> column{};

  int operator[](int i) const { return column[static_cast<std::size_t>(i)]; }
};

/// The columns of the queens placed so far, row by row.
struct board {
  int n;
  int rows = 0;
  std::array<signed char, max_n> column{};

  /// May a queen stand in the next row in this column?
  bool safe(int next) const {
    for (int row = 0; row < rows; ++row) {
      const int other = column[static_cast<std::size_t>(row)];
      const int distance = rows - row;
      if (other == next || other == next - distance || other == next + distance) return false;
    }
    return true;
  }

  columns safe_columns() const {
    columns found;
    for (int next = 0; next < n; ++next) {
      if (!safe(next)) continue;
      found.column[static_cast<std::size_t>(found.count++)] = static_cast<signed char>(next);
    }
    return found;
  }

  board with(int next) const {
    board placed = *this;
    placed.column[static_cast<std::size_t>(placed.rows++)] = static_cast<signed char>(next);
    return placed;
  }

  bool complete() const { return rows == n; }
};

/// Without tasks.
inline long solve(const board& b) {
  if (b.complete()) return 1;
  long solutions = 0;
  for (int next = 0; next < b.n; ++next) {
    if (b.safe(next)) solutions += solve(b.with(next));
  }
  return solutions;
}

}  // namespace bench::queens
