// SPDX-License-Identifier: Apache-2.0
#pragma once

// A worker: what one OS thread needs while it runs tasks.
//
// The pool owns all workers; an OS thread of the pool keeps one for life, a guest (a foreign thread
// that called in) borrows one while it is inside. It is made of seats, each for one module and with
// what that module says about it (seats/); what several threads use lies below, apart from what is
// the owner's alone.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "context/stack.hpp"
#include "kasuri/detail/self.hpp"
#include "record/stats.hpp"
#include "sched/kernel/handover.hpp"
#include "sched/kernel/mailbox.hpp"
#include "sched/kernel/random.hpp"
#include "sched/kernel/sleep_flag.hpp"
#include "sched/kernel/sole_frame.hpp"
#include "sched/kernel/suspended.hpp"
#include "sched/seats/adws_seat.hpp"
#include "sched/seats/arena_seat.hpp"
#include "sched/seats/cpu_share.hpp"
#include "sched/seats/custom_seat.hpp"
#include "sched/seats/identity_seat.hpp"
#include "sched/seats/loop_seat.hpp"
#include "sched/seats/monitor_seat.hpp"
#include "sched/seats/native_seat.hpp"
#include "sched/seats/place_seat.hpp"
#include "sched/seats/steal_seat.hpp"
#include "sched/seats/task_seat.hpp"
#include "sched/seats/token_seat.hpp"
#include "sched/seats/wake_seat.hpp"
#include "sched/seats/watch_seat.hpp"
#include "sched/seats/work_seat.hpp"
#include "sched/worker/memory_seat.hpp"

namespace kasuri::sched {

class fork_recorder;
class pool;
struct worker;

/// Ends the process: two frames were delivered to one worker alone.
[[noreturn]] void two_frames_for(const worker& w) noexcept;

// The seats in the order in which tasks touch them. With the memory behind the others a thread cost
// 5 ns of 18 more.
struct worker : work_seat,
                memory_seat,
                loop_seat,
                task_seat,
                watch_seat,
                steal_seat,
                adws_seat,
                identity_seat,
                native_seat,
                custom_seat,
                place_seat,
                token_seat {
  worker(pool& p, int i, detail::worker_slot* slots, std::size_t capacity, std::size_t soft);
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  record::worker_stats stats;
  pool* const home;
  const int index;
  worker* older = nullptr;  // the one made before it, for newest_worker

  // ---- shared ---------------------------------------------------------------------------------

  /// Frames sent to it: what asked for this worker, and under ADWS what begins here. Anybody puts;
  /// the owner takes, and thieves as their policy says.
  mailbox box;
  /// How deep the innermost fork that it takes part in lies; of thieves' concern. The owner writes.
  std::atomic<int> fork_depth{0};

  /// Where the owner that it asked puts a frame for it. On a line of its own: it spins on it.
  alignas(64) handover<real_atomics> answer;

  /// The thread that clears it holds a claim (kernel/idle.hpp).
  alignas(64) std::atomic<std::uint32_t> asleep{flag::threadless};
  /// Only this worker may run this: the thread pinned to it, or a frame delivered to
  /// it alone. Set by anybody, taken by the owner.
  sole_frame<real_atomics> returning;
  /// 1 while it stands aside (run/aside.cpp) and its own stack has not come home.
  std::atomic<std::uint32_t> is_aside{0};
  /// Whether it sleeps in looking::nap_outside, where clearing `asleep` does not wake it.
  std::atomic<bool> naps_outside{false};
  /// Counts scheduling points other than the starts of tasks (stats.tasks); the monitor compares
  /// the sum. Written by the owner.
  std::atomic<std::uint64_t> beat{0};
  /// When a thief asked and found frames; for the decision to rescue. Ticks; any thief writes. The
  /// owner may write a time to come: until then thieves leave its private frames alone.
  std::atomic<std::uint64_t> asked_since{0};
  /// The arena whose permit it holds.
  arena_seat arena;
  /// Whether a task runs on it (as far as the scheduler knows).
  std::atomic<bool> busy{false};
  /// Whether an OS thread stands behind it.
  std::atomic<bool> has_thread{false};
  /// The system gave no thread for it. Nobody counts on it until lend_token tries again.
  std::atomic<bool> gone{false};
  /// The kernel's number of that thread, for the monitor.
  std::atomic<int> tid{0};

  /// The processor that its thread shares while it runs besides the configured ones
  /// (roster/cpu_shares.hpp).
  cpu_share share;
  monitor_seat watched;
  wake_seat waking;  // kept where `timing` is set

  bool left_alone(std::uint64_t now) const noexcept {
    return now < asked_since.load(std::memory_order_relaxed);
  }

  /// Accounts for the owner's time from here on, if that is asked for.
  void spends_time_on(record::time_state what) noexcept {
    if (timing) [[unlikely]]
      stats.time.switch_to(what);
  }

  void tick() noexcept {
    beat.store(beat.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  /// `f`, which only the owner may run, is to be run next. Ends the process before a frame is lost.
  void bring(detail::frame* f) noexcept {
    if (!returning.bring(f)) [[unlikely]]
      two_frames_for(*this);
  }

  /// The frame that only the owner may run, or null. For the owner, and the monitor: see
  /// pool::lend_native.
  detail::frame* take_returning() noexcept { return returning.take(); }

  std::uint64_t next_random() noexcept { return xorshift(random); }
};

// The inlined code knows the face only: see current() and worker_of().
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // conditionally supported: both compilers do
static_assert(offsetof(worker, face) == 0);
static_assert(offsetof(worker, answer) % 64 == 0);
static_assert(offsetof(worker, asleep) == offsetof(worker, answer) + 64);
#pragma GCC diagnostic pop

/// All workers of the process, by `older`: for the debugger. Written when a worker is made.
extern constinit std::atomic<worker*> newest_worker;

/// The calling thread's worker or null. Not inlined into code that may be resumed elsewhere.
inline worker* current() noexcept { return reinterpret_cast<worker*>(detail::self()); }

/// The index of the calling thread's worker, or -1: for what invariants say.
inline int index_of_caller() noexcept {
  const worker* const w = current();
  return w == nullptr ? -1 : w->index;
}

/// A value that the compiler cannot have kept from before a call: thread-locals, after a
/// suspension.
template <class T>
[[gnu::always_inline]] inline T* opaque(T* p) noexcept {
  asm volatile("" : "+r"(p));
  return p;
}

/// The worker that a face belongs to.
inline worker& worker_of(detail::worker_face* face) noexcept {
  return *reinterpret_cast<worker*>(face);
}

}  // namespace kasuri::sched
