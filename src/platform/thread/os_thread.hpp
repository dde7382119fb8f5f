// SPDX-License-Identifier: Apache-2.0
#pragma once

// OS threads of the pool.

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace kasuri::platform {

/// Starts main(arg) on a new thread with all signals blocked but the synchronous ones. False when
/// the system has none to give (EAGAIN). The name is cut to 15 characters. `stack`: bytes of its
/// stack, 0: the system's default; what the thread-locals of all modules take comes on top, for the
/// C library cuts them out of it.
[[nodiscard]] bool start_os_thread(pthread_t& thread, void* (*main)(void*), void* arg,
                                   const char* name, std::size_t stack = 0) noexcept;

/// Threads made by start_os_thread from now on may run on these CPUs of the kernel's numbering, and
/// not where the thread that starts them happens to be bound. Before the threads that are to follow
/// it.
void set_cpus_of_new_threads(std::span<const int> cpus);

/// Whether nobody was told yet that the system gives no more threads: true for one caller.
[[nodiscard]] bool first_thread_refused() noexcept;

/// Bytes of the stack that the system gives a thread for which nobody asks for another.
std::size_t stack_of_new_threads() noexcept;

/// For a thread of the program, before it starts the pool's threads: what it blocks now they will
/// block.
void note_signals_of_program() noexcept;

/// For a thread made by start_os_thread that runs code of the program: from now on it takes the
/// signals that the thread took which called note_signals_of_program, and the synchronous ones.
void take_signals() noexcept;

/// Binds the calling thread to one CPU of the kernel's numbering; false when refused.
bool bind_to_cpu(int cpu) noexcept;

/// The kernel's number of the calling thread.
int thread_id() noexcept;

/// How many threads the process has; 0 when nobody knows.
int threads_of_process() noexcept;

/// Sleeps for so many nanoseconds, and hardly longer: from its first call on, the timers of the
/// calling thread expire within a microsecond of their time where the system would allow itself
/// fifty.
void sleep_exactly(std::uint64_t nanoseconds) noexcept;

/// Sleeps until steady_nanoseconds() (platform/base/clock.hpp) is so much.
void sleep_until(std::int64_t steady_nanoseconds) noexcept;

}  // namespace kasuri::platform
