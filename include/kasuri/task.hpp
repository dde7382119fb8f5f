// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Task groups: tasks spawned one by one and waited for together; and what a task can ask about
/// itself.

#include "kasuri/detail/needs_cxx20.hpp"

#include <atomic>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include "kasuri/detail/end_of_task.hpp"
#include "kasuri/detail/exceptions.hpp"
#include "kasuri/detail/group_count.hpp"
#include "kasuri/detail/join.hpp"
#include "kasuri/detail/records.hpp"
#include "kasuri/detail/refused.hpp"
#include "kasuri/detail/scope.hpp"
#include "kasuri/detail/throws.hpp"
#include "kasuri/locality.hpp"
#include "kasuri/priority.hpp"

namespace [[gnu::visibility("default")]] kasuri {

class arena;

/// The order of the child and of the code behind the spawn (the continuation).
enum class spawn {
  /// Queues the child and goes on ("help first"): right for a loop that spawns many.
  parent_first,
  /// Runs the child at once, on a stack of its own, and lets thieves take the continuation ("work
  /// first"): tasks run in serial order on one worker, with bounded memory. A continuation on the
  /// stack of an OS thread that is no worker, as of the one that called kasuri::run, stays with
  /// that thread: no thief takes it, and a child that waits for it without a call to Kasuri waits
  /// for ever.
  child_first,
};

namespace detail {

struct stop_access;

/// The part of a group that does not depend on closures.
///
/// Counting (detail/group_count.hpp). The count is owned by the code on the stack that made the
/// group, which nothing else can run at the same time. The waiter gives it up: from then on the
/// thread that reports the last end wakes it. An ending task touches the group for the last time
/// when it counts.
///
/// Tally. Ends elsewhere are first counted in the worker's face (tally), and reported in
/// one atomic step before the worker does anything but run another task of the same group: before
/// the loop goes on with another frame or none, before a suspension, before a guest leaves. While a
/// task of the group runs its waiter has to wait anyhow, so nobody wakes later for it.
struct group : public scope {
  group() noexcept {
    if (const worker_face* face = self()) {
      parent = face->current;
      arena = face->arena;
      home_ = face->stack;
    }
  }
  /// A group whose tasks belong to that arena, or to none (null), wherever they are spawned. Inside
  /// of the scope `around`, which may be null.
  group(arena_state* of, scope* around) noexcept {
    parent = around;
    arena = of;
  }
  group(const group&) = delete;
  group& operator=(const group&) = delete;

  /// Queues or runs a task that was counted by add().
  void start(worker_face* face, frame* task, spawn policy) {
    if (policy == spawn::child_first)
      start_child_first(task);
    else if (face != nullptr && face->arena != arena) [[unlikely]]
      spawn_slow(task);
    else
      spawn_detached(face, task);
  }
  static void start_child_first(frame* task);
  void add(const worker_face* face) noexcept {
    if (at_home(face))
      count_.start_here();
    else
      count_.start_elsewhere();
  }

  /// A task of the group ends. Returns the waiter if it was the last.
  suspended* finish_one(worker_face* face) noexcept {
    if (face == nullptr) return report(1);
    if (face->stack == home_) {
      count_.end_here();
      return nullptr;
    }
    return face->tally.add(this) ? nullptr : report(1);
  }

  /// `ends` tasks have ended elsewhere. Returns the waiter if they were the last.
  suspended* report(std::int64_t ends) noexcept {
    return count_.end_elsewhere(ends) ? waiter_ : nullptr;
  }

  /// Keeps the first exception and cancels the rest.
  void fail(std::exception_ptr error) noexcept;

  bool idle() const noexcept { return count_.all_ended(); }

  /// Returns when all tasks have ended. False, and some may not have: there is no memory for the
  /// stack that it takes to wait.
  [[nodiscard]] bool wait_all() noexcept;
  /// Ends the program with a message that says so.
  [[noreturn]] static void cannot_wait() noexcept;
  /// Rethrows the first exception, if any, and makes the group as new.
  void settle();
  /// The group ends, and nobody asks for its exception any more.
  void end() noexcept {
    if (failed_.load(std::memory_order_relaxed)) [[unlikely]]  // relaxed: all tasks have ended
      lose_exception();
  }

