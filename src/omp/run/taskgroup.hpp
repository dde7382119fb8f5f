// SPDX-License-Identifier: Apache-2.0
#pragma once

// Taskgroups, and the count of the tasks in one.
//
// A task belongs to the innermost group of the task that created it. Tasks that the group's owner
// creates and ends are counted in `here`, without locked instructions. Another member that begins
// to create tasks in the group takes some credits off the shared counter beforehand, one for each
// task it may create, and gets one for each task that ends on it; what it has left it gives back
// when it turns to something else (task_queue.hpp, debts). So here + elsewhere is never less than
// the number of tasks left, and equal to it when nobody has credits.

#include <atomic>
#include <cstdint>

#include "omp/team/member.hpp"

namespace kasuri::omp {

struct reductions;  // task_reduction.hpp

struct taskgroup {
  taskgroup* outer = nullptr;
  member* owner = nullptr;
  bool counted = true;    // false: it only lends reductions, nobody waits for its tasks
  std::int64_t here = 0;  // the owner's
  std::atomic<std::int64_t> elsewhere{0};
  std::atomic<bool> cancelled{false};
  bool workshare = false;  // made by a worksharing construct for its reductions
  reductions* clang_reductions = nullptr;
  std::uintptr_t* gcc_reductions = nullptr;  // of this group, then those of outer ones

  /// The owner: whether no task is left.
  bool done() const noexcept {
    // acquire: pairs with the release in give_back_credits
    return here + elsewhere.load(std::memory_order_acquire) == 0;
  }
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
