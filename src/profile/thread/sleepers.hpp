// SPDX-License-Identifier: Apache-2.0
// How many threads of the pool wait asleep, and for what: suspended, so that their worker is idle
// or runs others. They tell what idle workers lack.
#pragma once

#include <atomic>  // for atomic

#include "record/wait_reason.hpp"

namespace kasuri::profile {

/// Threads asleep that wait for a lock, and in a barrier.
extern constinit std::atomic<int> asleep_for_lock;
extern constinit std::atomic<int> asleep_in_barrier;

/// A thread falls asleep. What counts it, for wakes_up: null if it waits for something else, or
/// nobody records.
[[nodiscard]] std::atomic<int>* falls_asleep(record::wait_reason why) noexcept;
void wakes_up(std::atomic<int>* counted) noexcept;

/// In the child of a fork: they are the parent's.
void forget_sleepers() noexcept;

}  // namespace kasuri::profile
