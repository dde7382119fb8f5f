// SPDX-License-Identifier: Apache-2.0
#pragma once

// Taskgroups, and the count of the tasks in one.
//
// A task belongs to the innermost group of the task that created it. The member that made the group
// owns its count (detail/group_count.hpp). Another member that begins to create tasks in the group
// starts some beforehand, its credits, one for each task it may create, and gets one for each task
// that ends on it; those that it has left it reports as ended when it turns to something else
// (task_queue.hpp, debts). So the count is never less than the number of tasks left, and equal to
// it when no member has credits.

#include <atomic>
#include <cstdint>

#include "omp/team/member.hpp"

namespace kasuri::omp {

struct reductions;  // task_reduction.hpp

namespace sums {
class meeting;
}

struct taskgroup {
  taskgroup* outer = nullptr;
  member* owner = nullptr;
  bool counted = true;  // false: it only lends reductions, nobody waits for its tasks
  detail::group_count<detail::real_atomics> tasks;
  std::atomic<bool> cancelled{false};
  bool workshare = false;  // made by a worksharing construct for its reductions
  reductions* clang_reductions = nullptr;
  std::uintptr_t* gcc_reductions = nullptr;  // of this group, then those of outer ones
  sums::meeting* paths = nullptr;            // of its tasks, while a profile is recorded

  /// The owner: whether no task is left.
  bool done() const noexcept { return tasks.all_ended(); }
};

/// Makes a group the innermost one of m's current task.
taskgroup& begin_taskgroup(member& m) noexcept;

/// Waits for the tasks of m's innermost group and leaves it.
void end_taskgroup(member& m) noexcept;

/// Cancels m's innermost group: its tasks that have not begun will not. False: there is none.
bool cancel_taskgroup(member& m) noexcept;

/// Whether a group that may be null is cancelled: its tasks must not begin.
inline bool is_cancelled(const taskgroup* g) noexcept {
  while (g != nullptr && g->workshare) g = g->outer;
  return g != nullptr && g->cancelled.load(std::memory_order_relaxed);
}

/// Whether m's innermost group is.
inline bool taskgroup_cancelled(const member& m) noexcept { return is_cancelled(m.current->group); }

/// m creates a task, or one ended on m, in the group, which is not null.
void count_created_in(taskgroup& g, member& m) noexcept;
void count_ended_in(taskgroup& g, member& m) noexcept;

/// Gives the member's credits back to their group.
void give_back_credits(member& m) noexcept;

}  // namespace kasuri::omp
