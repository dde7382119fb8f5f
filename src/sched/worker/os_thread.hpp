// SPDX-License-Identifier: Apache-2.0
#pragma once

// The OS thread that stands behind a worker.

namespace kasuri::sched {

struct worker;

/// The calling OS thread stands behind `w` from now on.
void adopt_thread(worker& w) noexcept;
/// ... and no longer.
void release_thread(worker& w) noexcept;

/// Ends the process with a line: the calling OS thread is about to end, and a task stands on it.
[[noreturn]] void thread_ends_in_task() noexcept;

/// Before there are threads: what notes their ends is made. A child forked while another thread
/// makes it would find it half made for ever.
void prepare_for_ends_of_threads() noexcept;

/// In the child of a fork, whose thread has another number.
void forget_id_of_this_thread() noexcept;

}  // namespace kasuri::sched
