// SPDX-License-Identifier: Apache-2.0
// The tree of forks of a profile, folded by spawn ancestry.
#pragma once

#include <string>
#include <vector>

namespace kasuri::report {

struct fork_ancestor {
  int parent = -1;  // index, less than its own; -1: all code that is in no fork
  int site = 0;
  double work_s = 0;      // of its own code, between the forks in it
  double critical_s = 0;  // of that, in the longest chain
};

/// From the section `forks` of a profile. Empty: it has no tree, or one that is not as
/// docs/design/explain.md says.
std::vector<fork_ancestor> fold_forks(const std::string& forks);

}  // namespace kasuri::report
