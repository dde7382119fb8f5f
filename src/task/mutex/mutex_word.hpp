// SPDX-License-Identifier: Apache-2.0
#pragma once

// The word of kasuri::mutex: how a thread takes the mutex or queues for it, and how the holder lets
// it go. The list of the waiters lies beside the word.
//
//   locked    somebody has the mutex
//   guard     somebody changes the list of waiters
//   waiting   the list is not empty, or becomes so as soon as guard is cleared
//   woken     a waiter was taken out and woken and has not tried yet
//   hand_off  the first in the list was woken before and lost
//
// The threads that change each bit
//   locked    set by a thread that finds it clear; cleared by the holder.
//   guard     set only while locked is set: by a thread that is going to wait, or by the holder
//             that takes one out. While it is set nobody else changes the word: locked is set, so
//             nobody takes the mutex, and the holder needs guard before it may clear locked with
//             waiters about. So guard is cleared by a plain store.
//   woken     set by the unlock that wakes; cleared by the woken thread. At most one thread is on
//             its way at a time: unlocks meanwhile wake nobody.
//   hand_off  set by a woken thread that lost, instead of woken, when it queues in front. The next
//             unlock leaves the mutex locked and gives it to that thread, which knows: a thread
//             that is woken a second time owns the mutex.
//
// No lost wake-up: waiting and not woken and not locked never holds. The thread that clears locked
// with waiting set sets woken or finds it set, and a woken thread takes the mutex, to unlock it
// later, or sets hand_off. No starvation: a waiter is behind a fixed number of others, and each
// loses at most once. Destruction: the last thing an unlock does to the mutex is the one store that
// frees it.
//
// A wait may end by its time (sched/kernel/timed_word.hpp; all but the timer change that word under
// guard). The thread takes guard, and takes itself out: it sets locked as well where that is clear,
// and so has the mutex. With it goes hand_off, if it was the thread that lost. A woken thread whose
// time is over clears woken while the mutex is locked: the holder wakes the next.
//
// Rejected: to hand over always. Each hand-over holds the mutex idle until the next owner runs, so
// that under contention every lock suspends (a convoy).
//
// Templates over the atomics A and its word, which tests/model explores.

#include <atomic>
#include <cstdint>

#include "platform/base/expect.hpp"

