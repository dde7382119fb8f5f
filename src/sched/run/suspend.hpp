// SPDX-License-Identifier: Apache-2.0
#pragma once

// A thread that has blocked. The record lies on the very stack that is suspended; being a frame, it
// can go into a deque or a ring like any task, and running it means going on with the thread.
//
//   running --suspend--> suspended --make_ready / greedy join--> ready --resume--> running
//
// Between the publish function's success and the resume, only the waker touches the record.

#include <atomic>
#include <cstdint>

#include "context/context.hpp"
#include "context/stack.hpp"
#include "kasuri/detail/frame.hpp"
#include "kasuri/detail/holder.hpp"
#include "record/wait_reason.hpp"

namespace kasuri::sched {
struct worker;
}

namespace kasuri::detail {

// Uninitialised until sched::prepare_suspension: it is made on the path of each child-first creation.
struct suspended : frame {
  context::saved context;
  /// The stack it stands on.
  context::stack* stack;
  /// The one worker that may resume it, where the thread-locals of its OS thread are used; else null.
  sched::worker* home;
  /// Where it had better go on: the index of a worker, or -1.
  int place;
  /// The next in a list of waiters.
  suspended* next;
  record::wait_reason reason;
  /// For dumps: the object that it waits for, and who has that; null where nobody said so. A publish function
  /// says it, before anybody can wake the thread.
  const void* on;
  const holder* held_by;
  /// Whether it is an OS thread that is no worker and sleeps.
  bool foreign;
  /// For such a one: 1 when it may go on.
  std::uint32_t woken;

  suspended() noexcept {}  // NOLINT(modernize-use-equals-default)
};

}  // namespace kasuri::detail

namespace kasuri::sched {

using detail::suspended;

/// Called on another stack, when the thread has left its own: makes the record known to whoever
/// will wake it and returns true; or returns false: what it wanted to wait for has come, go on.
using publish_function = bool (*)(void* arg, suspended* s) noexcept;

/// Suspends the calling thread. Returns true when somebody woke it, possibly on another worker. On an OS
/// thread that is no worker, the OS thread sleeps. `first`: a frame that this worker owns and runs
/// next. False, and nothing has happened: there is no memory for the stack that the worker would go on with, which
/// is said once.
[[nodiscard]] bool try_suspend(record::wait_reason reason, publish_function publish, void* arg,
                               detail::frame* first = nullptr) noexcept;
/// The same, for who cannot refuse to wait: ends the process with a line where there is no memory.
void suspend(record::wait_reason reason, publish_function publish, void* arg) noexcept;

/// Whether the calling thread can be suspended by the next call of try_suspend, with nothing between that waits:
/// for callers that cannot undo what they do before.
[[nodiscard]] bool can_suspend_alone() noexcept;

/// Lets a suspended thread go on: it joins the calling worker's ready ring (or the pool's inbox).
/// From any thread.
void make_ready(suspended* s) noexcept;

/// As make_ready, for a chain linked by `next`.
void make_all_ready(suspended* chain) noexcept;

/// Steps back behind the other ready threads of this worker. Returns at once when there are none.
void yield() noexcept;

/// Goes on on the worker that the stack belongs to, if the monitor has let it go on elsewhere.
void go_home() noexcept;

}  // namespace kasuri::sched
