// SPDX-License-Identifier: Apache-2.0
#pragma once

// Locks of the program: omp_lock_t, omp_nest_lock_t, critical.
//
// A simple lock is a word of four bytes in the program's memory:
//
//   free --CAS--> locked --CAS by one that will park--> contended --exchange--> free
//
// A thread that takes it without having parked makes it `locked`, and its release wakes nobody. One
// that is going to park makes it `contended`, so that the release looks into the parking lot and
// wakes one. The woken one takes the lock as `contended` again, since it cannot know whether others
// are parked still: then its release wakes the next. No wake-up is lost: the release changes the
// word and wakes by the lot's protocol, the waiter enters the lot and looks at the word again
// (wait.hpp).
//
// The lock is not fair: a running thread goes before parked ones, which would cost a switch each
// time.

#include <atomic>
#include <cstdint>

#include "platform/base/expect.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::omp {

using lock_word = std::uint32_t;

inline constexpr lock_word lock_free = 0;
inline constexpr lock_word lock_taken = 1;
inline constexpr lock_word lock_contended = 2;

void acquire_slow(lock_word& word) noexcept;
void wake_waiter(lock_word& word) noexcept;

inline bool try_acquire(lock_word& word) noexcept {
  lock_word expected = lock_free;
  // acquire: pairs with the exchange in release
  if (!std::atomic_ref(word).compare_exchange_strong(
          expected, lock_taken, std::memory_order_acquire, std::memory_order_relaxed))
    return false;
  platform::happens_after(&word);
  return true;
}

inline void acquire(lock_word& word) noexcept {
  if (try_acquire(word)) return;
  acquire_slow(word);
  platform::happens_after(&word);
}

inline void release(lock_word& word) noexcept {
  platform::happens_before(&word);
  // release: pairs with the acquire of the next holder; wake_waiter has a fence of its own
  const lock_word before = std::atomic_ref(word).exchange(lock_free, std::memory_order_release);
  KASURI_EXPECT(cheap, before == lock_taken || before == lock_contended,
                "lock %p is released in state %u", static_cast<void*>(&word), before);
  if (before == lock_contended) wake_waiter(word);
}

// ---- locks that their owner may take again
// ---------------------------------------------------------

struct task;

/// Its owner is a task region. omp_nest_lock_t holds its address.
struct nest_lock {
  lock_word word = lock_free;
  std::uint32_t depth = 0;  // the owner's
  // Only the owner of the lock ever finds itself here.
  std::atomic<const task*> owner{nullptr};
};

nest_lock* make_nest_lock() noexcept;
void destroy_nest_lock(nest_lock* lock) noexcept;

/// How often the caller has it now.
std::uint32_t acquire(nest_lock& lock) noexcept;
/// Whether it is free now.
bool release(nest_lock& lock) noexcept;

/// How often the caller has it now; 0: another task has it.
int try_acquire(nest_lock& lock) noexcept;

// ---- critical -----------------------------------------------------------------------------------

/// The lock of critical constructs without a name, and that of atomic ones without instructions.
extern constinit lock_word critical_lock;
extern constinit lock_word atomic_lock;

}  // namespace kasuri::omp
