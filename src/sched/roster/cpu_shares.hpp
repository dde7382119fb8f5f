// SPDX-License-Identifier: Apache-2.0
#pragma once

// Threads that run besides the configured workers because the monitor has lent tokens for workers
// that compute: each shares the processor of such a worker, so that no more processors are used
// than workers are configured.
//
//   the monitor    asks for a sharer before it lends the token; gives the sharers their usual CPUs
//                  back when no more threads run than configured; moves a sharer when the worker's
//                  thread has moved
//   a thread       that has just been given a token, after a sleep or as a guest, becomes the
//                  sharer that was asked for; it ends that itself before it sleeps again or leaves
//                  the pool
//
// Any thread may get the token that was lent, and any may sleep when it is taken back: where a
// thread that shares nothing goes to sleep, the monitor lets a sharer stand in its place, so that
// there are as many sharers as running threads above the configured ones. A thread that a task
// starts on a sharer inherits its one CPU; it gets the usual ones when the sharing ends. Where
// another thread ends it, the sharer may stand in the call that starts a thread: the new one has
// the mask already, and is in no list yet. So the sharer looks again, when it stands in no task.
//
//   alone --begin--> with worker n --end by itself--> alone
//                                  --end by another--> left_behind --end by itself--> alone
//
// A worker with which others share is held where it is, too: else the kernel would move it to an
// idle CPU, and its sharers behind it, again and again. Two such workers are held on different
// CPUs.
//
//   alone --monitor--> held --by itself, or when nobody shares any more--> as above

#include <atomic>

#include "platform/thread/mutex.hpp"

namespace kasuri::sched {

class roster;
struct worker;

class cpu_shares {
 public:
  explicit cpu_shares(const roster& all) noexcept : all_(all) {}

  /// The next thread to be given a token shares the processor of `computing`. By the monitor.
  void ask_for(const worker& computing) noexcept;
  /// Nobody has taken up the last request, and nobody needs to. By the monitor.
  void take_back_request() noexcept { asked_for_.store(-1, std::memory_order_relaxed); }

  /// `computing` slept when a token was lent for it: a spare that runs shares its processor now. By
  /// the monitor.
  void begin_for(const worker& computing) noexcept;
  /// The other way round: `asleep` needs no processor any more. By the monitor.
  void end_for(const worker& asleep) noexcept;

  /// For the calling thread, which has just been given a token as worker `w`.
  void begin_if_asked(worker& w) noexcept {
    if (asked_for_.load(std::memory_order_relaxed) >= 0) [[unlikely]]
      begin(w);
  }
  /// For the calling thread, which is about to give its token up, or has.
  void end(worker& w) noexcept;

  /// In the child of a fork, whose one thread is that of `w`.
  void leave_in_child(worker& w) noexcept;
  /// For fork().
  void lock() noexcept { lock_.lock(); }
  void unlock() noexcept { lock_.unlock(); }

  /// Ends sharing until no more than `most` threads share: that many run besides the configured
  /// ones. By the monitor, or where no thread of the pool is left.
  void keep(int most) noexcept;
  /// Sharers run where the workers are now whose processors they share; where that worker sleeps,
  /// or has become a sharer, with another one. By the monitor.
  void follow() noexcept;

  bool any() const noexcept { return confined_.load(std::memory_order_relaxed) != 0; }

 private:
  void check() const noexcept;
  void begin(worker& w) noexcept;
  void share_with(worker& w, const worker& other) noexcept;
  bool confine_to(worker& w, int cpu) noexcept;
  void hold_in_place(worker& w) noexcept;
  enum class ended_by { itself, another };
  void stop(worker& w, ended_by who) noexcept;

  const roster& all_;
  std::atomic<int> asked_for_{-1};  // index of a worker
  std::atomic<int> confined_{0};    // sharers and those they share with; changed under the lock
  int sharers_ = 0;                 // under the lock
  platform::mutex lock_;
};

}  // namespace kasuri::sched
