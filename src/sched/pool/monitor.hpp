// SPDX-License-Identifier: Apache-2.0
#pragma once

// The monitor: a thread that looks every few milliseconds (KASURI_MONITOR) whether a worker is
// stuck while work waits, and lends a token for it, so that a spare thread takes the work over.
//
// Stuck: busy, without a scheduling point since two looks (a worker that runs fork-join code
// passes one at its next push, because the monitor's look leaves a request in its deque), while
// every token is in use, nobody searches and work waits.
//   - A thread that sleeps in the kernel uses no processor: a token is lent for each such worker.
//   - A thread that sleeps for a mutex of the C library may have had it many times since the last
//     look: where tasks contend for one, more threads only make its queue longer. So the monitor
//     lends one token at a time for these, too. But if some looks in a row find the thread in the
//     same sleep, the mutex's owner may wait for a task: the monitor counts the thread as asleep.
//   - A thread that runs may wait in a loop for a task that has not started, or simply compute.
//     Nobody can tell, so one token at a time is lent for those, and the wait for the next one
//     doubles: a program with coarse tasks is oversubscribed by one or two threads at most. Frames
//     that are members of a team may legally wait for each other in loops; once there are such
//     (all_must_start), the wait stays short, and all of them run within some tenths of a second.
// The thread that a token is lent to for a worker that runs shares that worker's processor
// (cpu_share.hpp), so that no more processors are used than workers are configured. The token is
// taken back when the worker passes a scheduling point again.
//
// The monitor sleeps, without waking up at all, while some worker is idle: then nothing waits.

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "kasuri/detail/atomics.hpp"
#include "sched/kernel/idle.hpp"
#include "sched/seats/monitor_seat.hpp"

namespace kasuri::sched {

class pool;
struct worker;

class monitor {
 public:
  static monitor& get() noexcept { return the_only_one; }

  /// The counts of the pool have changed: with all tokens in use the monitor is to watch.
  void tokens_changed(const idle_counts& c) noexcept {
    // Behind the change of the counts; pairs with the fence_heavy in watch.
    detail::real_atomics::fence_light();
    // relaxed: after the fence above
    if (c.active >= c.limit && watching_.load(std::memory_order_relaxed) == 0) [[unlikely]]
      start();
  }

  /// From now on frames may be such that a task spins until another one has started.
  void all_must_start() noexcept {
    if (!must_all_start_.load(std::memory_order_relaxed))
      must_all_start_.store(true, std::memory_order_relaxed);
  }

  /// Something waits that nobody else may notice: a thread for its one worker, which may be running
  /// a task that waits for that thread; or frames that their owner keeps from those who sleep.
  void look_out() noexcept {
    if (!must_all_start_.load(std::memory_order_relaxed)) return;  // relaxed: set for good
    detail::real_atomics::fence_light();  // pairs with the fence_heavy in watch
    // relaxed: after the fence above
    if (watching_.load(std::memory_order_relaxed) == 0) [[unlikely]]
      start();
  }

  /// All spare threads are in use: it is to tell when work waits for one.
  void spares_are_used_up() noexcept {
    if (watching_.load(std::memory_order_relaxed) == 0) start();
  }

  bool has_thread() const noexcept { return has_thread_.load(std::memory_order_relaxed); }

  /// Ends the thread.
  void stop() noexcept;
  /// In the child of a fork the thread is gone.
  void forget_thread() noexcept;
  /// For fork(): keeps others from starting it meanwhile.
  void lock() noexcept;
  void unlock() noexcept;

 private:
  static monitor the_only_one;

  void start() noexcept;
  static void* thread_main(void* self) noexcept;
  void watch() noexcept;
  void look(pool& p) noexcept;
  void check(const pool& p) noexcept;
  static bool somebody_returns(const pool& p) noexcept;
  void look_at(pool& p, worker& w, bool everybody_busy) noexcept;
  static monitor_seat::progress why_stuck(worker& w) noexcept;
  /// Tokens that are lent for workers of one kind, one at a time.
  struct pace {
    int lent = 0;
    int looks_until_next = 0;
  };
  /// Null: of that kind, each worker gets its token at once.
  pace* pace_of(monitor_seat::progress kind) noexcept;
  void lent_for_one_less(const worker& w) noexcept;
  bool may_lend(worker& w) noexcept;
  void note_moves(int running_lent_before) noexcept;
  void note_whether_it_sleeps(pool& p, worker& w) noexcept;
  void settle_shares(pool& p) noexcept;
  void use_free_tokens(pool& p, const idle_counts& c) noexcept;
  static worker* busy_worker(const pool& p) noexcept;
  void lend_to_due(pool& p) noexcept;

  // 0: sleeps, or has no thread; 1: looks at regular times; 2: is to end.
  std::atomic<std::uint32_t> watching_{0};
  std::atomic<bool> has_thread_{false};
  std::atomic<bool> must_all_start_{false};
  pthread_t thread_{};
  pace for_running_;           // workers that run
  pace for_mutex_;             // workers that wait for a mutex and have been woken for it meanwhile
  int looks_since_lent_ = 0;   // since a token was lent for a worker that ran
  int moved_ = 0;              // workers that such tokens were lent for and that move at this look
  bool all_at_once_ = false;   // tasks wait for each other here: see note_moves
  bool returns_wait_ = false;  // a thread waits for its one worker
  bool work_waits_ = false;    // frames wait
  int looks_without_thread_ = 0;  // in a row that found work, a token for it, and no thread
  int looks_with_due_ = 0;        // in a row that found a frame whose time has come
  int lent_for_due_ = 0;          // tokens lent for such
};

}  // namespace kasuri::sched
