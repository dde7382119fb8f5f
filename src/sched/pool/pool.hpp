// SPDX-License-Identifier: Apache-2.0
#pragma once

// The pool: workers, tokens, mail, waking, guests. pool.cpp has the roster of workers, mail.cpp the
// inbox and the mailboxes, wake.cpp and tokens.cpp what their names say. How a worker looks for
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
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "platform/bounds.hpp"
#include "platform/mutex.hpp"
#include "sched/kernel/idle.hpp"
#include "sched/kernel/mailbox.hpp"
#include "sched/outside/outside_look.hpp"
#include "sched/pool/cpu_shares.hpp"
#include "sched/pool/os_threads.hpp"
#include "sched/pool/policy.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

class pool {
 public:
  /// The pool of this process; starts it if need be (run/lifetime.cpp).
  static pool& get();

  /// `thread_main` is what its OS threads run, with the worker as the argument. To be configured
  /// before it is used.
  explicit pool(void* (*thread_main)(void*));

  /// Reads the settings; before the first use and again after finalize.
  void configure(std::unique_ptr<policy> scheduling);

  /// Workers that the settings ask for: tokens without the extra ones.
  int configured() const noexcept { return configured_; }

  /// Worker slots that exist, for policies and reports: indices are below this.
  int workers() const noexcept {
    // acquire: pairs with the release in add_worker
    return count_.load(std::memory_order_acquire);
  }
  worker* at(int i) const noexcept {
    // acquire: pairs with the release in add_worker
    return slots_[static_cast<std::size_t>(i)].load(std::memory_order_acquire);
  }
  /// The index of the configured worker at a position of the machine tree's order.
  int on_line(int cell) const noexcept { return line_[static_cast<std::size_t>(cell)]; }
  /// ... where another stands for the first.
  int on_line(int cell, int first) const noexcept { return cell == 0 ? first : on_line(cell); }

  // ---- guests ---------------------------------------------------------------------------------

  /// Makes the calling OS thread, which is no worker, one. Waits for a token if none is free.
  worker& enter();
  /// Ends that.
  void leave(worker& w) noexcept;

  /// The two in halves, for OS threads that come and go often and keep their worker.
  worker& borrow_worker();
  /// The ways of a guest when the pool has no free token. A guest that brings one runs at once,
  /// besides the configured workers, and the system shares out the processors among the program's
  /// own threads. Threads that come for short times do so, since each hand-over of a token would
  /// leave a processor idle. The pool lets them only where the user configured as many workers as
  /// there are processors, so that the program uses no more than the user allowed.
  enum class no_token { waits, brings_one };
  void admit(worker& w, no_token then = no_token::waits);
  /// `quiet`: so many workers are known to hold a token and to queue nothing. When no others are
  /// active nobody can be queueing anything just now, and a sleeper is woken only for what is
  /// visible.
  void dismiss(worker& w, int quiet = -1) noexcept;
  /// All of them: the program's own threads use the processors. A worker woken on the mere chance
  /// of finding work would take one from them; the monitor wakes it when work waits.
  static constexpr int all_are_quiet = platform::most_slots;
  void give_worker_back(worker& w) noexcept;

  // ---- work -----------------------------------------------------------------------------------

  /// Work was made visible, and a fence_full passed: wakes a sleeper if one is wanted.
  void work_is_visible() noexcept;

  /// A frame that belongs to no worker's deque: from a foreign thread, or because a ring is full.
  void send(detail::frame* f) noexcept;

  /// The oldest of these, or null.
  detail::frame* take_from_inbox() noexcept;

  /// A frame with a place where it had better run: a worker, or the workers of a node (by the index
  /// in nodes()). Anybody may take it in the end.
  void post_to_worker(int to, const letter& l) noexcept;
  void post_to_node(int node, const letter& l) noexcept;

