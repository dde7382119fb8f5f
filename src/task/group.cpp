// SPDX-License-Identifier: Apache-2.0
#include "kasuri/detail/join.hpp"
#include "kasuri/task.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "profile/base/active.hpp"
#include "sched/measure/measured.hpp"
#include "sched/policy/routing.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/steal.hpp"
#include "sched/run/child_first.hpp"
#include "sched/run/suspend.hpp"
#include "sched/worker/range.hpp"
#include "sched/worker/slot.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

void group::start_child_first(frame* task) {
  const worker_face* const face = self();
  if (face == nullptr || task->in->arena != face->arena)
    spawn_slow(task);
  else if (!sched::run_child_first(task))
    spawn_detached(self(), task);
}

void group::fail(std::exception_ptr error) noexcept {
  KASURI_EXPECT(cheap, error != nullptr, "group %p fails without an exception",
                static_cast<void*>(this));
  // acq_rel: only the first goes on; pairs with the count in finish_one for the reader of error_
  if (failed_.exchange(true, std::memory_order_acq_rel)) return;
  error_ = std::move(error);
  canceled.store(true, std::memory_order_relaxed);
}

bool group::publish_waiter(void* arg, suspended* s) noexcept {
  auto* g = static_cast<group*>(arg);
  g->waiter_ = s;
  s->on = g;
  return !g->count_.give_up();
}

namespace {

/// A task spawned into the group, as against a closure of a parallel_invoke inside one.
bool is_task_of(const frame* f, const group* g) noexcept {
  return f->in == g && !f->type->lazy_join;
}

/// The newest task of the calling worker's deque, if it is one of the group; else null. `other` is
/// a public frame that was taken for that and is none: the caller's to run or to send.
[[gnu::always_inline]] inline frame* take_task_of(sched::worker& w, const group* g,
                                                  frame*& other) noexcept {
  if (g->arena != w.face.arena) return nullptr;  // they need a permit that the caller has not
  sched::deque<real_atomics>& queue = w.queue;
  if (frame* f = queue.pop_private()) {
    if (is_task_of(f, g)) return f;
    queue.unpop();
    return nullptr;
  }
  frame* const f = queue.pop_public();
  if (f == nullptr || is_task_of(f, g)) return f;
  other = f;
  return nullptr;
}

[[gnu::always_inline]] inline void answer_if_asked(sched::worker* w) noexcept {
  if (w != nullptr && w->queue.asked()) [[unlikely]]
    sched::answer_thieves(*w);
}

/// Runs a task of the calling worker's deque on top of the caller.
template <bool Measured>
[[gnu::always_inline]] inline void run_here(sched::worker& w, frame* f) noexcept {
  sched::extent* const range = w.range;
  if (range != nullptr) [[unlikely]]
    sched::wear_range(w, nullptr);
  suspended* const next =
      Measured && w.forks != nullptr ? sched::run_measured(w, f) : f->type->run(f);
  if (next != nullptr) sched::make_ready(next);
  if (range != nullptr) [[unlikely]]
    sched::wear_range(*sched::opaque(sched::current()), range);
}

}  // namespace

suspended* report_tally(worker_face* face) noexcept {
  group* const g = std::exchange(face->tally.of, nullptr);
  KASURI_EXPECT(cheap, face == self() && g != nullptr && face->tally.n != 0,
                "worker %d reports %u ends to group %p", sched::index_of_caller(), face->tally.n,
                static_cast<void*>(g));
  return g->report(face->tally.n);
}

[[gnu::always_inline]] inline void group::take_tally() noexcept {
  worker_face* const face = self();
  if (face == nullptr || face->tally.of != this || !at_home(face)) return;
  KASURI_EXPECT(cheap, face->tally.n != 0, "group %p has no ends on its own worker",
                static_cast<void*>(this));
  count_.end_here(face->tally.n);
  face->tally.of = nullptr;
}

template <bool Measured>
inline bool group::wait_for_tasks() noexcept {
  if (Measured && !idle()) sched::wait_begins();
  while (!idle()) {
    frame* other = nullptr;
    // The same until the task runs; another one behind it, perhaps.
    sched::worker* const w = sched::opaque(sched::current());
    answer_if_asked(w);
    if (frame* f = w == nullptr ? nullptr : take_task_of(*w, this, other)) {
      run_here<Measured>(*w, f);
      continue;
    }
    // Again, a moment later: to suspend takes as long, and a task that was given away and has ended
    // by now was worth it.
    real_atomics::backoff(0);
    const bool ended = idle();
    if (w != nullptr) sched::learn_from_join(*w, nullptr, ended);
    if (ended && other == nullptr) continue;
    if (!sched::try_suspend(record::wait_reason::group_wait, publish_waiter, this, other))
        [[unlikely]] {
      if (other != nullptr) sched::current()->home->send(other);
      if (Measured) sched::wait_ended(nullptr);
      return false;
    }
    count_.begin_anew();
    break;
  }
  if (sched::worker* w = sched::opaque(sched::current())) sched::end_dealing(*w);
  if (Measured) sched::wait_ended(static_cast<scope*>(this));
  return true;
}

bool group::wait_all() noexcept {
  // The count of another stack cannot be read from here, and nobody would wake us.
  if (home_ != nullptr && !at_home(self()) && !idle())
    platform::fatal("task_group: waited for outside of the task, or the kasuri::run, that made it");
  take_tally();
  return profile::active() ? wait_for_tasks<true>() : wait_for_tasks<false>();
}

void group::cannot_wait() noexcept { sched::no_memory_for_stack(); }

void group::settle() {
  canceled.store(false, std::memory_order_relaxed);
  if (!failed_.load(std::memory_order_relaxed)) return;
  KASURI_EXPECT(cheap, error_ != nullptr && idle(), "group %p has failed and has %s exception",
                static_cast<void*>(this), error_ == nullptr ? "no" : "an");
  failed_.store(false, std::memory_order_relaxed);
  std::rethrow_exception(std::exchange(error_, nullptr));
}

void group::lose_exception() noexcept {
  if (std::uncaught_exceptions() != 0) return;  // that one is told of
  const char* text = "of a type that has no text";
  try {
    std::rethrow_exception(error_);
  } catch (const std::exception& e) {
    text = e.what();  // of error_, which stays
  } catch (...) {
  }
  platform::warn(
      "task_group: destroyed without a wait, and with it an exception that a task threw: %s; "
      "accepted: wait(), which rethrows it",
      text);
}

}  // namespace detail

namespace this_task {

int worker() noexcept {
  const sched::worker* w = sched::current();
  return w == nullptr ? -1 : w->index;
}

int slot() noexcept {
  sched::worker* const w = sched::current();
  return w == nullptr ? -1 : sched::slot_of(*w);
}

void yield() noexcept { sched::yield(); }

}  // namespace this_task
}  // namespace kasuri
