// SPDX-License-Identifier: Apache-2.0
#pragma once

// A worker: what one OS thread needs while it runs tasks.
//
// The pool owns all workers; an OS thread of the pool keeps one for life, a guest (a foreign thread
// that called in) borrows one while it is inside. Fields are the owner's alone unless they say
// otherwise.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/context.hpp"
#include "context/identity.hpp"
#include "context/stack.hpp"
#include "kasuri/detail/self.hpp"
#include "platform/race_detector.hpp"
#include "record/stats.hpp"
#include "record/worker_log.hpp"
#include "sched/kernel/deque.hpp"
#include "sched/kernel/handover.hpp"
#include "sched/kernel/mailbox.hpp"
#include "sched/kernel/random.hpp"
#include "sched/kernel/ready_ring.hpp"
#include "sched/kernel/sleep_flag.hpp"
#include "sched/kernel/sole_frame.hpp"
#include "sched/kernel/suspended.hpp"
#include "sched/rules/extent.hpp"
#include "sched/worker/block_cache.hpp"
#include "sched/worker/cpu_share.hpp"

namespace kasuri::sched {

using detail::real_atomics;

class pool;
struct worker;

/// Ends the process: two frames were delivered to one worker alone.
[[noreturn]] void two_frames_for(const worker& w) noexcept;

/// What the C++ ABI keeps per thread: the exceptions being handled and the number in flight.
struct exception_state {
  void* caught;
  unsigned int uncaught;
};

/// When publishing the only task is not worth it. A thief that takes the single task of an owner
/// who comes back for it at once costs both more than the task; so after such a steal the owner
/// leaves more and more requests for its only task unanswered, until one pays again.
struct shyness {
  detail::worker_slot* slot = nullptr;  // where the last single task was published
  std::uint64_t when = 0;               // ticks
  std::uint32_t level = 0;
  std::uint32_t decline = 0;  // requests to leave unanswered
};

/// Who is answered when it asks a worker for its frames: one that knows them to be short keeps them from
/// those who sleep, or from all, until the monitor or a rescuing thief finds that it was wrong.
enum class offer : std::uint8_t { nobody, awake, everybody };

struct worker {
  worker(pool& p, int i, detail::worker_slot* slots, std::size_t capacity, std::size_t soft);
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // The inlined code knows a worker by the address of its face.
  detail::worker_face face;
  deque<real_atomics> queue;
  ready_ring<real_atomics> ready;

  context::stack_cache stacks;
  block_cache blocks;
  shyness shy;
  std::uint64_t random;
  std::uint32_t patience = 0;  // turns of the loop before its own stack's thread, though ready
  std::uint32_t fruitless = 0;  // rounds of the program's steal function that took nothing
  std::uint32_t passed_over = 0;  // ... though there was something to take
  std::uint32_t turns = 0;  // of the loop, for fairness between deque and ring
  offer offers = offer::everybody;
  std::uint64_t others_wait_since = 0;  // since when it has seen guests wait for a token, ticks; or 0
  bool just_started = false;  // its thread was started by a claim, and so counts as searching

  // The C++ runtime's exception state and errno of this OS thread, which travel with the task.
  exception_state* exceptions = nullptr;
  int* error = nullptr;

  // The front end's own record of the task that runs, which travels with it; and the thread-locals
  // that the task wears instead of the OS thread's.
  void* client = nullptr;
  /// What the task that runs owns of the line of workers, if that is more than this one: extent.hpp.
  extent* range = nullptr;
  extent* next_range = nullptr;  // of the frame that was just found
  span_fork* fork = nullptr;     // the innermost that it takes part in, or took part in last
  std::uint64_t forbearance = ~std::uint64_t{0};  // ticks: see adws.cpp
  shares next_shares;            // of the fork about to be pushed
  context::identity* wears = nullptr;
  context::identity native;           // the OS thread's
  context::identity* own = &native;   // what it has when it wears none: see lend_native
  bool forwent_rseq = false;
  bool brought_token = false;      // of a guest: see pool::no_token
  int slot = -1;                   // slot.hpp
  std::uint64_t left_at_fork = 0;  // in the child of a fork: see orphan.cpp
  int bound_to = -1;  // where the front end bound its OS thread, in its own terms
  context::identity_stock identities;  // the front end's

  context::stack native_stack;           // the OS thread's own
  platform::stack_bounds native_bounds;  // known only under a sanitizer
  context::saved native_context = nullptr;  // of a pool thread, to end on

  record::worker_log* log = nullptr;
  record::worker_stats stats;
  bool timing = false;    // keep stats.time
  bool observed = false;  // timing, or there is a log

  pool* const home;
  const int index;
  int cell = -1;          // its position on the line of workers (pool::line), or -1
  worker* older = nullptr;  // the one made before it, for newest_worker
  std::vector<std::vector<int>> victims;  // indices by machine level, nearest first
  std::vector<std::uint8_t> levels;       // the level of each of these by index
  std::size_t levels_of_node = 0;         // so many levels of victims lie on its NUMA node

