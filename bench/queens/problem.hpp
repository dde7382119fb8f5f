// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "common/bench.hpp"

/// All ways to place n queens on an n x n board so that none attacks another: one task for each
/// queen that can be placed, down to the last row.
namespace bench::queens {

inline constexpr int max_n = 16;

/// Where the next queen may stand.
struct columns {
  int count = 0;
  std::array<signed char, max_n> column;

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

struct problem {
  static constexpr const char* name = "queens";
  using answer = long;

  explicit problem(const arguments& args) : n(static_cast<int>(args.size_or(13, 10))) {
    if (n > max_n) {
      fail("--size=" + std::to_string(n) + ": too large; accepted: 1 to " + std::to_string(max_n));
    }
  }
  problem rehearsal() const {
    problem small = *this;
    small.n = std::min(n, 8);
    return small;
  }
  void prepare() {}
  /// Sequence A000170 of the On-Line Encyclopedia of Integer Sequences.
  std::string wrong(long solutions) const {
    constexpr std::array<long, max_n + 1> known = {1,   1,    0,     0,     2,      10,
                                                   4,   40,   92,    352,   724,    2680,
                                                   14200, 73712, 365596, 2279184, 14772512};
    const long expected = known[static_cast<std::size_t>(n)];
    if (solutions == expected) return "";
    return std::to_string(solutions) + " solutions, expected " + std::to_string(expected);
  }
  std::vector<metric> metrics(double seconds, long) const { return {{"time", "s", seconds}}; }
  board empty() const { return {n}; }

  int n;
};

}  // namespace bench::queens