  /// The frame of a letter that was sent to `w`, or to its node; or null.
  detail::frame* take_letter(worker& w) noexcept;
  /// ... to others that have let it lie.
  detail::frame* take_far_letter(worker& w) noexcept;
  /// ... to anybody, whatever the policy says.
  detail::frame* take_any_letter(worker& w) noexcept;

  // Snapshots: whether something lies in the inbox; in the mailboxes of `who` and its node; in
  // those of others where `who` may open it, or in any where it is null.
  bool has_inbox() const noexcept { return !inbox_.empty(); }
  bool has_letter(const worker& who) const noexcept;
  bool has_far_letter(const worker* who) const noexcept;

  /// Takes back a frame that was sent and that nobody has taken; false: somebody has. Looks
  /// everywhere.
  bool take_back(const detail::frame* f) noexcept;

  /// Whether as many tokens are lent as there may be spare threads, or more.
  bool spares_used_up() const noexcept {
    return lends() && lent_.load(std::memory_order_relaxed) >= most_spares_;
  }

  /// Whether there are more guests than tokens for them, so that processors are not to be kept for
  /// nothing.
  bool full_of_guests() const noexcept { return brought_.load(std::memory_order_relaxed) != 0; }

  /// Whether more threads than configured may run, since some are stuck or blocked.
  bool lends() const noexcept {
    // relaxed: after the fence in prepare_sleep() of sched/kernel/idle.hpp, where a pool ends
    return lent_.load(std::memory_order_relaxed) > 0;
  }

  /// The frame of a letter that `w` has taken and runs next.
  detail::frame* open(worker& w, const letter& l) noexcept;

  /// A frame that only `w` may run: a thread pinned to it, or what somebody has for it alone. One
  /// at a time. False, and nothing happened, when the system gives no OS thread for it.
  bool deliver(worker& w, detail::frame* f) noexcept;

  /// For the monitor, about a worker that runs a task which does not move: a thread that must go on
  /// there goes on anywhere, with the thread-locals of that worker's OS thread. False: there is
  /// none, or the worker needs them itself. worker/identity.cpp has the protocol.
  bool lend_native(worker& w) noexcept;

  /// Gives the identities back that the workers keep. None of their threads runs.
  void give_identities_back() noexcept;

  /// Whether there is an OS thread behind `w`, or one can be started now: then it is, and looks for
  /// work.
  [[nodiscard]] bool has_thread_for(worker& w) noexcept {
    return w.has_thread.load(std::memory_order_relaxed) || call(w);
  }

  /// The caller is about to block in the system, resp. is back.
  void blocking_begin(worker& w) noexcept;
  void blocking_end(worker& w) noexcept;

  idle_counts counts() const noexcept { return idle_.counts(); }

  /// Whether work may come from outside of the process.
  bool looks_outside() const noexcept { return outside_.is_open(); }
  outside_look& outside_work() noexcept { return outside_; }
  /// From here on idle workers look there too.
  void set_outside(outside& o) noexcept { outside_.open(o); }
  /// ... and no more: returns when none does. Not from a task.
  void end_outside() noexcept { outside_.end(); }

  /// Requests a frame of every owner: its next push takes the slow path, and looks for sleepers.
  void ask_all() noexcept;
  /// Whether some frame waits anywhere; and whether thieves may have one, now or when they ask
  /// (sources.cpp).
  bool work_visible() const noexcept;
  bool work_offered(const worker* who = nullptr) const noexcept;

  /// Kernel numbers of the NUMA nodes that have workers, ascending.
  const std::vector<int>& nodes() const noexcept { return nodes_; }
  /// The index of that kernel number in nodes(), or -1.
  int node_index(int os_node) const noexcept;

  const policy& scheduling() const noexcept { return *policy_; }
  policy& scheduling() noexcept { return *policy_; }

  /// One more thread may run, because `stuck` does not make progress. Take it back with
  /// take_token_back.
  void lend_token(worker& stuck) noexcept;
  void take_token_back() noexcept;

  /// How the threads that lent tokens bring share the processors of the workers that they are lent
  /// for.
  cpu_shares& shares() noexcept { return shares_; }

