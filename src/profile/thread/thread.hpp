// SPDX-License-Identifier: Apache-2.0
// What an OS thread of the program writes while a profile is recorded. Its own thread writes, the
// watcher reads. A thread gets it at its first hook, and it stays when the thread ends: its sums
// are part of the profile.
#pragma once

#include <array>    // for array
#include <atomic>   // for atomic
#include <cstdint>  // for uint64_t
#include <ctime>    // for timer_t

#include "profile/base/sites.hpp"
#include "profile/thread/ran_clock.hpp"
#include "profile/thread/samples.hpp"
#include "profile/thread/spans.hpp"
#include "record/counter.hpp"
#include "record/time_account.hpp"

namespace kasuri::profile {

class thread {
 public:
  /// Time of the code of a place, by whichever thread ran it.
  void add_work(site_id where, std::uint64_t ticks) noexcept { work_[where].add(ticks); }
  std::uint64_t work_at(site_id where) const noexcept { return work_[where].get(); }

  /// The code of that place runs here from now on; samples are booked to it.
  void runs(site_id where) noexcept { site_.store(where, std::memory_order_relaxed); }
  site_id site() const noexcept { return site_.load(std::memory_order_relaxed); }

  /// The account and the number of the worker that the thread is; null: it is none. The owner's
  /// thread.
  void is_worker(const record::time_account* account, int index = -1) noexcept {
    worker_.store(index, std::memory_order_relaxed);
    // release: pairs with the acquire in state()
    account_.store(account, std::memory_order_release);
  }
  /// What its worker does; `detached`: it is none.
  record::time_state state() const noexcept;
  /// For what it waits awake, in the state `waiting`.
  record::wait_reason waits_for() const noexcept;
  /// The number of its worker, or of the one that it was last; -1: none.
  int worker() const noexcept { return worker_.load(std::memory_order_relaxed); }

  /// Its code outside of regions and tasks. The owner.
  outer_strand& outside() noexcept { return outside_; }

  /// As pthread_self says.
  unsigned long self() const noexcept { return self_.load(std::memory_order_relaxed); }
  /// For its own intervals. The owner.
  ran_clock& clock() noexcept { return clock_; }

  int number() const noexcept { return tid_.load(std::memory_order_relaxed); }
  bool ended() const noexcept { return ended_.load(std::memory_order_relaxed); }
  sample_table& samples() noexcept { return samples_; }

  // ---- for the registry of threads (thread.cpp) and the watcher ---------------------------------
  thread* next = nullptr;                 // the one made before it
  std::uint64_t processor_at_sample = 0;  // the owner's, in ns
  std::uint64_t processor_at_python = 0;  // of who looks for lines of Python, in ns
  std::uint64_t processor_at_look = 0;    // the watcher's, in ns
  std::uint64_t looked_at = 0;            // ... and when, in ticks
  bool rests = false;                     // ... and whether it slept in the kernel
  timer_t timer{};                        // of the samples
  bool has_timer = false;

  void start(int tid, unsigned long self, std::uint64_t now) noexcept {
    self_.store(self, std::memory_order_relaxed);
    tid_.store(tid, std::memory_order_relaxed);
    outside_.begin(now);
  }
  void end() noexcept { ended_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<int> tid_{0};
  std::atomic<unsigned long> self_{0};
  std::atomic<bool> ended_{false};
  std::atomic<site_id> site_{0};
  std::atomic<const record::time_account*> account_{nullptr};
  std::atomic<int> worker_{-1};
  outer_strand outside_;
  ran_clock clock_;
  sample_table samples_;
  std::array<record::counter, most_sites> work_;
};

/// The calling thread's; made at the first call. Ends the recording, not the program, without
/// memory for it: all such threads then share one that nobody reads.
thread& here() noexcept;
/// ... or null, also in signal handlers.
thread* known_here() noexcept;

/// The calling OS thread is to have the thread-locals that lie at that thread pointer: its record
/// is known there from then on. Before they are changed.
void carry_to(std::uintptr_t thread_pointer) noexcept;

/// In the child of a fork: there is only the calling thread, and it has none yet.
void forget_threads() noexcept;

/// The one made last; they are linked by `next`.
thread* newest_thread() noexcept;

/// Calls f(thread&) for all that there have been.
template <class F>
void each_thread(F f) {
  for (thread* t = newest_thread(); t != nullptr; t = t->next) f(*t);
}

}  // namespace kasuri::profile
