// SPDX-License-Identifier: Apache-2.0
// The mutex. One word holds its state, `last_` the waiters.
//
//   locked    somebody has the mutex
//   guard     somebody changes the list of waiters
//   waiting   the list is not empty, or becomes so as soon as guard is cleared
//   woken     a waiter was taken out and woken and has not tried yet
//   hand_off  the first in the list was woken before and lost
//
// Who changes what
//   locked    set by who finds it clear; cleared by the holder.
//   guard     set only while locked is set: by a thread that is going to wait, or by the holder that
//             takes one out. While it is set nobody else changes the word: locked is set, so nobody
//             takes the mutex, and the holder needs guard before it may clear locked with waiters
//             about. So guard is cleared by a plain store.
//   woken     set by the unlock that wakes; cleared by the woken thread. At most one thread is on
//             its way at a time: unlocks meanwhile wake nobody.
//   hand_off  set by a woken thread that lost, instead of woken, when it queues in front. The next
//             unlock leaves the mutex locked and gives it to that thread, which knows: who is woken
//             a second time owns the mutex.
//
// No lost wake-up: waiting and not woken and not locked never holds. Whoever clears locked with
// waiting set sets woken or finds it set, and a woken thread takes the mutex, to unlock it later,
// or sets hand_off.
// No starvation: a waiter is behind a fixed number of others, and each loses at most once.
// No memory for the stack that it takes to wait: known before the word is changed. A thread that comes
// throws; one that was woken and lost looks until it finds the mutex free.
// Destruction: the last thing an unlock does to the mutex is the one store that frees it.
//
// Rejected: to hand over always. Each hand-over holds the mutex idle until the next owner runs, so
// that under contention every lock suspends (a convoy).

#include <new>

#include "kasuri/sync.hpp"
#include "platform/fatal.hpp"
#include "sched/pool/pool.hpp"
#include "task/wait_list.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace {

constexpr std::uint32_t guard = 2;
constexpr std::uint32_t waiting = 4;
constexpr std::uint32_t woken = 8;
constexpr std::uint32_t hand_off = 16;

// Looks before a thread goes to wait: the holder is often in the middle of a few instructions.
constexpr int short_wait = 32;

/// Whether the holder can run while we look.
bool others_run() noexcept {
  const sched::worker* w = sched::current();
  return w == nullptr || w->home->configured() > 1;
}

}  // namespace

/// A thread on its way into the list.
struct mutex::arrival {
  mutex& m;
  bool second_time;
};

bool mutex::queue(void* arg, detail::suspended* s) noexcept {
  const arrival a = *static_cast<arrival*>(arg);
  s->on = &a.m;
  s->held_by = &a.m.holder_;
  if (a.second_time)
    task::prepend(a.m.last_, s);
  else
    task::append(a.m.last_, s);
  // release: pairs with the acquire of guard in lock_slow and unlock_slow
  a.m.word_.store(a.m.word_.load(std::memory_order_relaxed) & ~guard, std::memory_order_release);
  return true;
}

bool mutex::try_lock() noexcept {
  std::uint32_t seen = word_.load(std::memory_order_relaxed);
  while ((seen & locked) == 0)
    // acquire: pairs with the release in unlock and unlock_slow
    if (word_.compare_exchange_weak(seen, seen | locked, std::memory_order_acquire,
                                    std::memory_order_relaxed)) {
      holder_.is_caller();
      return true;
    }
  return false;
}

void mutex::lock_slow() {
  arrival a{*this, false};
  int looks = others_run() ? short_wait : 0;
  for (unsigned n = 0;;) {
    std::uint32_t seen = word_.load(std::memory_order_relaxed);
    const std::uint32_t mine = a.second_time ? woken : 0;
    if ((seen & locked) == 0) {
      // acquire: pairs with the release in unlock and unlock_slow
      if (word_.compare_exchange_weak(seen, (seen | locked) & ~mine, std::memory_order_acquire,
                                      std::memory_order_relaxed))
        return;
    } else if ((seen & guard) != 0) {
      detail::real_atomics::backoff(n++);
    } else if ((seen & waiting) == 0 && looks > 0) {
      --looks;
      detail::real_atomics::pause();
    } else if (!sched::can_suspend_alone()) [[unlikely]] {
      if (!a.second_time) throw std::bad_alloc();
      detail::real_atomics::backoff(n++);  // the others wait for this thread to try
    } else {
      const std::uint32_t next =
          (seen & ~mine) | guard | waiting | (a.second_time ? hand_off : 0);
      // acquire: pairs with the release that cleared guard, for the list
      if (!word_.compare_exchange_weak(seen, next, std::memory_order_acquire,
                                       std::memory_order_relaxed))
        continue;
      sched::suspend(record::wait_reason::mutex, queue, &a);
      if (a.second_time) return;
      a.second_time = true;
    }
  }
}

void mutex::unlock_slow() noexcept {
  std::uint32_t seen = word_.load(std::memory_order_relaxed);
  for (unsigned n = 0;;) {
    if ((seen & locked) == 0) platform::fatal("mutex::unlock: the mutex is not locked");
    if ((seen & guard) != 0) {
      detail::real_atomics::backoff(n++);
      seen = word_.load(std::memory_order_relaxed);
    } else if ((seen & waiting) == 0 || (seen & woken) != 0) {
      // release: pairs with the acquire in lock, lock_slow and try_lock
      if (word_.compare_exchange_weak(seen, seen & ~locked, std::memory_order_release,
                                      std::memory_order_relaxed))
        return;
      // acquire: pairs with the release that cleared guard, for the list
    } else if (word_.compare_exchange_weak(seen, seen | guard, std::memory_order_acquire,
                                           std::memory_order_relaxed)) {
      break;
    }
  }
  detail::suspended* const first = task::take_first(last_);
  std::uint32_t next = seen;
  if (last_ == nullptr) next &= ~waiting;
  next = (seen & hand_off) != 0 ? next & ~hand_off : (next & ~locked) | woken;
  // release: pairs with the acquire in lock, lock_slow and try_lock, and with that of guard
  word_.store(next, std::memory_order_release);
  sched::make_ready(first);
}

}  // namespace kasuri
