// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tasks of a team that are in no member's deque: those with a priority, those that an event
// released, those that a thief took and must not run, and what a full deque refused. Highest
// priority first, oldest first among equals. Rare, hence a lock; members look at `count` only.

#include <atomic>
#include <cstdint>

#include "omp/spin_lock.hpp"

namespace kasuri::omp {

struct explicit_task;
struct reduction_set;
struct task;

class team_tasks {
 public:
  bool empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

  void put(explicit_task& t) noexcept;

  /// Takes the first one; of the descendants of `of` where that is not null.
  explicit_task* take(const task* of) noexcept;

  /// How many tasks came here that none of the members has queued. All members may be suspended
  /// then, so a wait ends for a look at each of them (wait.cpp).
  std::atomic<std::uint64_t> released{0};

  /// Tasks of the team that were ended by omp_fulfill_event and not by the member that ran them:
  /// they are in no member's tasks_executed. Never goes down.
  std::atomic<std::uint64_t> ended_by_event{0};

  /// Reductions of the parallel and the worksharing construct that all members are in
  /// (task_reduction.hpp).
  std::atomic<reduction_set*> reductions[2] = {};

 private:
  std::atomic<std::uint32_t> count_{0};
  spin_lock lock_;  // guards the list
  explicit_task* first_ = nullptr;
  explicit_task* last_ = nullptr;
};

}  // namespace kasuri::omp
