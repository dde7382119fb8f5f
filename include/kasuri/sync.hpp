// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Objects to wait on: they block the task and not the worker.
///
/// All of them work between tasks, threads of kasuri.h, and OS threads that have nothing to do with
/// Kasuri, in any mixture; an OS thread that is no worker sleeps. Waiters go on in the order they
/// came, except where an object says otherwise. None may be copied, moved, or destroyed while
/// somebody waits; each may be destroyed by a thread that it has let go on, at once.
///
/// A task that waited may go on on another worker, that is, on another OS thread. errno and the
/// state of exceptions go with it; thread_local variables do not.
///
/// A wait takes a stack for what the worker runs meanwhile. Where the system has no memory for one,
/// the call throws std::bad_alloc and has changed nothing. Nothing is thrown where nothing is
/// waited for.

#include "kasuri/detail/needs_cxx20.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "kasuri/detail/cxx_library.hpp"
#include "kasuri/detail/holder.hpp"
#include "kasuri/detail/wait_list.hpp"

namespace [[gnu::visibility("default")]] kasuri {

/// Mutual exclusion, not recursive. Meets Lockable: use std::lock_guard, std::unique_lock,
/// std::scoped_lock. Unlike a std::mutex it may be held across anything that waits, and may be
/// unlocked by another thread than the one that locked it.
///
/// Order: threads that come while the mutex is free may overtake waiters that are just being woken,
/// which keeps the mutex from standing idle meanwhile. A waiter loses that way once: the second
/// time the mutex is handed to it.
class mutex {
 public:
  constexpr mutex() noexcept = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

  /// Waits until the mutex is free and takes it. A thread that holds it already waits for ever.
  /// @throw std::bad_alloc when there is no memory to wait with; the caller does not have the
  /// mutex.
  void lock() {
    std::uint32_t free = 0;
    // acquire: pairs with the release in unlock and unlock_slow
    if (!word_.compare_exchange_strong(free, locked, std::memory_order_acquire,
                                       std::memory_order_relaxed)) [[unlikely]]
      lock_slow();
    holder_.is_caller();
  }

  /// Takes the mutex if it is free.
  /// @return whether it did.
  bool try_lock() noexcept;

  /// Lets it go. Ends the program with a message when it is not locked.
  void unlock() noexcept {
    std::uint32_t only_locked = locked;
    // release: pairs with the acquire in lock, lock_slow and try_lock
    if (!word_.compare_exchange_strong(only_locked, 0, std::memory_order_release,
                                       std::memory_order_relaxed)) [[unlikely]]
      unlock_slow();
  }

  /// Whether somebody holds it now.
  bool is_locked() const noexcept { return (word_.load(std::memory_order_relaxed) & locked) != 0; }

  /// Whether nobody holds it, waits for it, or is on the way from waiting to holding.
  bool is_idle() const noexcept { return word_.load(std::memory_order_relaxed) == 0; }

 private:
  static constexpr std::uint32_t locked = 1;  // the other bits: src/task/mutex/mutex_word.hpp

  struct arrival;
  void lock_slow();
  void unlock_slow() noexcept;
  static bool queue(void* arrival, detail::suspended* s) noexcept;

  std::atomic<std::uint32_t> word_{0};
  detail::holder holder_;  // for dumps; means something while the mutex is locked
  detail::suspended* last_ = nullptr;
};

/// A condition variable for kasuri::mutex.
class condition_variable {
 public:
  constexpr condition_variable() noexcept = default;
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  /// Lets the mutex go, waits for a notification, and takes the mutex again. Never returns without
  /// a notification.
  /// @throw std::logic_error when `lock` does not hold its mutex; std::bad_alloc when there is no
  /// memory to wait with, and the mutex is held all the time. Where there is none for taking the
  /// mutex again the program ends with a message.
  void wait(std::unique_lock<mutex>& lock);

  /// Waits until `predicate()`, which is called with the mutex held, is true.
  template <class Predicate>
  void wait(std::unique_lock<mutex>& lock, Predicate predicate) {
    while (!predicate()) wait(lock);
  }

  /// As wait(unique_lock&), for a mutex that the caller holds.
  void wait(mutex& held);

  /// Wakes the thread that has waited longest; nothing when nobody waits.
  void notify_one() noexcept;

  /// Wakes all that wait.
  void notify_all() noexcept;

  /// Whether nobody waits now.
  bool is_idle() noexcept;

 private:
  detail::wait_list waiters_;
};

/// A counting semaphore. Strictly in order: units go to the thread that has waited longest, and
/// nobody overtakes.
class semaphore {
 public:
  /// The most units a semaphore holds.
  static constexpr std::size_t most = UINT32_MAX;

  /// @param units  units it holds at first.
  /// @throw std::invalid_argument when there are more than `most`.
  explicit semaphore(std::size_t units);
  semaphore(const semaphore&) = delete;
  semaphore& operator=(const semaphore&) = delete;

  /// Takes a unit; waits for it if there is none.
  /// @throw std::bad_alloc when there is no memory to wait with.
  void acquire();

  /// Takes a unit if there is one.
  /// @return whether it did.
  bool try_acquire() noexcept;

  /// Adds `n` units and wakes as many waiters as they serve.
  /// @throw std::overflow_error, and adds none, when it would hold more than `most`.
  void release(std::size_t n = 1);

  /// Whether nobody waits now.
  bool is_idle() noexcept;

 private:
  detail::wait_list waiters_;  // count: units; more than 0 only while nobody waits
};

/// Lets a fixed number of threads meet, again and again.
class barrier {
 public:
  /// @param threads  how many threads meet, 1 to 2^32 - 1.
  /// @throw std::invalid_argument outside of that.
  explicit barrier(std::size_t threads);
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  /// Waits until as many threads as the constructor was told have arrived in this phase; the next
  /// phase begins then.
  /// @return true in exactly one thread of each phase, the one that arrived last.
  /// @throw std::bad_alloc when there is no memory to wait with; the caller has not arrived then.
  bool arrive_and_wait();

  /// Whether nobody waits now.
  bool is_idle() noexcept;

 private:
  detail::wait_list waiters_;  // count: arrivals in this phase
  const std::uint32_t threads_;
};

/// Counts down once; threads wait until it reaches zero.
class latch {
 public:
  /// @param count  0 to 2^32 - 1.
  /// @throw std::invalid_argument outside of that.
  explicit latch(std::size_t count);
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;

  /// Counts down by `n` and wakes all waiters at zero. Does not wait.
  /// @throw std::invalid_argument, and counts nothing, when n is more than what is left.
  void count_down(std::size_t n = 1);

  /// Whether the count is zero.
  bool try_wait() noexcept;

  /// Waits until the count is zero.
  /// @throw std::bad_alloc when there is no memory to wait with.
  void wait();

  /// Counts down by one and waits for zero.
  /// @throw std::invalid_argument when the count is zero already; std::bad_alloc, and counts
  /// nothing, when there is no memory to wait with.
  void arrive_and_wait();

  /// Whether nobody waits now.
  bool is_idle() noexcept;

 private:
  detail::wait_list waiters_;  // count: what is left
};

}  // namespace kasuri
