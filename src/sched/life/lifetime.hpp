// SPDX-License-Identifier: Apache-2.0
#pragma once

// The pool's beginning and end. It starts at its first use: pool::get().

namespace kasuri::sched {

/// Ends the OS threads of the pool and its monitor, if they run; the next use starts them anew.
/// False, and nothing ends, when a guest is inside, or while the pool is held. Idempotent. Writes
/// the trace and the statistics.
bool finalize() noexcept;

/// Keeps the pool from ending, which it starts, until let_pool_go: for another runtime whose work
/// runs on it for as long as that likes. Calls nest.
void hold_pool() noexcept;
void let_pool_go() noexcept;

/// The same as finalize without a word of what was: for a program that gives its threads up for a
/// while.
bool end_threads() noexcept;

}  // namespace kasuri::sched
