// SPDX-License-Identifier: Apache-2.0
#pragma once

// Start, stop, fork: the OS threads behind the workers, and the pool's beginning and end.

namespace kasuri::sched {

struct worker;

/// The calling OS thread stands behind `w` from now on.
void adopt_thread(worker& w) noexcept;
/// ... and no longer.
void release_thread(worker& w) noexcept;

/// Ends the process with a line: the calling OS thread is about to end, and a task stands on it.
[[noreturn]] void thread_ends_in_task() noexcept;

/// Starts an OS thread for a worker that has none; false when the system has none to give.
bool start_thread(worker& w) noexcept;

/// Ends the OS threads of the pool and its monitor, if they run; the next use starts them anew.
/// False, and nothing ends, when a guest is inside. Idempotent. Writes the trace and the statistics.
bool finalize() noexcept;

/// The same without a word of what was: for a program that gives its threads up for a while.
bool end_threads() noexcept;

/// Whether the pool was started and not finalized since.
bool pool_runs() noexcept;

}  // namespace kasuri::sched
