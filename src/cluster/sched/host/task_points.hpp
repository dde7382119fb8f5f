// SPDX-License-Identifier: Apache-2.0
#pragma once

// Under checks: which task a stack runs. Its newest fork that has not been joined says so: the
// offered closure's once the stack itself has taken that, else the one's beside it. Without such a
// fork it is the task that the stack was given, by a thief or as the root. Forks have no work at
// their join: the count of a task goes up when it forks.
//
// A task that was forked by other means than parallel_invoke of kasuri/global, and runs on another
// stack, is not known: nothing is said of it.

#include "cluster/base/coherence.hpp"
#include "cluster/sched/host/pool_side.hpp"

namespace kasuri::cluster {

class task_points final : public known_tasks {
 public:
  explicit task_points(pool_side& pool) noexcept : pool_(pool) {}

  program_point here() override;

  /// The chain's newest fork is new: its tasks get their numbers. Its offer has the second closure,
  /// or the first one.
  static void fork(global::detail::fork_chain& chain, bool first_is_offered, coherence& memory);

 private:
  pool_side& pool_;
};

}  // namespace kasuri::cluster
