// SPDX-License-Identifier: Apache-2.0
// Seconds by spawn ancestry: by the place of a fork, the place of the fork that it is a part of,
// and so on. A place within itself, as of a function that calls itself, counts as the outer one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/measures.hpp"

namespace kasuri::report {

struct branch {
  int parent = -1;  // index in the list, less than its own; -1: this is the root
  int site = 0;
  std::string kind = {};  // of the site; or program, outside, function
  place where = {};
  double s = 0;  // with all that are in it
};

/// What the list has at most, and which part of the whole is worth a branch.
inline constexpr std::size_t most_branches = 400;
inline constexpr double least_branch = 0.002;

/// The longest chain of the program. Without a tree of forks one level of places.
std::vector<branch> critical_branches(const measures& m);

/// How long workers were idle meanwhile. The blame of a place that has several ancestries is
/// divided among them as the work is.
std::vector<branch> blame_branches(const measures& m);

}  // namespace kasuri::report
