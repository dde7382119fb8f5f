// SPDX-License-Identifier: Apache-2.0
#pragma once

// The pool: workers, tokens, sleep and wake, guests, the monitor, start and stop.
//
// However many OS threads there are, at most as many run tasks as there are tokens (idle.hpp). A
// worker slot exists for each configured worker and for each spare the settings allow; its OS thread
// starts when it is first woken. Guests borrow worker slots of their own.
//
// Lifetime. The pool starts at the first use and is never destroyed: threads that outlive main, and
// static destructors, may still use it. finalize() ends the OS threads; the next use starts them
// anew. After fork() the child gets a fresh pool at its first use.

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "platform/bounds.hpp"
#include "platform/mutex.hpp"
#include "sched/kernel/idle.hpp"
#include "sched/kernel/mailbox.hpp"
#include "sched/kernel/outside_door.hpp"
#include "sched/policy/routing.hpp"
#include "sched/pool/outside.hpp"
#include "sched/pool/policy.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

// Every so many turns, what comes last otherwise comes first: ring and inbox before the deque in the
// loop, tasks that have not begun before ready threads at a yield.
inline constexpr std::uint32_t fair_turn = 64;

class pool {
 public:
  /// The pool of this process; starts it if need be (lifetime.cpp).
  static pool& get();

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
  /// What a guest does when the pool has no free token. A guest that brings one runs at once, besides the configured
  /// workers, and the system shares out the processors among the program's own threads. Threads that come for short
  /// times do so, since each hand-over of a token would leave a processor idle. The pool lets them only where the user
  /// configured as many workers as there are processors, so that the program uses no more than the user allowed.
  enum class no_token { waits, brings_one };
  void admit(worker& w, no_token then = no_token::waits);
  /// `quiet`: so many workers are known to hold a token and to queue nothing. When no others are active
  /// nobody can be queueing anything just now, and a sleeper is woken only for what is visible.
  void dismiss(worker& w, int quiet = -1) noexcept;
  void give_worker_back(worker& w) noexcept;

  // ---- work -----------------------------------------------------------------------------------

  /// Work was made visible, and a fence_full passed: wakes a sleeper if one is wanted.
  void work_is_visible() noexcept;

  /// A frame that belongs to no worker's deque: from a foreign thread, or because a ring is full.
  void send(detail::frame* f) noexcept;

  /// The oldest of these, or null.
  detail::frame* take_from_inbox() noexcept;

  /// A frame with a place where it had better run: a worker, or the workers of a node (by the index in
  /// nodes()). Anybody may take it in the end.
  void post_to_worker(int to, const letter& l) noexcept;
  void post_to_node(int node, const letter& l) noexcept;

  /// Takes back a frame that was sent and that nobody has taken; false: somebody has. Looks everywhere.
  bool take_back(const detail::frame* f) noexcept;

  /// Whether as many tokens are lent as there may be spare threads, or more.
  bool spares_used_up() const noexcept {
    return lends() && lent_.load(std::memory_order_relaxed) >= most_spares_;
  }

  /// Whether there are more guests than tokens for them, so that processors are not to be kept for nothing.
  bool full_of_guests() const noexcept { return brought_.load(std::memory_order_relaxed) != 0; }

  /// Whether more threads than configured may run, since some are stuck or blocked.
  bool lends() const noexcept { return lent_.load(std::memory_order_relaxed) > 0; }

  /// The frame of a letter that `w` has taken and runs next.
  detail::frame* open(worker& w, const letter& l) noexcept;

  /// A frame that only `w` may run: a thread pinned to it, or what somebody has for it alone. One at
  /// a time. False, and nothing happened, when the system gives no OS thread for it.
  bool deliver(worker& w, detail::frame* f) noexcept;

  /// What the workers keep of thread-locals of donors is anybody's. None of their threads runs.
  void give_identities_back() noexcept;

