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
///
/// Calls with a time wait until it has come at the latest: by any clock of std::chrono, or for a
/// duration by its steady clock. A time that is over already, a duration of zero or less, and
/// time_point::min() among them, wait for nothing: the call looks once. A time too far away to
/// count in nanoseconds (292 years), time_point::max() among them, never comes. A call that says
/// that its time is over has changed nothing, and a wake-up or unit that came at the same time went
/// to another thread. They also throw std::bad_alloc where the system gives no thread for timers.
///
/// Calls with a stop condition, which may be a std::stop_token, return false once it is met: that
/// is like a time that is over. They need kasuri/stop.hpp.

#include "kasuri/detail/needs_cxx20.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

#include "kasuri/detail/cxx_library.hpp"
#include "kasuri/detail/holder.hpp"
#include "kasuri/detail/time.hpp"
#include "kasuri/detail/wait_list.hpp"

namespace [[gnu::visibility("default")]] kasuri {

class stop_condition;
namespace detail {
struct early_end;
}

/// Mutual exclusion, not recursive. Meets TimedLockable: use std::lock_guard, std::unique_lock,
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

  /// Takes the mutex if it is free within `d`.
  /// @return whether it did.
  /// @throw std::bad_alloc when there is no memory to wait with.
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& d) {
    return try_lock_by(detail::time_after(d));
  }

  /// Takes the mutex if it is free before `t`; the rest as try_lock_for.
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& t) {
    return detail::until(t, [this](std::int64_t by) { return try_lock_by(by); });
  }

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
  struct timed_arrival;
  struct timed_coroutine;
  void lock_slow();
  bool try_lock_by(std::int64_t by);
  void unlock_slow() noexcept;
  static bool queue(void* arrival, detail::suspended* s) noexcept;
  void stand_in_list(detail::suspended* s, bool in_front) noexcept;
  bool lock_or_wait(detail::suspended& coroutine, bool again) noexcept;
  friend struct detail::coroutine_access;

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

  /// As wait(unique_lock&), for `d` at most. Where the time is over at once it lets the mutex go
  /// and lets other threads go first.
  /// @return as std::cv_status: no_timeout after a notification, else timeout; the mutex is held
  /// again in either case, for which it may wait longer.
  /// @throw as wait(unique_lock&).
  template <class Rep, class Period>
  wait_status wait_for(std::unique_lock<mutex>& lock, const std::chrono::duration<Rep, Period>& d) {
    return wait_status(wait_by(lock, detail::time_after(d)));
  }

  /// The same, until `t` at most. By a clock other than std::chrono::steady_clock that is set back
  /// meanwhile it may return no_timeout without a notification.
  template <class Clock, class Duration>
  wait_status wait_until(std::unique_lock<mutex>& lock,
                         const std::chrono::time_point<Clock, Duration>& t) {
    return wait_status(wait_by(lock, detail::time_at(t)) || Clock::now() < t);
  }

  /// Waits until `predicate()`, which is called with the mutex held, is true, for `d` at most.
  /// @return what it said last.
  template <class Rep, class Period, class Predicate>
  bool wait_for(std::unique_lock<mutex>& lock, const std::chrono::duration<Rep, Period>& d,
                Predicate predicate) {
    const std::int64_t by = detail::time_after(d);
    while (!predicate())
      if (!wait_by(lock, by)) return predicate();
    return true;
  }

  /// The same, until `t` at most.
  template <class Clock, class Duration, class Predicate>
  bool wait_until(std::unique_lock<mutex>& lock, const std::chrono::time_point<Clock, Duration>& t,
                  Predicate predicate) {
    while (!predicate())
      if (wait_until(lock, t).timed_out()) return predicate();
    return true;
  }

  /// Waits until `predicate()`, which is called with the mutex held, is true, or the condition is
  /// met. A stop wakes this call and no other.
  /// @param lock       holds the mutex, before and after
  /// @param stop       as a std::stop_token, or what stop_after and stop_at make
  /// @param predicate  returns a bool
  /// @return what the predicate said last.
  /// @throw as wait(unique_lock&); what the predicate throws.
  template <class Predicate>
  bool wait(std::unique_lock<mutex>& lock, const stop_condition& stop, Predicate predicate);

  /// Wakes the thread that has waited longest; nothing when nobody waits.
  void notify_one() noexcept;

  /// Wakes all that wait.
  void notify_all() noexcept;

  /// Whether nobody waits now.
  bool is_idle() noexcept;

 private:
  friend struct detail::coroutine_access;
  bool wait_by(std::unique_lock<mutex>& lock, std::int64_t by, detail::early_end* early = nullptr);

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

  /// Takes a unit; waits for it for `d` at most.
  /// @return whether it took one.
  /// @throw std::bad_alloc when there is no memory to wait with.
  template <class Rep, class Period>
  [[nodiscard]] bool try_acquire_for(const std::chrono::duration<Rep, Period>& d) {
    return try_acquire_by(detail::time_after(d));
  }

  /// The same, until `t` at most.
  template <class Clock, class Duration>
  [[nodiscard]] bool try_acquire_until(const std::chrono::time_point<Clock, Duration>& t) {
    return detail::until(t, [this](std::int64_t by) { return try_acquire_by(by); });
  }

  /// Takes a unit; waits for it until the condition is met at most.
  /// @param stop  as a std::stop_token, or what stop_after and stop_at make
  /// @return whether it took one.
  /// @throw std::bad_alloc when there is no memory to wait with.
  [[nodiscard]] inline bool acquire(const stop_condition& stop);

  /// Adds `n` units and wakes as many waiters as they serve.
  /// @throw std::overflow_error, and adds none, when it would hold more than `most`.
  void release(std::size_t n = 1);

  /// Whether nobody waits now.
  bool is_idle() noexcept;

 private:
  friend struct detail::coroutine_access;
  bool try_acquire_by(std::int64_t by, detail::early_end* early = nullptr);

  detail::wait_list waiters_;  // count: units; more than 0 only while nobody waits
};

