// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is to happen at a time: a heap of timers, and one OS thread that sleeps until the first of
// them.
//
// The thread starts with the first timer of the process and does not tick: it sleeps until the
// earliest time, or for good when there is no timer, and who adds an earlier one wakes it. It takes
// timers out by the batch under the lock, and makes threads ready and sends tasks behind it. It
// touches no object that a thread waits for, and runs no code of the program.
//
// A timer lies with its owner, a thread that waits (timed_wait.hpp) or the record of a task. The
// lock says to whom it belongs: the owner while it is not in the heap, nobody while it is. An owner
// that has called remove() knows that the thread is done with the timer.
//
// Not the monitor's thread: that one looks at workers and reads files of /proc at times of its own,
// and a program may switch it off.
//
// finalize() ends the thread and leaves the timers in the heap, like threads that wait for an
// object: they go on when the pool starts anew. The child of a fork has none of its parent's
// timers.

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kasuri/detail/frame.hpp"
#include "platform/base/clock.hpp"
#include "platform/thread/mutex.hpp"
#include "sched/time/timer_heap.hpp"

namespace kasuri::sched {

/// Nanoseconds of std::chrono::steady_clock.
using steady_ns = std::int64_t;

/// The time that never comes.
inline constexpr steady_ns never = INT64_MAX;

inline steady_ns steady_now() noexcept { return platform::steady_nanoseconds(); }

struct timer : heap_links<timer> {
  /// Called by the timers' thread, under the lock, when the time has come and the timer is out of
  /// the heap: the thread or task that goes on now; null: nobody. The timer may be gone behind the
  /// lock.
  using expire_function = detail::frame* (*)(timer& t) noexcept;

  /// What a frame does when its time has come.
  enum class order {
    behind_others,  // it goes on where it can, as anything that was woken
    before_others   // it is to come at its time: before frames that wait already
  };

  timer(steady_ns at, expire_function f, order o = order::behind_others) noexcept
      : when(at), expire(f), comes(o) {}
  timer(const timer&) = delete;
  timer& operator=(const timer&) = delete;

  steady_ns when;
  const expire_function expire;
  const order comes;
  /// Of the process in whose heap it is: see timers::life_; 0 when it is in none.
  std::uint32_t life = 0;
};

class timers {
 public:
  static timers& get() noexcept { return the_only_ones; }

  /// Sees to the thread: before the first add(). False where the system has none to give, which is
  /// said once.
  [[nodiscard]] bool prepare() noexcept { return has_thread() || start(); }

  /// The lock, also around fork().
  void lock() noexcept { lock_.lock(); }
  void unlock() noexcept;

  /// Under the lock.
  void add(timer& t) noexcept;
  /// Under the lock. False: it is not in the heap, because it has expired, was removed, or was the
  /// parent's of this process.
  bool remove(timer& t) noexcept;

  bool has_thread() const noexcept { return has_thread_.load(std::memory_order_relaxed); }
  /// For the watch for deadlocks: nobody is going to be woken by a timer, unless another is added.
  bool at_rest() const noexcept {
    // acquire: pairs with the release in take_due: whom the thread has woken is seen
    return at_rest_.load(std::memory_order_acquire);
  }

  /// The pool starts: timers that its last life has left go on.
  void begin() noexcept;
  /// The pool ends: the thread ends, and none starts until begin().
  void stop() noexcept;
  /// In the child of a fork.
  void forget() noexcept;
  /// Another number in the child of a fork.
  std::uint32_t life() const noexcept { return life_; }

 private:
  static timers the_only_ones;

  // So many are taken out at a time: the lock is free between.
  static constexpr std::size_t most_at_once = 64;

  struct batch;

  bool start() noexcept;
  bool start_thread() noexcept;
  static void* thread_main(void* self) noexcept;
  void run() noexcept;
  void take_due(batch& b) noexcept;

  platform::mutex lock_;  // guards what follows but for the atomics, and all timers in the heap
  timer_heap<timer> heap_;
  std::uint32_t life_ = 1;
  bool stopped_ = false;  // no thread is to start
  bool ends_ = false;     // the thread is to end
  bool sleeps_ = false;   // the thread sleeps, or is about to
  bool call_ = false;     // ... and is woken when the lock is let go
  pthread_t thread_{};
  std::atomic<bool> has_thread_{false};
  std::atomic<bool> at_rest_{true};
  std::atomic<std::uint32_t> calls_{0};  // the thread sleeps on it
};

}  // namespace kasuri::sched
