// SPDX-License-Identifier: Apache-2.0
#pragma once

// A thread that makes a condition true for which members wait (run/wait.hpp) calls notify(key)
// afterwards: the waiters look again.
//
// No lost wake-up: the waiter enters the lot, passes a full fence and looks at the condition again;
// the notifier makes the condition true and calls notify, which has its own half of the protocol in
// it (sched/kernel/parking_lot.hpp).

#include "omp/wait/parking.hpp"

namespace kasuri::omp {

/// The condition of `key` may hold now: lets its waiters look. Contains a full fence.
inline void notify(const void* key) noexcept { unpark_all(key); }

/// The same behind a change of the condition that was made by sched::in_order: without a fence.
inline void notify(const void* key, sched::ordered changed) noexcept { unpark_all(key, changed); }

}  // namespace kasuri::omp
