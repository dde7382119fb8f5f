// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "common/bench.hpp"
#include "uts/tree.hpp"

namespace bench::uts {

struct problem {
  static constexpr const char* name = "uts";
  using answer = count;
  static constexpr int t1_depth = 10;

  explicit problem(const arguments& args)
      : max_depth(static_cast<int>(args.size_or(t1_depth, 8))), expected(known(max_depth)) {}
  problem rehearsal() const {
    problem small = *this;
    small.max_depth = std::min(max_depth, 5);
    small.expected = known(small.max_depth);
    return small;
  }
  void prepare() {}
  std::string wrong(const count& tree) const {
    if (tree == expected) return "";
    return text(tree) + ", expected " + text(expected);
  }
  std::vector<metric> metrics(double seconds, const count&) const {
    return {{"time", "s", seconds}};
  }

  int max_depth;
  count expected;

 private:
  /// T1's numbers as published; a shallower cut of it is counted without tasks.
  static count known(int depth) {
    return depth == t1_depth ? count{4130071, 3305118, 10} : walk(root(), depth);
  }
  static std::string text(const count& tree) {
    return std::to_string(tree.nodes) + " nodes, " + std::to_string(tree.leaves) +
           " leaves, depth " + std::to_string(tree.depth);
  }
};

}  // namespace bench::uts