  /// Whether work waits that a lent token would start: frames, or guests.
  bool work_waits() const noexcept { return work_visible() || idle_.counts().waiting != 0; }

  /// Whether the calling worker should make room at its next scheduling point.
  bool crowded(worker& w) const noexcept { return must_step_aside(w) || !w.returning.empty(); }

  /// Per-worker counters, for KASURI_STATS and kasuri::counters().
  std::vector<const record::worker_stats*> stats() const;

  /// For fork(): locks everything that the child may need, resp. unlocks; but for the mailboxes,
  /// which are many: those are mended in the child.
  void lock_all();
  void unlock_all();
  /// In the child, whose one thread is that of `w`: run/orphan.cpp.
  void leave_alone(worker& w) noexcept;

 private:
  friend class lifetime;
  friend class looking;

  /// At once when there are more threads than tokens; for guests that wait when it has kept them
  /// waiting for a while: each hand-over costs two switches of OS threads, more than most regions
  /// take.
  bool must_step_aside(worker& w) const noexcept;

  // The roster (pool.cpp).
  worker* add_worker(record::worker_role role);
  void line_up();
  void place(worker& w) const;

  // Tokens (tokens.cpp).
  void wait_for_token(worker& w) noexcept;
  void bring_token(worker& w) noexcept;
  void take_brought_token_away(worker& w) noexcept;
  bool queue_for_token(worker& w, worker::wish wish) noexcept;
  void grant_tokens() noexcept;
  void wake_granted(worker& w) noexcept;
  bool revive_one() noexcept;

  // Waking (wake.cpp).
  void use_claim() noexcept;
  bool use_claim_on(worker& w) noexcept;
  bool wakes_any(const worker& self) const noexcept;
  void wake_who_has_work() noexcept;
  bool call(worker& w) noexcept;
  bool wake(worker& w, std::uint32_t was) noexcept;
  void started_in_vain(worker& w) noexcept;
  void free_frame_of(worker& gone) noexcept;

  // Mail (mail.cpp).
  mailbox* box_of_node(const worker& w) noexcept;
  bool has_letter_for(const worker& owner, const worker& who) const noexcept;

  idle<detail::real_atomics> idle_;
  std::unique_ptr<policy> policy_;
  int configured_ = 0;
  int most_spares_ = 0;
  bool guests_may_bring_tokens_ = false;
  // The limit of idle_ counts all tokens. These count two parts of them: guests brought the first,
  // and the monitor and blocked workers lent the second.
  std::atomic<int> brought_{0};
  std::atomic<int> lent_{0};
  std::vector<int> line_;  // the configured workers; guests may lie between them
  struct {
    std::uint64_t spin = 0;      // for which an idle worker looks before it sleeps
    std::uint64_t slice = 0;     // for which a worker lets guests wait
    std::uint64_t patience = 0;  // for which an idle worker leaves what was sent to others to them
  } ticks_;
  bool timing_ = false;
  std::atomic<bool> stopping_{false};
  worker* orphan_ = nullptr;  // the one that is left in the child of a fork: run/orphan.cpp
  std::atomic<int> lent_for_{0};
  cpu_shares shares_;

  static constexpr int most_slots = platform::most_slots;
  std::atomic<int> count_{0};
  std::vector<std::atomic<worker*>> slots_;
  platform::mutex slots_lock_;        // adding a worker
  std::vector<worker*> free_guests_;  // under slots_lock_
  os_threads threads_;

  mailbox inbox_;
  std::vector<int> nodes_;
  std::deque<mailbox> node_boxes_;  // by index in nodes_; only grows

  outside_look outside_;

  platform::mutex waiting_lock_;
  std::deque<worker*> waiting_;  // guests without a token, under waiting_lock_
};

/// Whether the pool was started and not finalized since (run/lifetime.cpp).
bool pool_runs() noexcept;

}  // namespace kasuri::sched