 private:
  void lose_exception() noexcept;
  bool at_home(const worker_face* face) const noexcept {
    return face != nullptr && face->stack == home_;
  }
  /// At home, what this worker has not reported counts at once.
  void take_tally() noexcept;
  static bool publish_waiter(void* self, suspended* s) noexcept;
  template <bool Measured>
  bool wait_for_tasks() noexcept;

  // Null: a foreign thread's, or one for another arena than its maker's. Nobody is at home.
  context::stack* home_ = nullptr;
  group_count<real_atomics> count_;
  std::atomic<bool> failed_{false};
  suspended* waiter_ = nullptr;
  std::exception_ptr error_;
};

/// A task of a group with its closure.
template <class F>
struct group_task : frame {
  F closure;

  group_task(F&& f, group& g) : closure(std::move(f)) {
    type = &kind;
    in = &g;
  }

  static void body(frame* f) {
    auto* task = static_cast<group_task*>(f);
    auto* g = static_cast<group*>(task->in);
    worker_face* const before = self();
    scope* const around = before->current;
    before->current = g;
    if (!g->canceled_here_or_above()) {
      KASURI_TRY { task->closure(); }
      KASURI_CATCH_ALL { g->fail(exception_of_task()); }
    }
    self()->current = around;  // the closure may have suspended, and be elsewhere now
  }

  static suspended* end(frame* f, bool) {
    auto* task = static_cast<group_task*>(f);
    auto* g = static_cast<group*>(task->in);
    destroy_at_end(task);
    worker_face* const face = self();
    release_record(face, task, sizeof(group_task));
    return g->finish_one(face);
  }

  static suspended* run(frame* f) {
    body(f);
    return end(f, false);
  }

  // Defined below: where the hint lies is known when the class is complete.
  static const frame_type kind;
};

template <class F>
constexpr frame_type group_task<F>::kind{&run,  false, "task_group",
                                         &body, &end,  hint_in<group_task<F>, F>::at};

/// Runs `f` as a task of the group: task_group::run.
template <class F>
void run_in_group(group& g, F&& f, spawn policy) {
  using closure = std::decay_t<F>;
  static_assert(!is_coro<closure> && !makes_coro<closure&>(),
                "kasuri::task_group::run: what it is given is a coroutine, which run would not run:"
                " call it, async(f()), and wait for the future");
  static_assert(std::is_invocable_v<closure&> || is_coro<closure>,
                "kasuri::task_group::run: takes a function without arguments: "
                "run([=] { f(x); })");
  using task = group_task<closure>;
  static_assert(alignof(task) <= 64, "closures in task groups may be aligned to 64 bytes at most");
  void* const memory = allocate_record(self(), sizeof(task));
  task* t;
  KASURI_TRY { t = new (memory) task(closure(std::forward<F>(f)), g); }
  KASURI_CATCH_ALL {
    release_record(self(), memory, sizeof(task));
    KASURI_RETHROW;
  }
  worker_face* const face = self();
  g.add(face);
  if constexpr (is_placed<closure>)
    if (send_to(t->closure.place, t)) return;
  if constexpr (is_shared<closure>)
    if (looks_at_shares()) [[unlikely]]
      announce_shares(t->closure.work, 0);
  g.start(face, t, policy);
}

}  // namespace detail

/// A set of tasks that are waited for together.
///
/// The first exception that a task throws cancels the group: tasks that have not begun do not run,
/// and wait() throws it. Groups nest: cancelling a group cancels the groups made inside its tasks.
/// One that is stopped by a token or at a time is a stoppable_group (stop.hpp).
///
/// A group that is made inside a task, or inside kasuri::run, belongs to it: wait there. Waiting
/// for its tasks elsewhere ends the program with a message where it is noticed. A group that is
/// made outside, on a thread that is no worker, may be waited for by any one thread.
class task_group {
 public:
  task_group() = default;

  /// A group whose tasks stand for so much work in all, each by its share: see kasuri::share.
  /// Without a total, and under KASURI_SCHED=adws, the tasks go to the workers of the caller one
  /// after the other, to the same ones each time.
  explicit task_group(total_work total) { detail::announce_total(total.work); }