  /// Whether there is an OS thread behind `w`, or one can be started now: then it is, and looks for work.
  [[nodiscard]] bool has_thread_for(worker& w) noexcept {
    return w.has_thread.load(std::memory_order_relaxed) || call(w);
  }

  /// The next frame for this worker: its own, stolen, or after a sleep. Null: the thread is to end.
  detail::frame* next(worker& w) noexcept;

  /// The caller is about to block in the system, resp. is back.
  void blocking_begin(worker& w) noexcept;
  void blocking_end(worker& w) noexcept;

  idle_counts counts() const noexcept { return idle_.counts(); }

  /// Whether work may come from outside of the process.
  bool looks_outside() const noexcept { return outside_.is_open(); }

  // for idle::prepare_sleep
  void ask_all() noexcept;
  /// Whether some frame waits anywhere; and whether thieves may have one, now or when they ask.
  bool work_visible() const noexcept;
  bool work_offered(const worker* who = nullptr) const noexcept;

  /// Kernel numbers of the NUMA nodes that have workers, ascending.
  const std::vector<int>& nodes() const noexcept { return nodes_; }
  /// The index of that kernel number in nodes(), or -1.
  int node_index(int os_node) const noexcept;

  const policy& scheduling() const noexcept { return *policy_; }

  /// One more thread may run, because `stuck` does not make progress. Take it back with
  /// take_token_back.
  void lend_token(worker& stuck) noexcept;
  void take_token_back() noexcept;

  /// How the threads that lent tokens bring share the processors of the workers that they are lent for.
  cpu_shares& shares() noexcept { return shares_; }

  /// Whether work waits that a lent token would start: frames, or guests.
  bool work_waits() const noexcept { return work_visible() || idle_.counts().waiting != 0; }

  /// Whether the calling worker should make room at its next scheduling point.
  bool crowded(worker& w) const noexcept {
    return must_step_aside(w) || !w.returning.empty();
  }

  /// From here on idle workers look there too.
  void set_outside(outside& o) noexcept;
  /// ... and no more: returns when none does. Not from a task.
  void end_outside() noexcept;

  /// Per-worker counters, for KASURI_STATS and kasuri::counters().
  std::vector<const record::worker_stats*> stats() const;

  /// For fork(): locks everything that the child may need, resp. unlocks; but for the mailboxes, which are
  /// many: those are mended in the child.
  void lock_all();
  void unlock_all();
  /// In the child, whose one thread is that of `w`: orphan.cpp.
  void leave_alone(worker& w) noexcept;

 private:
  friend class lifetime;
  struct view;

  /// At once when there are more threads than tokens; for guests that wait when it has kept them waiting
  /// for a while: each hand-over costs two switches of OS threads, more than most regions take.
  bool must_step_aside(worker& w) const noexcept;

  pool();
  /// Reads the settings; before the first use and again after finalize.
  void configure();
  worker* add_worker(record::worker_role role);
  void line_up();
  void place(worker& w) const;
  detail::frame* take_answer(worker& w) noexcept;
  bool withdraw(worker& w) noexcept;
  void wait_for_token(worker& w) noexcept;
  void bring_token(worker& w) noexcept;
  void take_brought_token_away(worker& w) noexcept;
  bool queue_for_token(worker& w, worker::wish wish) noexcept;
  void grant_tokens() noexcept;
  void wake_granted(worker& w) noexcept;

