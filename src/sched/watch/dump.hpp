// SPDX-License-Identifier: Apache-2.0
#pragma once

// A running program's workers and suspended threads, in words.

#include <cstddef>
#include <cstdint>

namespace kasuri::sched {

/// Writes them to the file descriptor `fd`, at most so many of the suspended threads. From any
/// thread.
void dump(int fd, std::size_t most = SIZE_MAX) noexcept;

/// How many suspended threads wait for something that another one has to do.
std::size_t threads_that_wait() noexcept;

}  // namespace kasuri::sched
