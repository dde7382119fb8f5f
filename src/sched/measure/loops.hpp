// SPDX-License-Identifier: Apache-2.0
#pragma once

// Loops of the library, as a part of measured code. Thieves divide a loop as they need it, so what
// its recorded forks say holds for the workers of that run. So the chain of all that ran in it is
// made one node of the tree: work, iterations, and the longest of them. The path through it is that
// of its longest iteration.

#include <atomic>
#include <cstdint>

#include "kasuri/detail/loop/loop_marks.hpp"
#include "profile/base/sites.hpp"
#include "profile/thread/strand.hpp"
#include "sched/measure/fork_tree.hpp"

namespace kasuri::sched {
struct measured;
}

namespace kasuri::detail {

struct marked_loop {
  const sched::measured* code = nullptr;  // that it is a part of
  std::uint64_t iterations = 0;
  profile::site_id site = 0;
  profile::path path;        // up to the loop
  sched::fork_chain before;  // of the code around it
  /// Ticks on the path: the most that an iteration takes, as the mean over one of its pieces.
  std::atomic<std::uint64_t> longest{0};
  /// ... of the piece with which iteration. Another piece's for a moment, where two are alike.
  std::atomic<std::uint64_t> longest_at{0};
};

}  // namespace kasuri::detail
