// SPDX-License-Identifier: Apache-2.0
// Where a worker's time went.
//
// The split follows Taura and Nakajima, "A Comparative Study of Six Task Parallel Programming
// Systems", section 3: a greedy scheduler takes T1/P + Tinf, and a real one takes longer because
// workers idle though tasks are ready, because the runtime's own operations cost time, or because
// the work itself stretches. Per worker, every tick belongs to one of
//
//   work        a task's code runs: from the moment the loop calls or resumes it until it returns
//               or suspends. Spawns and joins that go through without meeting a thief are a few
//               instructions of that code and count here, as does work stretch: both show as the
//               sum of work over all workers against a run on one.
//   overhead    the runtime acts for a task: between finding a task and starting it, a join or a
//               lock on its slow path, suspending and resuming.
//   idle_ready  no task runs here though one was ready elsewhere ("non-inherent idle").
//   idle_empty  no task runs here and none was ready ("inherent idle": the program's Tinf).
//   blocked     a task of this worker waits in blocking(f); its processor is lent to another.
//   waiting     a task waits awake for others: an OpenMP barrier, lock or dock (wait_reason.hpp).
//               Suspended tasks have left the worker, which is idle then or runs others.
//   off_core    of what would be work, overhead or waiting: the kernel did not let the thread run,
//               because others had the core or the task had called it and slept.
//
// All but the last are taken from the wall clock. The last is known from the thread's processor
// time, which costs a system call to read: so it is read at the end of an interval when
// `between_samples_us` have passed since the last time. An absence that was longer than that is
// then counted in the interval in which it was; a shorter one is not seen.
//
// Idle time is told apart by looking. An idle worker reports each round over its victims: found
// frames (took one, lost the race, or the owner refused), or none anywhere. The time since its last
// report goes to idle_ready or idle_empty accordingly: what it found had been waiting, at worst all
// that while. A sleeping worker looked, with nothing there, just before, and a push wakes it: so
// sleep is idle_empty, and the way from the wake-up to the next report counts as above. The error
// is at most one round, or the wake-up itself, per spell of idling.
//
// Protocol: one writer; version_ is odd while it writes; a reader that saw it odd or changed reads
// again. The running interval is included in what a reader gets.
#pragma once

#include <array>    // for array
#include <atomic>   // for atomic
#include <cstdint>  // for uint64_t

#include "record/wait_reason.hpp"

namespace kasuri::record {

/// The state of a worker. Its time while detached (no worker of any pool) is not counted.
enum class time_state : std::uint8_t { detached, work, overhead, idle, blocked, waiting };

/// Ticks per share.
struct time_split {
  std::uint64_t work = 0;
  std::uint64_t overhead = 0;
  std::uint64_t idle_ready = 0;
  std::uint64_t idle_empty = 0;
  std::uint64_t blocked = 0;
  std::uint64_t waiting = 0;
  std::uint64_t off_core = 0;
  std::uint64_t processor =
      0;  // processor time of its threads while they were the worker; no part of the total

  std::uint64_t total() const noexcept {
    return work + overhead + idle_ready + idle_empty + blocked + waiting + off_core;
  }
  time_split& operator+=(const time_split& other) noexcept;
};

class time_account {
 public:
  /// Writer: what comes from now on is `next`. Leaving idle for anything but detached counts as
  /// having found a task. Returns the moment of the switch in ticks.
  std::uint64_t switch_to(time_state next) noexcept;

  /// Writer, while idle: a round over the victims ended; did it see a ready frame anywhere? Also to
  /// be called with false right after sleeping.
  void looked(bool saw_ready) noexcept;

  /// Writer, in the state `work`: nothing came of it since the last switch; it was still waiting,
  /// and is.
  void waited_on() noexcept;

  /// Writer: the state `waiting` begins, or goes on, for this.
  void wait_for(wait_reason why) noexcept {
    waits_for_.store(static_cast<std::uint8_t>(why), std::memory_order_relaxed);
  }
  /// Anyone: what it was told last.
  wait_reason waits_for() const noexcept {
    return static_cast<wait_reason>(waits_for_.load(std::memory_order_relaxed));
  }

  /// Writer: what it does now.
  time_state state() const noexcept {
    return static_cast<time_state>(state_.load(std::memory_order_relaxed));
  }

  /// Anyone: the sums until now, the interval that is running included (an idle one as idle_empty).
  time_split read() const noexcept;

 private:
  // The states of time_state, with two kinds of idle, and two that are read off the processor's
  // clock.
  enum share : std::uint8_t {
    uncounted,
    work,
    overhead,
    idle_ready,
    idle_empty,
    blocked,
    waiting,
    off_core,
    processor,
    shares
  };

  static constexpr double between_samples_us = 200;
  static constexpr double least_away_us = 50;  // less is the time between two clocks' readings

  static share share_of(time_state state, bool saw_ready) noexcept;
  static bool runs(share of) noexcept { return of == work || of == overhead || of == waiting; }
  std::uint64_t settle(share to, time_state next) noexcept;
  void add(share to, std::uint64_t ticks) noexcept;
  std::uint64_t sample(share ended, std::uint64_t interval, std::uint64_t now) noexcept;
  bool sample_is_due(share ended, time_state next, std::uint64_t now) noexcept;
  void leave(share ended, std::uint64_t now) noexcept;
  bool comes_back(std::uint64_t now) noexcept;
  bool try_read(std::array<std::uint64_t, shares>& sums) const noexcept;

  std::atomic<std::uint32_t> version_{0};
  std::atomic<std::uint8_t> state_{static_cast<std::uint8_t>(time_state::detached)};
  std::atomic<std::uint8_t> waits_for_{0};
  std::atomic<std::uint64_t> since_{0};
  std::array<std::atomic<std::uint64_t>, shares> sums_{};
  // The processor's clock when it was last read, in nanoseconds, and whose it is.
  std::atomic<std::uint64_t> processor_at_sample_{0};
  std::atomic<int> thread_{0};
  // The writer's: when that was, and how long it has not had to run since.
  std::uint64_t sampled_at_ = 0;
  std::uint64_t rested_ = 0;
  // A thread that leaves and comes back within a short time, as in short regions of OpenMP, does
  // not pay for two looks at the processor's clock: who left without one, when, for how long it
  // has been elsewhere since the last look, and the processor time that it is taken to have used.
  const void* left_ = nullptr;
  std::uint64_t left_at_ = 0;
  std::uint64_t elsewhere_ = 0;
  std::uint64_t estimated_ = 0;
};

}  // namespace kasuri::record
