// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sort/keys.hpp"

/// Merge sort whose halves are tasks and whose merges are split into tasks, as in Cilk's example:
/// the sort that every system here runs in the same way. `sort` has the systems' own.
namespace bench::cilksort {

inline constexpr std::size_t serial_sort = 4096;   ///< keys, sorted by std::sort
inline constexpr std::size_t serial_merge = 8192;  ///< keys, merged by std::merge

struct problem : sort::random_problem {
  static constexpr const char* name = "cilksort";

  explicit problem(const arguments& args)
      : problem(static_cast<std::size_t>(args.size_or(10'000'000, 1'000'000))) {}
  explicit problem(std::size_t n) : sort::random_problem(n), scratch(n) {}
  problem rehearsal() const { return problem(std::min<std::size_t>(input.size(), 100'000)); }

  sort::keys scratch;
};

}  // namespace bench::cilksort