  /// A group whose tasks run in the arena `where`, whatever arena they are added from. It may be
  /// waited for by any one thread, and ends before the arena. In kasuri/arena.hpp.
  explicit task_group(arena& where) noexcept;

  /// A group whose tasks run with that priority, in no arena. It may be waited for by any one
  /// thread. In kasuri/arena.hpp, which says what priorities do.
  /// @throw std::bad_alloc.
  explicit task_group(priority p);

  /// Waits for tasks not waited for. An exception of theirs is lost, with a warning on stderr
  /// unless another one is on its way.
  ~task_group() {
    if (!group_.wait_all()) [[unlikely]]
      group_.cannot_wait();
    group_.end();
  }

  /// Runs `f` as a task of the group.
  /// @param f       callable without arguments; copied or moved into the task. Its result is
  ///                dropped. May be wrapped in at, share or hinted (kasuri/locality.hpp).
  /// @param policy  spawn::parent_first queues it; spawn::child_first runs it now.
  /// @throw std::bad_alloc when there is no memory for the task; it does not run then.
  /// @par Thread-safety: any thread, while the group lives and, unless it is the owner, before the
  ///      owner has returned from wait().
  template <class F>
  void run(F&& f, spawn policy = spawn::parent_first) {
    detail::run_in_group(group_, std::forward<F>(f), policy);
  }

  /// Returns when all tasks of the group have ended, tasks that they added among them. Runs queued
  /// tasks of this group meanwhile, never unrelated ones on this stack. Afterwards the group is as
  /// new, no longer cancelled: a program that must know whether it was keeps that itself.
  /// @throw the first exception that a task of the group threw; std::bad_alloc when there is no
  /// memory to wait with: tasks may still run then, and wait() may be called again. (The destructor
  /// cannot throw: it ends the program with a message there.)
  /// @par Thread-safety: the owner only.
  void wait() {
    if (!group_.wait_all()) [[unlikely]]
      detail::throw_bad_alloc();
    group_.settle();
  }

  /// Asks the group's tasks to end early: those that have not begun do not run; those that run may
  /// ask canceled() or this_task::canceled().
  /// @par Thread-safety: any thread, while the group lives.
  void cancel() noexcept { group_.canceled.store(true, std::memory_order_relaxed); }

  /// Whether the group, or one around it, was cancelled.
  /// @par Thread-safety: any thread, while the group lives.
  bool canceled() const noexcept { return group_.canceled_here_or_above(); }

 private:
  friend detail::stop_access;

  detail::group group_;
};

/// Questions that a task can ask about itself, and things that it can do to itself: from any
/// thread, about the caller.
namespace this_task {

/// A small number that no other thread that runs tasks has at this time: at least 0 and below
/// kasuri::max_slots(), and the lowest that was free when the thread took it; -1 outside. For
/// arrays with an element for each: what one holder of a slot wrote there, the next one sees.
///
/// It stays the same as long as the task does not block: each call of Kasuri may let other tasks go
/// first (a spawn, a join, a loop, a wait, yield, kasuri::blocking), after which the slot may be
/// another, and a task that ran meanwhile may have had this one. So ask again behind such calls,
/// and leave elements as others may find them before. Inside of kasuri::blocking there is none. A
/// task that blocks in the system unannounced keeps its slot. Where more tasks are blocked that way
/// than spares are allowed, the call waits until one of them goes on and ends. kasuri::combinable
/// has elements by slot, made when they are asked for.
int slot() noexcept;

/// The index of the worker that the caller runs on, as on_worker and kasuri::counters mean it, or
/// -1 outside. Threads that call in have indices of their own, so it may be num_workers() or more:
/// for arrays there is slot(). May change at each call that can block.
int worker() noexcept;

/// Lets other threads that are ready on this worker go first. Outside of workers, yields the
/// processor.
void yield() noexcept;

/// Whether the group that the caller's task belongs to, a call with a stop condition that it runs
/// inside of, or one around them, was cancelled or stopped. False outside. Costs a few loads.
inline bool canceled() noexcept {
  const detail::scope* s = detail::current_scope();
  return s != nullptr && s->canceled_here_or_above();
}

}  // namespace this_task
}  // namespace kasuri