  detail::frame* next_alone(worker& w) noexcept;
  detail::frame* find(worker& w) noexcept;
  detail::frame* next_own(worker& w) noexcept;
  detail::frame* search(worker& w) noexcept;
  detail::frame* look_outside(worker& w) noexcept;
  void stop_looking_outside(worker& w) noexcept;
  void leave_outside(worker& w) noexcept;
  bool sleep_outside(worker& w) noexcept;
  bool nobody_looks_outside() noexcept;
  void nap_outside(worker& w, outside& o, std::uint64_t ns) noexcept;
  void sleep(worker& w, outside* napping = nullptr, std::uint64_t nap_ns = 0) noexcept;
  void doze(worker& w) noexcept;
  void note_spare(worker& w, record::event_kind begin_or_end) noexcept;
  void step_aside(worker& w) noexcept;
  void use_claim() noexcept;
  bool wakes_any(const worker& self) const noexcept;
  void wake_who_has_work() noexcept;
  bool use_claim_on(worker& w) noexcept;
  bool call(worker& w) noexcept;
  bool wake(worker& w, std::uint32_t was) noexcept;
  void started_in_vain(worker& w) noexcept;
  void free_frame_of(worker& gone) noexcept;
  bool revive_one() noexcept;
  /// Whether a frame waits in the inbox, with the policy, ready on a worker, or where `has` says so of one.
  template <class Has>
  bool work_anywhere(const worker* who, Has has) const noexcept;
  detail::frame* take_letter(worker& w) noexcept;
  detail::frame* take_far_letter(worker& w) noexcept;
  bool has_letter_for(const worker& owner, const worker& who) const noexcept;

  idle<detail::real_atomics> idle_;
  std::unique_ptr<policy> policy_;
  int configured_ = 0;
  int most_spares_ = 0;
  bool guests_may_bring_tokens_ = false;
  // The limit of idle_ counts all tokens. These count two parts of them: guests brought the first, and the monitor
  // and blocked workers lent the second.
  std::atomic<int> brought_{0};
  std::atomic<int> lent_{0};
  std::vector<int> line_;  // the configured workers; guests may lie between them
  std::uint64_t spin_ticks_ = 0;
  std::uint64_t slice_ticks_ = 0;
  std::uint64_t patience_ticks_ = 0;
  bool timing_ = false;
  std::atomic<bool> stopping_{false};
  worker* orphan_ = nullptr;  // the one that is left in the child of a fork: orphan.cpp
  std::atomic<int> lent_for_{0};
  cpu_shares shares_;

  static constexpr double slice_us = 500;  // for which a worker lets guests wait
  // For which an idle worker leaves what was sent to others to them.
  static constexpr double patience_us = 20;
  static constexpr int most_slots = platform::most_slots;
  std::atomic<int> count_{0};
  std::vector<std::atomic<worker*>> slots_;
  platform::mutex slots_lock_;             // adding a worker
  std::vector<worker*> free_guests_;  // under slots_lock_

  mailbox inbox_;
  std::vector<int> nodes_;
  std::deque<mailbox> node_boxes_;  // by index in nodes_; only grows

  outside_door<detail::real_atomics, outside, worker> outside_;
  std::uint64_t outside_rest_ns_ = 0;  // for which the one that looks there is not to; its own

  platform::mutex waiting_lock_;
  std::deque<worker*> waiting_;  // guests without a token, under waiting_lock_
};

/// Counts and records that `thief` has frame `f` of worker `victim`.
void note_steal(worker& thief, int victim, detail::frame* f) noexcept;

/// The owner's answer to a request: publishes, lets pushes be fast again, wakes.
void answer_thieves(worker& w) noexcept;

/// A join met the single task published in `slot` stolen, or (null) some task that it created: was
/// it worth it?
void learn_from_join(worker& w, detail::worker_slot* slot, bool finished) noexcept;

/// A value that the compiler cannot have kept from before a call: thread-locals, after a suspension.
template <class T>
[[gnu::always_inline]] inline T* opaque(T* p) noexcept {
  asm volatile("" : "+r"(p));
  return p;
}

