// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tells a deadlock: all tasks wait, and nobody is left who could let one go on.
//
// Whether it is one is counted; no clock decides it, the seconds of KASURI_DEADLOCK only delay the
// look:
//   - every OS thread of the pool sleeps, no frame is queued or on its way to its one worker, no
//     work comes from other processes, no timer is set, and at least one task or thread waits for
//     an object;
//   - the process has no other threads: what the system counts is those of the pool and those that
//     are no workers and wait for an object of Kasuri. With another one about, which may wake a
//     task whenever it likes, nothing is said.
// All of it twice, with the system's count between, and nothing may have moved meanwhile. A thread
// that ended between had its last effect before the second look.
//
// The thread that fell asleep last looks, a worker or a thread outside: it sleeps for these seconds
// only, and then for good unless another thread is about. So an idle pool does not wake up for
// this.

#include <atomic>
#include <cstdint>

namespace kasuri::sched {

class outsider;
class pool;

class deadlock_watch {
 public:
  /// In the child of a fork the others are gone.
  void forget_threads() noexcept;

  /// The result of a look.
  enum class finding {
    nobody_waits,  // or a thread runs, and falls asleep again
    others_live,   // one of them may wake somebody
    told           // a deadlock, and the line about it is written
  };

  /// For the thread that sleeps last: whether the caller is to look after some seconds. If so it is
  /// the only one, until look().
  bool begin() noexcept;
  finding look() noexcept;
  void give_up() noexcept { watching_.store(false, std::memory_order_relaxed); }

 private:
  std::atomic<bool> watching_{false};
};

extern constinit deadlock_watch deadlock;

/// Sleeps until `word` no longer holds `value`; an acquire. The thread that sleeps last watches for
/// deadlocks. `self`: the caller's record where it is no worker, for the list; else null.
void sleep_and_watch(std::uint32_t& word, std::uint32_t value, outsider* self = nullptr) noexcept;
void sleep_and_watch(std::atomic<std::uint32_t>& word, std::uint32_t value) noexcept;

}  // namespace kasuri::sched
