// SPDX-License-Identifier: Apache-2.0
#pragma once

// The pool's beginning and end. It starts at its first use: pool::get().

namespace kasuri::sched {

/// Ends the OS threads of the pool and its monitor, if they run; the next use starts them anew.
/// False, and nothing ends, when a guest is inside. Idempotent. Writes the trace and the
/// statistics.
bool finalize() noexcept;

/// The same without a word of what was: for a program that gives its threads up for a while.
bool end_threads() noexcept;

}  // namespace kasuri::sched
