// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tasks of a team that are in no member's deque: those with a priority, those that an event
// released, those that a thief took and must not run, and what a full deque refused. Rare, hence a
// lock.

#include <atomic>
#include <cstdint>

#include "omp/task/task_list.hpp"

namespace kasuri::omp {

struct reduction_set;

class team_tasks : public task_list {
 public:
  /// How many tasks came here that none of the members has queued. All members may be suspended
  /// then, so a wait ends for a look at each of them (wait.cpp).
  std::atomic<std::uint64_t> released{0};

  /// How often a member that slept was to be told of tasks (notify_tasks): a member that is about
  /// to sleep looks again.
  std::atomic<std::uint64_t> notices{0};

  /// Tasks of the team that were ended by omp_fulfill_event and not by the member that ran them:
  /// they are in no member's tasks_executed. Never goes down.
  std::atomic<std::uint64_t> ended_by_event{0};

  /// Reductions of the parallel and the worksharing construct that all members are in
  /// (task_reduction.hpp).
  std::atomic<reduction_set*> reductions[2] = {};
};

}  // namespace kasuri::omp
