// SPDX-License-Identifier: Apache-2.0
#pragma once

// A thread as a tool sees it: what has thread-locals of its own. That is an OS thread, or an
// identity that a member wears (context/identity.hpp), wherever it runs.

#include "omp/tool/types.hpp"

namespace kasuri::omp {

struct member;
struct root;

namespace tool {

struct thread {
  data word{};
  thread_kind kind = thread_kind::worker;
  state now = state::work_serial;
  std::uint64_t waits_for = 0;  // a mutex
  root* of = nullptr;           // the root of the initial task that it runs
  // A worker that has run its part of a region stays in the barrier at the end until the thread
  // begins something else or ends: then the tool is told that the barrier and the implicit task
  // ended.
  member* in_last_barrier = nullptr;
  thread* next = nullptr;
  thread* previous = nullptr;
};

/// The calling thread; at its first call the tool is told that it begins.
thread& here() noexcept;
/// ... or null.
thread* known_here() noexcept;

/// The implicit task of a worker is over.
void leave_last_barrier(thread& t) noexcept;

/// The calling thread meets OpenMP for the first time.
void begin_root(root& r) noexcept;
/// The calling thread ends, and its root with it.
void end_root(root& r) noexcept;

/// The calling thread has another root from now on.
void change_root(root& from, root& to) noexcept;

/// All threads end, the calling one last. On it: the others may never run again.
void end_all_threads() noexcept;

}  // namespace tool
}  // namespace kasuri::omp
