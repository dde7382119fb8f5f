// SPDX-License-Identifier: Apache-2.0
#pragma once

// A thread that has blocked. The record lies on the very stack that is suspended; being a frame, it
// can go into a deque or a ring like any task, and running it means going on with the thread.
//
//   running --suspend--> suspended --make_ready / greedy join--> ready --resume--> running
//
// Between the publish function's success and the resume, only the waker touches the record.
// run/suspend.hpp suspends, pool/ready.hpp makes ready.
//
// A coroutine that waits stands in the same lists by such a record, without a stack: its kind as a
// frame has code, which goes on with it (task/coroutine/record.hpp).

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

struct arena_state;

// Uninitialised until sched::prepare_suspension: it is made on the path of each child-first
// creation.
struct suspended : frame {
  context::saved context;
  /// The stack it stands on.
  context::stack* stack;
  /// The one worker that may resume it, where the thread-locals of its OS thread are used; else
  /// null.
  sched::worker* home;
  /// Where it had better go on: the index of a worker, or -1.
  int place;
  /// The arena that it goes on in; null: none.
  arena_state* arena;
  /// The next in a list of waiters.
  suspended* next;
  record::wait_reason reason;
  /// For dumps: the object that it waits for, and who has that; null where nobody said so. A
  /// publish function says it, before anybody can wake the thread.
  const void* on;
  const holder* held_by;
  /// In a list of waiters, of a wait that may end by its time: the word by which waker and timer
  /// decide (timed_word.hpp). Null: only a waker ends the wait. Set by the code that queues the
  /// thread.
  std::atomic<std::uint32_t>* timed;
  /// Whether it is an OS thread that is no worker and sleeps.
  bool foreign;
  /// In a list of waiters: whether it, or one that was older when it came, may end by its time.
  bool some_timed;
  /// For such a one: 1 when it may go on.
  std::uint32_t woken;

  suspended() noexcept {}  // NOLINT(modernize-use-equals-default)
};

}  // namespace kasuri::detail

namespace kasuri::sched {

using detail::suspended;

/// Called on another stack, when the thread has left its own: makes the record known to the thread
/// that will wake it and returns true; or returns false: there is nothing to wait for any more, go
/// on.
using publish_function = bool (*)(void* arg, suspended* s) noexcept;

/// The kind of a suspended thread as a frame. It has no code (run is null): the loop resumes it.
inline constexpr detail::frame_type ready_thread{nullptr, false, "ready thread"};

}  // namespace kasuri::sched
