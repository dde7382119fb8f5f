// SPDX-License-Identifier: Apache-2.0
#pragma once

// The pool is made of seats, each with what it keeps and says about it: waker (who runs and who
// sleeps), roster (the workers), postbox (frames that are sent), extra_tokens (those beyond the
// configured ones). This file joins them: settings, guests, the policy. How a worker looks for
// work and sleeps is run/looking.hpp.
//
// However many OS threads there are, at most as many run tasks as there are tokens (idle.hpp). A
// worker slot exists for each configured worker and for each spare the settings allow; its OS
// thread starts when it is first woken. Guests borrow worker slots of their own.
//
// Lifetime. The pool starts at the first use and is never destroyed: threads that outlive main, and
// static destructors, may still use it. finalize() ends the OS threads; the next use starts them
// anew. After fork() the child gets a fresh pool at its first use.

#include <atomic>
#include <cstdint>
#include <memory>

#include "platform/base/bounds.hpp"
#include "sched/outside/outside_look.hpp"
#include "sched/roster/cpu_shares.hpp"
#include "sched/pool/extra_tokens.hpp"
#include "sched/pool/policy.hpp"
#include "sched/pool/postbox.hpp"
#include "sched/roster/roster.hpp"
#include "sched/pool/waker.hpp"

namespace kasuri::sched {

// The seats in the order in which searches touch them.
class pool : public waker, public roster, public postbox, public extra_tokens {
 public:
  /// The pool of this process; starts it if need be (life/lifetime.cpp).
  static pool& get();

  /// `thread_main` is what its OS threads run, with the worker as the argument. To be configured
  /// before it is used.
  explicit pool(void* (*thread_main)(void*));

  /// Reads the settings; before the first use and again after finalize.
  void configure(std::unique_ptr<policy> scheduling);

  const policy& scheduling() const noexcept { return *policy_; }
  policy& scheduling() noexcept { return *policy_; }

  // ---- guests (guests.cpp) --------------------------------------------------------------------

  /// Makes the calling OS thread, which is no worker, one. Waits for a token if none is free.
  worker& enter();
  /// Ends that.
  void leave(worker& w) noexcept;

  /// The two in halves, for OS threads that come and go often and keep the worker that they have
  /// borrowed. Where the pool has no free token a guest waits, or brings one if the pool lets it:
  /// then it runs at once, besides the configured workers.
  enum class no_token { waits, brings_one };
  void admit(worker& w, no_token then = no_token::waits);
  /// `quiet`: so many workers are known to hold a token and to queue nothing. When no others are
  /// active nobody can be queueing anything just now, and a sleeper is woken only for what is
  /// visible.
  void dismiss(worker& w, int quiet = -1) noexcept;
  /// All of them: the program's own threads use the processors. A worker woken on the mere chance
  /// of finding work would take one from them; the monitor wakes it when work waits.
  static constexpr int all_are_quiet = platform::most_slots;

  /// Threads to which a stack has to come back keep to their own from here on (run/aside.cpp),
  /// until as many calls say `no`; in the child of a fork too.
  static void all_keep_to_own(bool yes) noexcept {
    // relaxed: a library connects before it sends its first job, and the inbox orders the two
    keep_to_own_.fetch_add(yes ? 1 : -1, std::memory_order_relaxed);
  }
  /// Whether `w`, the caller's, does now.
  bool keeps_to_own(const worker& w) const noexcept {
    // relaxed: see all_keep_to_own
    return keep_to_own_.load(std::memory_order_relaxed) != 0 && w.is_home && orphan_ == nullptr;
  }
  /// `w`, the caller's, gives its token up and counts as nobody, neither active nor asleep. Whether
  /// it had brought that token.
  [[nodiscard]] bool give_token_up(worker& w) noexcept;
  /// It takes a token again; where it had brought one, it brings one again.
  void come_back(worker& w, bool brings_one);

  // ---- what a worker asks ---------------------------------------------------------------------

  /// Whether some frame waits anywhere; and whether thieves may have one, now or when they ask
  /// (sources.cpp).
  bool work_visible() const noexcept;
  bool work_offered(const worker* who = nullptr) const noexcept;
  /// ... what does not lie at `who`, the caller's worker.
  bool offered_by_others(const worker& who) const noexcept;
  /// Whether work waits that a lent token would start: frames, or guests.
  bool work_waits() const noexcept { return work_visible() || counts().waiting != 0; }

  /// Whether the calling worker should make room: at once when there are more threads than tokens;
  /// for guests that wait when it has kept them waiting for a while, because each hand-over costs
  /// two switches of OS threads, more than most regions take.
  bool must_step_aside(worker& w) const noexcept {
    if (idle_word().crowded()) [[unlikely]]
      return makes_room(w);
    w.others_wait_since_ = 0;
    return false;
  }
  /// ... at its next scheduling point.
  bool crowded(worker& w) const noexcept { return must_step_aside(w) || !w.returning.empty(); }

  /// Ticks.
  struct durations {
    std::uint64_t spin = 0;      // for which an idle worker looks before it sleeps
    std::uint64_t slice = 0;     // for which a worker lets guests wait
    std::uint64_t patience = 0;  // for which an idle worker leaves what was sent to others to them
  };
  const durations& ticks() const noexcept { return ticks_; }

  // ---- its other parts ------------------------------------------------------------------------

  /// Work that comes from outside of the process.
  outside_look& outside_work() noexcept { return outside_; }
  const outside_look& outside_work() const noexcept { return outside_; }

  /// How the threads that lent tokens bring share the processors of the workers that they are lent
  /// for.
  cpu_shares& shares() noexcept { return shares_; }

  /// For the monitor, about a worker that runs a task which does not move: a thread that must go on
  /// there goes on anywhere, with the thread-locals of that worker's OS thread. False: there is
  /// none, or the worker needs them itself. worker/identity.cpp has the protocol.
  bool lend_native(worker& w) noexcept;

  // ---- its end --------------------------------------------------------------------------------

  /// The OS threads of the workers are to end when they find no work; and the pool may start anew.
  void begin_stop() noexcept;
  void end_stop() noexcept { stopping_.store(false, std::memory_order_relaxed); }
  bool stopping() const noexcept {
    // relaxed: after the fence in prepare_sleep() of sched/kernel/idle.hpp, step_aside() of
    // sched/run/sleep.cpp
    return stopping_.load(std::memory_order_relaxed);
  }

  /// For fork(): locks everything that the child may need, resp. unlocks; but for the mailboxes,
  /// which are many: those are mended in the child.
  void lock_all();
  void unlock_all();
  /// In the child, whose one thread is that of `w`: run/orphan.cpp.
  void leave_alone(worker& w) noexcept;
  /// ... that one; or null.
  worker* orphan() const noexcept { return orphan_; }

 private:
  void wait_for_token(worker& w) noexcept;
  /// A thread has left its token: one that sleeps, or waits for a token, gets it if there is
  /// anything for it to do. `claimed`: what idle::leave said.
  void token_is_free(bool claimed) noexcept;
  /// must_step_aside, where there are too many threads or guests wait.
  bool makes_room(worker& w) const noexcept;

  static constinit inline std::atomic<int> keep_to_own_{0};

  std::unique_ptr<policy> policy_;
  durations ticks_;
  std::atomic<bool> stopping_{false};
  worker* orphan_ = nullptr;
  // Apart from what every search reads: with work from outside, each searcher writes it.
  alignas(64) outside_look outside_;
  cpu_shares shares_;
};

/// Whether the pool was started and not finalized since (life/lifetime.cpp).
bool pool_runs() noexcept;

}  // namespace kasuri::sched
