// SPDX-License-Identifier: Apache-2.0
#pragma once

// Calls that block in the system, on OS threads that are no workers.
//
//   the task, on a worker      begins: a blocking thread is taken from those at rest, or started;
//                              the task leaves the worker as any that is suspended
//   the blocking thread        goes over to the task's stack and calls what blocks: to Kasuri it is
//                              a thread outside the pool
//   the task, on that thread   ends: leaves for that thread's own stack, which makes it ready for a
//                              worker
//
// So a blocked task takes neither a worker nor a token, and there may be as many as the system has
// threads for.
//
// Not for all: a stack whose thread-locals are in use (a guest's own, an OpenMP member's) stays on
// its OS thread, and a spare one stands in for it: pool::blocking_begin. So does everything where
// no thread can be had.

#include <atomic>
#include <cstdint>
#include <optional>

#include "context/context.hpp"
#include "context/stack.hpp"
#include "platform/cpu/affinity.hpp"
#include "platform/thread/mutex.hpp"
#include "sched/kernel/suspended.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/thread_counts.hpp"
#include "sched/worker/state_of_task.hpp"

namespace kasuri::sched {

class blocking_thread {
 public:
  /// The task that runs on `w`, the calling thread's worker, goes on on this thread: returns there.
  void go_on_here(worker& w) noexcept;
  /// ... and back: returns on some worker.
  void go_back() noexcept;

 private:
  friend class blocking_threads;

  enum : std::uint32_t { at_rest, called, ends };

  static void* thread_main(void* self) noexcept;
  static bool call(void* self, suspended* s) noexcept;
  static void note_home(void* self, context::saved from) noexcept;
  void serve() noexcept;
  void visit() noexcept;
  void wear_task() noexcept;
  void take_off_task(state_of_task& kept) noexcept;
  void leave_task(void (*after)(void*, context::saved), void* arg) noexcept;

  std::atomic<std::uint32_t> state_{at_rest};
  suspended* visitor_ = nullptr;       // it goes on with this one
  std::uint64_t task_ = 0;             // the same as the record knows it
  context::stack* stack_ = nullptr;    // ... on which it stands
  std::optional<state_of_task> kept_;  // a worker puts this back
  int place_ = -1;
  detail::arena_state* arena_ = nullptr;
  context::stack native_;            // its own
  context::saved home_ = nullptr;    // where it stands there meanwhile
  blocking_thread* next_ = nullptr;  // in the list of those at rest
};

class blocking_threads {
 public:
  static blocking_threads& get() noexcept { return the_only_ones; }

  /// One for a call; null when there are as many as KASURI_MAX_BLOCKING says, or the system has no
  /// thread.
  blocking_thread* take() noexcept;

  /// For the thread that starts the pool: where new ones may run.
  void note_cpus() noexcept;
  /// From here on those that come to rest end; returns when all have. Calls that block now end
  /// first.
  void stop() noexcept;
  bool any() const noexcept { return thread_counts.for_calls.load(std::memory_order_relaxed) != 0; }
  /// They may rest again.
  void stopped() noexcept { stopping_.store(false, std::memory_order_relaxed); }

  /// Around fork().
  void lock() noexcept { lock_.lock(); }
  void unlock() noexcept { lock_.unlock(); }
  void forget_threads() noexcept;

 private:
  friend class blocking_thread;
  static blocking_threads the_only_ones;

  // After a burst of calls the rest ends.
  static constexpr int most_at_rest = 64;

  blocking_thread* start() noexcept;
  void check() const noexcept;
  static void say_limit(int others) noexcept;
  bool rest(blocking_thread& t) noexcept;
  void ended() noexcept;

  platform::mutex lock_;  // guards first_ and changes of thread_counts.for_calls_at_rest
  blocking_thread* first_ = nullptr;
  std::atomic<std::uint32_t> ends_{0};  // counts those that have ended, for stop
  std::atomic<bool> stopping_{false};
  platform::cpu_mask usual_;
};

}  // namespace kasuri::sched