namespace kasuri::task::mutex_word {

inline constexpr std::uint32_t locked = 1;
inline constexpr std::uint32_t guard = 2;
inline constexpr std::uint32_t waiting = 4;
inline constexpr std::uint32_t woken = 8;
inline constexpr std::uint32_t hand_off = 16;

/// Takes the mutex if it is free.
template <class Word>
bool try_lock(Word& word) noexcept {
  std::uint32_t seen = word.load(std::memory_order_relaxed);
  while ((seen & locked) == 0)
    // acquire: pairs with the release in mutex::unlock and in unlock_slow
    if (word.compare_exchange_weak(seen, seen | locked, std::memory_order_acquire,
                                   std::memory_order_relaxed))
      return true;
  return false;
}

/// What a thread does behind a look at the word.
enum class look {
  has_mutex,
  gives_up,  // its time is over
  looks_on,
  queues  // it has set guard
};

/// One look of the thread `me`, see lock_slow; the n-th that did not count.
template <class A, class Word, class Thread>
look look_once(Word& word, Thread& me, bool again, unsigned& n) {
  std::uint32_t seen = word.load(std::memory_order_relaxed);
  const std::uint32_t mine = again ? woken : 0;
  if ((seen & locked) == 0) {
    // acquire: pairs with the release in mutex::unlock and in unlock_slow
    if (word.compare_exchange_weak(seen, (seen | locked) & ~mine, std::memory_order_acquire,
                                   std::memory_order_relaxed))
      return look::has_mutex;
  } else if ((seen & guard) != 0) {
    A::backoff(n++);
  } else if (me.is_late()) {
    if (mine == 0 || word.compare_exchange_weak(seen, seen & ~mine, std::memory_order_relaxed,
                                                std::memory_order_relaxed))
      return look::gives_up;
  } else if ((seen & waiting) == 0 && me.looks_again()) {
    A::pause();
  } else if (!me.can_wait(again)) [[unlikely]] {
    A::backoff(n++);
  } else {
    const std::uint32_t next = (seen & ~mine) | guard | waiting | (again ? hand_off : 0);
    // acquire: pairs with the release that cleared guard, for the list
    if (word.compare_exchange_weak(seen, next, std::memory_order_acquire,
                                   std::memory_order_relaxed))
      return look::queues;
  }
  return look::looks_on;
}

/// Looks until the thread does something else.
template <class A, class Word, class Thread>
look look_on(Word& word, Thread& me, bool again) {
  unsigned n = 0;
  look next = look::looks_on;
  while (next == look::looks_on) next = look_once<A>(word, me, again, n);
  return next;
}

/// The ends of a wait that may end by its time.
enum class end_of_wait {
  wake,
  late,    // the time was first
  late_in  // ... and the mutex was free: the caller has it
};

/// Takes the mutex, and waits for it if need be, until the time of the calling thread `me` at the
/// latest. Returns whether the caller has the mutex.
///   me.is_late()        whether its time is over; false for a thread that waits without one
///   me.looks_again()    whether it looks once more at a held mutex before it waits
///   me.can_wait(again)  false: it cannot be suspended now, and looks on; may throw if not `again`
///   me.wait(again)      puts it in the list, in front if `again`, calls end_of_queueing(), and
///                       comes back when it has been woken, or behind leave() if the time comes
///                       first: how it ended
/// `again`: the thread has been woken before and lost.
template <class A, class Word, class Thread>
[[nodiscard]] bool lock_slow(Word& word, Thread& me) {
  for (bool again = false;;) {
    const look next = look_on<A>(word, me, again);
    if (next != look::queues) return next == look::has_mutex;
    const end_of_wait how = me.wait(again);
    if (how != end_of_wait::wake) return how == end_of_wait::late_in;
    if (again) return true;
    again = true;
  }
}

/// For a coroutine: takes the mutex, or has it wait. `me` as above, but for
///   me.wait(again)  puts its record in the list, and calls end_of_queueing(); returns at once
/// `again`: it has been woken before. Returns what it did: it has the mutex, gives up, or queues.
/// Behind the latter the next wake means that it has it if `again`, and else that it is to call
/// once more; where its time is first, leave() follows.
template <class A, class Word, class Coroutine>
[[nodiscard]] look lock_or_wait(Word& word, Coroutine& me, bool again) {
  const look next = look_on<A>(word, me, again);
  if (next == look::queues) me.wait(again);
  return next;
}

/// A thread that waits stands in the list, and may be woken from here on.
template <class Word>
void end_of_queueing(Word& word) noexcept {
  // release: pairs with the acquire of guard in look_once and unlock_slow
  word.store(word.load(std::memory_order_relaxed) & ~guard, std::memory_order_release);
}

/// A thread that waits, and whose time was first, leaves the list. Returns whether it has the mutex
/// instead. `again`: it queued in front.
///   waiters.take_out()  takes it out of the list; false: an unlock has done so
///   waiters.empty()     whether none is left
template <class A, class Word, class Waiters>
bool leave(Word& word, Waiters& waiters, bool again) noexcept {
  std::uint32_t seen = word.load(std::memory_order_relaxed);
  for (unsigned n = 0;;) {
    if ((seen & guard) != 0) {
      A::backoff(n++);
      seen = word.load(std::memory_order_relaxed);
      // acquire: pairs with the release that cleared guard, for the list, and with the one in
      // mutex::unlock and in unlock_slow
    } else if (word.compare_exchange_weak(seen, seen | guard | locked, std::memory_order_acquire,
                                          std::memory_order_relaxed)) {
      break;
    }
  }
  std::uint32_t next = seen | locked;
  if (waiters.take_out()) {
    if (again) next &= ~hand_off;
    if (waiters.empty()) next &= ~waiting;
  }
  // release: pairs with the acquire of guard in look_once and unlock_slow
  word.store(next, std::memory_order_release);
  return (seen & locked) == 0;
}

/// Lets the mutex go, or hands it to a waiter. Returns the waiter that the caller wakes then, or
/// null.
///   waiters.take_first()   takes the first out whose time is not over, and those before it; null
///                          when there is none
///   waiters.has_skipped()  whether it found others before it
///   waiters.empty()        whether another is left
///   waiters.not_locked()   called for a mutex that nobody has; does not return
template <class A, class Word, class Waiters>
auto unlock_slow(Word& word, Waiters& waiters) noexcept -> decltype(waiters.take_first()) {
  std::uint32_t seen = word.load(std::memory_order_relaxed);
  for (unsigned n = 0;;) {
    if ((seen & locked) == 0) waiters.not_locked();
    KASURI_EXPECT(cheap, (seen & hand_off) == 0 || (seen & waiting) != 0,
                  "the mutex is to be handed to nobody, the word is %u", seen);
    if ((seen & guard) != 0) {
      A::backoff(n++);
      seen = word.load(std::memory_order_relaxed);
    } else if ((seen & waiting) == 0 || (seen & woken) != 0) {
      // release: pairs with the acquire in mutex::lock, lock_slow and try_lock
      if (word.compare_exchange_weak(seen, seen & ~locked, std::memory_order_release,
                                     std::memory_order_relaxed))
        return nullptr;
      // acquire: pairs with the release that cleared guard, for the list
    } else if (word.compare_exchange_weak(seen, seen | guard, std::memory_order_acquire,
                                          std::memory_order_relaxed)) {
      break;
    }
  }
  auto* const first = waiters.take_first();
  const bool hands_over = (seen & hand_off) != 0 && !waiters.has_skipped();
  std::uint32_t next = seen & ~hand_off;
  if (waiters.empty()) next &= ~waiting;
  if (!hands_over) next = first == nullptr ? next & ~locked : (next & ~locked) | woken;
  // release: pairs with the acquire in mutex::lock, lock_slow and try_lock, and with that of guard
  word.store(next, std::memory_order_release);
  return first;
}

}  // namespace kasuri::task::mutex_word
