// SPDX-License-Identifier: Apache-2.0
#pragma once

// Under checks: which task a stack runs. Its newest fork that has not been joined says so: the
// first closure, or, once the stack itself has taken it, the second one. Without such a fork it is
// the task that the stack was given, by a thief or as the root. Forks have no work at their join:
// the count of a task goes up when it forks.
//
// A task that was forked by other means than parallel_invoke of kasuri/global, and runs on another
// stack, is not known: nothing is said of it.

#include "cluster/coherence.hpp"
#include "cluster/sched/pool_side.hpp"

namespace kasuri::cluster {

class task_points final : public known_tasks {
 public:
  explicit task_points(pool_side& pool) noexcept : pool_(pool) {}

  program_point here() override;

  /// The chain's newest fork is new: its tasks get their numbers.
  static void fork(global::detail::fork_chain& chain, coherence& memory);

 private:
  pool_side& pool_;
};

}  // namespace kasuri::cluster
