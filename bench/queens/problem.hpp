// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/bench.hpp"
#include "queens/board.hpp"

namespace bench::queens {

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
  std::string wrong(long solutions) const {
    const long expected = known_solutions[static_cast<std::size_t>(n)];
    if (solutions == expected) return "";
    return std::to_string(solutions) + " solutions, expected " + std::to_string(expected);
  }
  std::vector<metric> metrics(double seconds, long) const { return {{"time", "s", seconds}}; }
  board empty() const { return {n}; }

  int n;
};

}  // namespace bench::queens
