// SPDX-License-Identifier: Apache-2.0
// Samples: each time that a thread has run for some milliseconds of processor time, a signal says
// where it is. A thread that sleeps gets none, so that no system call of the program is cut short.
#pragma once

#include <atomic>  // for atomic

namespace kasuri::profile {

class thread;

/// Before the first thread is sampled. False: the program has a use of its own for the signal.
[[nodiscard]] bool prepare_samples() noexcept;

/// The calling thread, whose record is `t`, is sampled from here on, and no more.
void start_samples(thread& t) noexcept;
void stop_samples(thread& t) noexcept;

/// Workers of the pool, with an OS thread or not: who could run beside the one that runs. Written
/// when a pool starts.
extern constinit std::atomic<int> workers_of_pool;

}  // namespace kasuri::profile
