// SPDX-License-Identifier: Apache-2.0
// How long the kernel has let a thread run: what a clock on the wall cannot tell.
#pragma once

#include <cstdint>  // for uint64_t

namespace kasuri::platform {

/// Processor time of the calling OS thread since it started, in nanoseconds. A system call.
std::uint64_t processor_nanoseconds() noexcept;

/// The same of the thread of this process with that number (thread_id), or `otherwise` when it has
/// ended. Any thread.
std::uint64_t processor_nanoseconds_of(int thread_id, std::uint64_t otherwise) noexcept;

}  // namespace kasuri::platform
