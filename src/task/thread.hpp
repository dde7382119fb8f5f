// SPDX-License-Identifier: Apache-2.0
#pragma once

// User-level threads of the C API.
//
// A thread is a frame with an identity. Like every task it gets a stack of its own only when it
// blocks, or when it is created child first.
//
//   join word:  empty -> done                       nobody waits yet; the joiner finds it
//               empty -> a suspended joiner -> done  the finisher wakes it
//               empty -> claimed                    the joiner runs it, on its own stack
//               empty -> detached                   the finisher frees the record
// The record is freed by the joiner, or by the finisher of a detached thread.

#include "kasuri/detail/scope.hpp"
#include "kasuri/locality.hpp"
#include "kasuri/task.hpp"

namespace kasuri::detail {

struct local_values;

struct thread : frame, scope {
  void* (*entry)(void*);
  void* value;  // the argument, then the result
  local_values* locals = nullptr;
  bool known = false;  // it has asked who it is: others may know it before create returns
};

}  // namespace kasuri::detail

namespace kasuri::task {

using detail::thread;

/// The outcomes of a join.
enum class join_result { joined, itself, joined_by_another, no_memory };

/// How a thread starts.
struct thread_start {
  spawn policy = spawn::parent_first;
  where place{};
  detail::hint_view hint{};  // copied; 0 bytes: none
};

/// Creates a thread; null when there is no memory. The thread may run, and end, before this
/// returns.
thread* create_thread(void* (*entry)(void*), void* argument, spawn policy) noexcept;
thread* create_thread(void* (*entry)(void*), void* argument, const thread_start& how) noexcept;

/// Waits for the end of `t`, stores its result and frees it.
join_result join_thread(thread* t, void** result) noexcept;

/// Nobody will join: the record goes when the thread ends. False when somebody joins already.
bool detach_thread(thread* t) noexcept;

/// The user-level thread that the caller runs in, or null.
thread* current_thread() noexcept;

/// The same, for handing it out to the program.
thread* known_current_thread() noexcept;

}  // namespace kasuri::task