/// The task that runs on `w`, the calling thread's worker, has the thread-locals of `i` from here on.
void put_on(worker& w, context::identity& i) noexcept;
/// ... and those of the OS thread again.
void take_off(worker& w) noexcept;
/// ... and those that the code below it on this stack had: `worn`, or null for an OS thread's.
void wear_again(worker& w, context::identity* worn) noexcept;
/// ... and those of the OS thread of `home`, which may be another worker's.
void put_on_native(worker& w, worker& home) noexcept;
/// For the monitor, about a worker that runs a task which does not move: a thread that must go on there
/// goes on anywhere, with the thread-locals of that worker's OS thread. False: there is none, or the
/// worker needs them itself.
bool lend_native(pool& p, worker& w) noexcept;
/// The address of the calling OS thread's kasuri_current_face: for try_take_identity.
void* face_of_this_thread() noexcept;

/// What of the OS thread's state belongs to the task that runs, and travels with it.
struct state_of_task {
  exception_state exceptions;
  int error;
  detail::scope* scope;
  void* client;
  extent* range;
  context::identity* identity;

  /// Takes it from the worker: an identity is off, and the client gone.
  explicit state_of_task(worker& w) noexcept
      : exceptions(*w.exceptions),
        error(*w.error),
        scope(w.face.current),
        client(std::exchange(w.client, nullptr)),
        range(w.range),
        identity(w.wears) {
    if (range != nullptr) [[unlikely]] wear_range(w, nullptr);
    if (identity != nullptr) [[unlikely]] take_off(w);
  }

  void put_back(worker& w) const noexcept {
    if (identity != nullptr) [[unlikely]]
      put_on(w, *identity);
    else if (w.face.stack->home != nullptr)
      put_on_native(w, *w.face.stack->home);
    *w.exceptions = exceptions;
    *w.error = error;
    w.face.current = scope;
    w.client = client;
    if (range != nullptr) [[unlikely]] wear_range(w, range);
  }
};

/// The kind of a suspended thread as a frame. It has no code (run is null): the loop resumes it.
inline constexpr detail::frame_type ready_thread{nullptr, false, "ready thread"};

/// Reports the ends of tasks that the worker has counted but not reported, before it turns to
/// something else than tasks of that group.
void settle_tally(worker& w) noexcept;

/// Whether a frame is a task of the group, or a part of one.
inline bool belongs(const detail::frame* f, const detail::group* g) noexcept {
  return static_cast<const void*>(f->in) == static_cast<const void*>(g);
}

/// Fills the record of the thread that stands on w's present stack and is about to leave it.
inline void prepare_suspension(suspended& s, worker& w, record::wait_reason reason) noexcept {
  s.type = &ready_thread;
  s.in = nullptr;
  s.stack = w.face.stack;
  s.home = w.face.stack->home;
  s.place = w.range == nullptr ? -1 : owner_of(*w.home, *w.range);
  s.reason = reason;
  s.foreign = false;
}

/// A stack of the pool, begun for the sanitizers. Ends the process with a line when there is no memory for one.
context::stack* loop_stack(worker& w) noexcept;
/// That line.
[[noreturn]] void no_memory_for_stack() noexcept;

/// Whether the thread that runs on `w` must not go on on another OS thread: the kernel takes this one for the
/// owner of a mutex that it has. It waits on it then, as a worker that blocks in a system call.
inline bool keeps_os_thread(const worker& w) noexcept {
  return w.wears != nullptr && !w.wears->kernel_locks.empty();
}

/// Makes the calling, now empty, stack a loop.
[[noreturn]] void continue_loop() noexcept;

/// Runs tasks on the calling OS thread of the pool until the pool stops. False, at once, when there is no
/// memory for a stack.
[[nodiscard]] bool run_loop(worker& w) noexcept;

/// The thread that stands on w's present stack leaves it and the worker, which goes on without it. `s` is its
/// record, prepared. `publish` is called on another stack and has somebody go on with it who is no worker.
void leave_worker(worker& w, suspended& s, publish_function publish, void* arg) noexcept;

/// Goes on with `s`, leaving the present stack for good; returns only if `s` must go on elsewhere.
void resume(suspended* s) noexcept;

}  // namespace kasuri::sched