/// A unit of a semaphore for as long as it lives, also where an exception ends that: bounds how
/// many of a piece of code run or wait at once.
/// @par Thread-safety: one thread at a time; another one than took the unit may give it back.
class semaphore_guard {
 public:
  /// Takes a unit of `of`, which outlives the guard; waits for it if there is none.
  /// @throw std::bad_alloc when there is no memory to wait with.
  explicit semaphore_guard(semaphore& of) : of_(of) { of_.acquire(); }
  /// Gives the unit back.
  ~semaphore_guard() { of_.release(); }
  semaphore_guard(const semaphore_guard&) = delete;
  semaphore_guard& operator=(const semaphore_guard&) = delete;

 private:
  semaphore& of_;
};

namespace detail {

/// What a barrier calls between two phases.
struct completion {
  void (*call)(completion& f) noexcept;
  void (*destroy)(completion* f) noexcept;
};

template <class F>
struct completion_of : completion {
  explicit completion_of(F&& f) : completion{run, drop}, function(std::move(f)) {}
  static void run(completion& f) noexcept { static_cast<completion_of&>(f).function(); }
  static void drop(completion* f) noexcept { delete static_cast<completion_of*>(f); }

  F function;
};

/// A barrier; each call is told what to call between two phases, or null.
class barrier_base {
 public:
  explicit barrier_base(std::size_t threads);
  barrier_base(const barrier_base&) = delete;
  barrier_base& operator=(const barrier_base&) = delete;

  bool arrive_and_wait(completion* between = nullptr);
  bool arrive_and_drop(completion* between = nullptr);
  bool is_idle() noexcept;

 private:
  friend coroutine_access;
  /// Under the lock. True: the caller came last, the phase has ended, and the lock is let go.
  /// False: the caller is to wait.
  bool arrive(completion* between) noexcept;
  void end_phase(completion* between) noexcept;

  wait_list waiters_;  // count: arrivals in this phase
  std::uint32_t threads_;
};

}  // namespace detail

/// Lets a fixed number of threads meet, again and again.
class barrier {
 public:
  /// @param threads  how many threads meet, 1 to 2^32 - 1.
  /// @throw std::invalid_argument outside of that.
  explicit barrier(std::size_t threads) : base_(threads) {}

  /// The same, with a function to call between two phases.
  /// @param threads     how many threads meet, 1 to 2^32 - 1.
  /// @param completion  callable without arguments; its result is dropped. The thread that arrives
  ///                    last in a phase calls it before any thread of the phase goes on; it may
  ///                    wait. An exception that leaves it ends the program by std::terminate.
  /// @throw std::invalid_argument for another number of threads; std::bad_alloc.
  template <class F>
  barrier(std::size_t threads, F completion)
      : base_(threads), completion_(new detail::completion_of<F>(std::move(completion))) {}

  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;
  ~barrier() {
    if (completion_ != nullptr) completion_->destroy(completion_);
  }

  /// Waits until as many threads as the constructor was told have arrived in this phase; the next
  /// phase begins then.
  /// @return true in exactly one thread of each phase, the one that arrived last.
  /// @throw std::bad_alloc when there is no memory to wait with; the caller has not arrived then.
  bool arrive_and_wait() { return base_.arrive_and_wait(completion_); }

  /// Arrives in this phase without waiting, and is one thread less in all later phases.
  /// @return true when it was the last to arrive in this phase.
  /// @throw std::logic_error when all threads have dropped out already.
  bool arrive_and_drop() { return base_.arrive_and_drop(completion_); }

  /// Whether nobody waits now.
  bool is_idle() noexcept { return base_.is_idle(); }

 private:
  friend struct detail::coroutine_access;

  detail::barrier_base base_;
  detail::completion* const completion_ = nullptr;
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

  /// Waits until the count is zero, for `d` at most.
  /// @return whether it is zero.
  /// @throw std::bad_alloc when there is no memory to wait with.
  template <class Rep, class Period>
  [[nodiscard]] bool wait_for(const std::chrono::duration<Rep, Period>& d) {
    return wait_by(detail::time_after(d));
  }

  /// The same, until `t` at most.
  template <class Clock, class Duration>
  [[nodiscard]] bool wait_until(const std::chrono::time_point<Clock, Duration>& t) {
    return detail::until(t, [this](std::int64_t by) { return wait_by(by); });
  }

  /// Waits until the count is zero, or the condition is met.
  /// @param stop  as a std::stop_token, or what stop_after and stop_at make
  /// @return whether it is zero.
  /// @throw std::bad_alloc when there is no memory to wait with.
  [[nodiscard]] inline bool wait(const stop_condition& stop);

  /// Counts down by one and waits for zero.
  /// @throw std::invalid_argument when the count is zero already; std::bad_alloc, and counts
  /// nothing, when there is no memory to wait with.
  void arrive_and_wait();

  /// Whether nobody waits now.
  bool is_idle() noexcept;

 private:
  friend struct detail::coroutine_access;
  bool wait_by(std::int64_t by, detail::early_end* early = nullptr);
  /// Under the lock: counts down by one. True: to zero, and the lock is let go. False: the caller
  /// is to wait. Throws as arrive_and_wait(), with the lock let go.
  bool arrive();

  detail::wait_list waiters_;  // count: what is left
};

}  // namespace kasuri