  std::uint64_t asked_at = 0;  // when it asked for an answer, ticks
  std::uint32_t looks_at_answer = 0;
  bool victim_has_work = false;  // the one whose answer it awaits

  int node = 0;                           // of its place in the machine; of a guest, where it entered
  extent root;                            // of a guest under ADWS

  // ---- shared ---------------------------------------------------------------------------------

  /// Frames sent to it: what asked for this worker, and under ADWS what begins here. Anybody puts; the
  /// owner takes, and thieves as their policy says.
  mailbox box;
  /// How deep the innermost fork that it takes part in lies; of thieves' concern. The owner writes.
  std::atomic<int> fork_depth{0};

  /// Where the owner that it asked puts a frame for it. On a line of its own: it spins on it.
  alignas(64) handover<real_atomics> answer;

  /// Who clears it holds a claim (idle.hpp).
  alignas(64) std::atomic<std::uint32_t> asleep{flag::threadless};
  /// What only this worker may run, when it may run: the thread pinned to it, or a frame delivered to
  /// it alone. Set by anybody, taken by the owner.
  sole_frame<real_atomics> returning;
  /// Whether it sleeps in pool::nap_outside, where clearing `asleep` does not wake it.
  std::atomic<bool> naps_outside{false};
  /// Counts scheduling points other than the starts of tasks (stats.tasks); the monitor compares
  /// the sum. Written by the owner.
  std::atomic<std::uint64_t> beat{0};
  /// When a thief asked and found frames; for the decision to rescue. Ticks; any thief writes. The owner
  /// may write a time to come: until then thieves leave its private frames alone.
  std::atomic<std::uint64_t> asked_since{0};
  bool left_alone(std::uint64_t now) const noexcept {
    return now < asked_since.load(std::memory_order_relaxed);
  }
  /// What it waits for a token for; written under the pool's waiting_lock_ but for the reset.
  enum class wish : std::uint32_t { none, enter, go_home };
  std::atomic<wish> wants_token{wish::none};
  /// Of a guest that waits to enter: 1 when it has a token.
  std::atomic<std::uint32_t> granted{0};
  /// Whether a task runs on it (as far as the scheduler knows).
  std::atomic<bool> busy{false};
  /// Whether an OS thread stands behind it.
  std::atomic<bool> has_thread{false};
  /// The system gave no thread for it. Nobody counts on it until lend_token tries again.
  std::atomic<bool> gone{false};
  /// The kernel's number of that thread, for the monitor.
  std::atomic<int> tid{0};

  /// Whether the task that runs wears an identity, so that the native thread-locals are not in use.
  std::atomic<bool> dressed{false};
  /// Whether the native thread-locals are another worker's to use (wear.cpp).
  enum class loan : std::uint32_t { none, asked, lent };
  std::atomic<loan> native_loan{loan::none};
  /// What it has meanwhile. The monitor's until the loan.
  context::identity* understudy = nullptr;

  /// Whose processor its thread shares while it runs besides the configured ones (cpu_share.hpp).
  cpu_share share;

  // The monitor's notes on this worker.
  enum class progress { moves, sleeps, runs };
  progress stuck = progress::moves;  // why a token was lent for it, if one was
  std::uint64_t last_beat = 0;
  int still = 0;  // looks without a beat
  unsigned looks_since_lent = 0;  // since a token was lent for it

  /// Accounts for the owner's time from here on, if that is asked for.
  void spends_time_on(record::time_state what) noexcept {
    if (timing) [[unlikely]] stats.time.switch_to(what);
  }

  /// The level of the machine tree, 0 the nearest, at which it meets worker `other`. Workers without
  /// a place of their own (guests, spares) are far from all.
  unsigned level_of(int other) const noexcept {
    const auto i = static_cast<std::size_t>(other);
    return i < levels.size() ? levels[i] : static_cast<unsigned>(victims.size());
  }

  void tick() noexcept {
    beat.store(beat.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  /// `f`, which only the owner may run, is to be run next. Ends the process before a frame is lost.
  void bring(detail::frame* f) noexcept {
    if (!returning.bring(f)) [[unlikely]] two_frames_for(*this);
  }

  /// What only the owner may run, if there is something. The owner, or the monitor: see lend_native.
  detail::frame* take_returning() noexcept { return returning.take(); }

  std::uint64_t next_random() noexcept { return xorshift(random); }
};

// The inlined code knows the face only: see current() and worker_of().
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // conditionally supported: both compilers do
static_assert(offsetof(worker, face) == 0);
#pragma GCC diagnostic pop

/// All workers of the process, by `older`: for the debugger. Written when a worker is made.
extern constinit std::atomic<worker*> newest_worker;

/// The calling thread's worker or null. Not inlined into code that may be resumed elsewhere.
inline worker* current() noexcept { return reinterpret_cast<worker*>(detail::self()); }

/// A value that the compiler cannot have kept from before a call: thread-locals, after a suspension.
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
