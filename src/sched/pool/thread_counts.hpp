// SPDX-License-Identifier: Apache-2.0
#pragma once

// OS threads that are no workers and that Kasuri knows: those that wait for one of its objects, and
// those that make blocking calls for tasks. Each is counted by the module that it belongs to;
// deadlocks are told and dumps are written by the counts (watch/).

#include <atomic>

namespace kasuri::sched {

struct known_threads {
  /// Threads outside the pool that wait for an object and stand in its list. A thread counts itself
  /// behind the entry, its waker counts it out: a waker that is faster makes the count too low for
  /// a moment, and nothing is told.
  std::atomic<int> outsiders{0};
  /// Threads for blocking calls; and how many of them rest (run/blocking_thread.hpp).
  std::atomic<int> for_calls{0};
  std::atomic<int> for_calls_at_rest{0};

  int in_calls() const noexcept {
    return for_calls.load(std::memory_order_relaxed) -
           for_calls_at_rest.load(std::memory_order_relaxed);
  }
};

inline constinit known_threads thread_counts;

}  // namespace kasuri::sched
