// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parking lot: members that wait, suspended, under keys. A key is an address that stands for
// the condition; nothing is stored there. Buckets by hash of the key, each behind a lock of its
// own, which only those who park and those who find somebody parked take. The protocol:
// sched/kernel/parking_lot.hpp.

#include <cstdint>

#include "record/wait_reason.hpp"
#include "sched/kernel/parking_lot.hpp"

namespace kasuri::omp {

struct member;

using condition = bool (*)(const void* arg) noexcept;

/// Suspends the calling thread under `key` until somebody unparks it, unless ready(arg), asked with
/// the bucket locked, says that there is nothing to wait for. `ready` must not wait or unpark.
/// `who`: by what unpark may pick it. `why`: for those who look on.
void park(const void* key, condition ready, const void* arg, record::wait_reason why,
          const member* who = nullptr) noexcept;

/// Lets those parked under `key` go on; the caller has made what they wait for true before. The
/// first form contains a full fence; the second goes without one, behind a change made by
/// sched::in_order.
void unpark_all(const void* key) noexcept;
void unpark_all(const void* key, sched::ordered changed) noexcept;

/// The same for the one that came first; false when there is none.
bool unpark_one(const void* key) noexcept;
bool unpark_one(const void* key, sched::ordered changed) noexcept;

/// The same for that member. Contains a full fence.
bool unpark(const void* key, const member& who) noexcept;

}  // namespace kasuri::omp
