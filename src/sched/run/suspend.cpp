// SPDX-License-Identifier: Apache-2.0
// How a thread leaves its stack and comes back; loop.cpp has what the worker does meanwhile.

#include "sched/run/suspend.hpp"

#include <atomic>

#include "context/context.hpp"
#include "context/stack.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/memory/mapping_limit.hpp"
#include "platform/settings/settings.hpp"
#include "platform/thread/park.hpp"
#include "profile/thread/sleepers.hpp"
#include "record/recorder.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/measure/measured.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/thread_counts.hpp"
#include "sched/run/looking.hpp"
#include "sched/run/loop.hpp"
#include "sched/watch/deadlock.hpp"
#include "sched/watch/outsiders.hpp"
#include "sched/worker/state_of_task.hpp"

namespace kasuri::sched {

namespace {

/// False, and says so once: the exception that follows names no limit.
bool refuse_stack() noexcept {
  static constinit std::atomic<bool> said{false};
  if (said.exchange(true, std::memory_order_relaxed)) return false;
  const auto bytes = static_cast<unsigned long long>(platform::current_settings().stack_size);
  char why[256];
  platform::say_limit_met(why, sizeof why, bytes);
  platform::warn(
      "no memory for another stack (%zu in use, %llu bytes each), so what waits throws "
      "std::bad_alloc: %s",
      context::stacks_in_use(), bytes, why);
  return false;
}

/// The thread that leaves, and the work to do on the other stack. Publish is called with the record
/// as a publish_function is; a template so that a yield has it inline.
template <class Publish>
struct departure {
  worker* w;
  context::stack* to;
  suspended* s;
  detail::frame* first;
  Publish publish;
};

template <class Publish>
[[noreturn]] void enter_loop(void* arg, context::saved from) noexcept {
  departure<Publish> d = *static_cast<departure<Publish>*>(arg);
  d.to->fiber.arrived();
  d.w->face.stack = d.to;
  *d.w->exceptions = {};  // the thread that left keeps its own
  KASURI_EXPECT(cheap, d.s->stack->waiting == nullptr, "on the stack of %p stands %p",
                static_cast<void*>(d.s), d.s->stack->waiting);
  d.s->context = from;
  d.s->stack->waiting = d.s;
  if (d.publish(d.s)) continue_loop(d.first);
  if (d.first != nullptr) d.w->home->send(d.first);
  resume(d.s);
  continue_loop();
}

/// The stack of a thread that `w` may go on with without a loop between; null for other frames.
context::stack* stack_of_ready(const worker& w, detail::frame* f) noexcept {
  if (f == nullptr || f->type->run != nullptr) return nullptr;
  const auto* s = static_cast<suspended*>(f);
  if (s->arena != w.face.arena || (s->arena != nullptr && s->arena->permits.has_sent()))
    return nullptr;
  return s->home == nullptr || s->home == &w ? s->stack : nullptr;
}

/// A ready thread that `w` may go on with, where there is no memory for the stack of a loop. Null:
/// there is none.
[[gnu::cold]] [[gnu::noinline]] detail::frame* take_ready_thread(worker& w) noexcept {
  detail::frame* const f = w.ready.take();
  if (f == nullptr || stack_of_ready(w, f) != nullptr) return f;
  if (!w.ready.put(f)) w.home->send(f);
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  w.home->work_is_visible();
  return nullptr;
}

/// On the stack of d.first, a ready thread: the one that left becomes known.
template <class Publish>
void leave_behind(void* arg, context::saved from) noexcept {
  departure<Publish> d = *static_cast<departure<Publish>*>(arg);
  KASURI_EXPECT(cheap, d.s->stack->waiting == nullptr && d.to != d.s->stack,
                "on the stack of %p stands %p", static_cast<void*>(d.s), d.s->stack->waiting);
  d.w->face.stack = d.to;
  d.s->context = from;
  d.s->stack->waiting = d.s;
  if (!d.publish(d.s)) make_ready(d.s);
}

template <class Publish>
KASURI_UNINSTRUMENTED void switch_to(departure<Publish>& d) noexcept {
  d.w->face.stack->fiber.leaving(d.to->fiber, false);
  context::kasuri_context_switch(static_cast<suspended*>(d.first)->context, leave_behind<Publish>,
                                 &d);
}

/// Sleeps until somebody wakes `s`, at most until the time of `wait`, and takes no part in the
/// watch for deadlocks: the thread goes on by itself.
void sleep_for_time(suspended& s, timed_wait& wait) noexcept {
  const std::atomic_ref<std::uint32_t> woken(s.woken);
  // acquire: pairs with the release in make_ready
  while (woken.load(std::memory_order_acquire) == 0) {
    if (wait.when == never) {
      platform::park(s.woken, 0);
      continue;
    }
    const steady_ns now = steady_now();
    if (now < wait.when) {
      platform::park_for(s.woken, 0, static_cast<std::uint64_t>(wait.when - now));
    } else if (wait.expire(wait) != nullptr) {
      return wait.end();
    } else {
      platform::park(s.woken, 0);  // a waker was first, and is on its way
    }
  }
  if (wait.early != nullptr) wait.end();
}

// Not null, which would have it counted among those that only a waker lets go on.
constinit std::atomic<std::uint32_t> goes_on_by_itself{0};

/// An OS thread that is no worker just sleeps.
void suspend_foreign(record::wait_reason reason, publish_function publish, void* arg,
                     timed_wait* wait) noexcept {
  suspended s;
  s.type = &ready_thread;
  s.foreign = true;
  s.home = nullptr;
  s.place = -1;
  s.arena = nullptr;
  s.woken = 0;
  s.reason = reason;
  s.on = nullptr;
  s.held_by = nullptr;
  s.timed = wait == nullptr ? nullptr : &goes_on_by_itself;
  if (!publish(arg, &s)) return;
  if (wait != nullptr) return sleep_for_time(s, *wait);
  thread_counts.outsiders.fetch_add(1, std::memory_order_relaxed);
  outsider self(s);
  sleep_and_watch(s.woken, 0, &self);  // its acquire pairs with the release in make_ready
}

/// The OS thread sleeps, and the monitor finds another for what the worker has.
[[gnu::cold]] [[gnu::noinline]] void suspend_in_place(worker& w, record::wait_reason reason,
                                                      publish_function publish, void* arg,
                                                      detail::frame* first,
                                                      timed_wait* wait) noexcept {
  if (first != nullptr) w.home->send(first);
  w.queue.publish_all();
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  w.home->work_is_visible();
  monitor::get().look_out();
  suspend_foreign(reason, publish, arg, wait);
  w.tick();
}

/// The frames that the thread has pushed become public (deque_face::pop), and ends are reported.
[[gnu::always_inline]] inline void leave_nothing_private(worker& w) noexcept {
  w.queue.publish_structured();
  if (w.face.tally.of != nullptr) settle_tally(w);
  KASURI_EXPECT(cheap,
                w.face.tally.of == nullptr &&
                    (w.queue.private_size() == 0 || !w.face.has_private_structured()),
                "worker %d leaves a stack, %zu of its frames are private, %u ends are to report",
                w.index, w.queue.private_size(), w.face.tally.n);
}

/// `s` goes on here: on its stack, and on its worker if it has one.
[[gnu::always_inline]] inline void expect_arrival([[maybe_unused]] const worker& w,
                                                  [[maybe_unused]] const suspended& s) noexcept {
  KASURI_EXPECT(
      cheap,
      w.face.stack == s.stack && (s.home == nullptr || s.home == &w) && s.stack->waiting == &s,
      "%p goes on on worker %d and stack %p; it left %p, at home on worker %d",
      static_cast<const void*>(&s), w.index, static_cast<void*>(w.face.stack),
      static_cast<void*>(s.stack), s.home == nullptr ? -1 : s.home->index);
}

/// The task `s` leaves `w`, which somebody observes. What note_return takes.
[[gnu::noinline]] std::atomic<int>* note_leaving(worker& w, const suspended& s,
                                                 record::wait_reason reason) noexcept {
  w.spends_time_on(record::time_state::overhead);
  record::emit_suspend(w.log, reinterpret_cast<std::uintptr_t>(&s), reason);
  return profile::falls_asleep(reason);
}

[[gnu::noinline]] void note_return(worker& w, const suspended& s, record::wait_reason reason,
                                   std::atomic<int>* counted) noexcept {
  profile::wakes_up(counted);
  record::emit_resume(w.log, reinterpret_cast<std::uintptr_t>(&s), reason);
  if (w.forks != nullptr) goes_on(w);  // it may have run short tasks before
  w.spends_time_on(record::time_state::work);
}

/// False, and nothing has happened: there is no memory for the stack of a loop, and no ready thread
/// that the worker could go over to instead.
template <class Publish>
[[nodiscard]] [[gnu::always_inline]] inline bool suspend_on(worker* w, record::wait_reason reason,
                                                            Publish publish,
                                                            detail::frame* first) noexcept {
  context::stack* to = stack_of_ready(*w, first);
  if (to == nullptr && !w->stacks.has_next()) [[unlikely]] {
    if (first == nullptr) first = take_ready_thread(*w);
    to = stack_of_ready(*w, first);
    if (to == nullptr) return false;
  }
  w->tick();
  leave_nothing_private(*w);
  suspended s;
  prepare_suspension(s, *w, reason);
  s.on = nullptr;
  s.held_by = nullptr;
  ++s.stack->suspensions;
  const state_of_task kept(*w);
  w->stats.suspends.add();
  std::atomic<int>* counted = nullptr;
  if (w->observed) [[unlikely]]
    counted = note_leaving(*w, s, reason);
  if (to != nullptr) {
    departure<Publish> d{w, to, &s, first, publish};
    switch_to(d);
  } else {
    departure<Publish> d{w, loop_stack(*w), &s, first, publish};
    leave_for(s.stack, d.to, enter_loop<Publish>, &d);
  }
  w = worker_now();
  expect_arrival(*w, s);
  arrived_home(w->face.stack);
  w->face.stack->waiting = nullptr;
  kept.put_back(*w);
  w->stats.resumes.add();
  if (w->observed) [[unlikely]]
    note_return(*w, s, reason, counted);
  publish.ended();
  return true;
}

struct publish_by_call {
  publish_function function;
  void* arg;
  bool operator()(suspended* s) const noexcept { return function(arg, s); }
  static void ended() noexcept {}
};

struct publish_as_ready {
  bool operator()(suspended* s) const noexcept {
    make_ready(s);
    return true;
  }
  static void ended() noexcept {}
};

struct publish_until {
  publish_function function;
  void* arg;
  timed_wait* wait;
  bool operator()(suspended* s) const noexcept { return function(arg, s); }
  void ended() const noexcept { wait->end(); }
};

}  // namespace

void leave_worker(worker& w, suspended& s, publish_function publish, void* arg) noexcept {
  departure<publish_by_call> d{&w, loop_stack(w), &s, nullptr, {publish, arg}};
  context::stack* const from = s.stack;
  leave_for(from, d.to, enter_loop<publish_by_call>, &d);
  from->fiber.arrived();
}

namespace {

/// False without a word where there is no memory.
[[gnu::always_inline]] inline bool suspend_quietly(record::wait_reason reason,
                                                   publish_function publish, void* arg,
                                                   detail::frame* first) noexcept {
  worker* w = worker_now();
  if (w == nullptr) [[unlikely]] {
    suspend_foreign(reason, publish, arg, nullptr);
    return true;
  }
  if (keeps_os_thread(*w)) [[unlikely]] {
    suspend_in_place(*w, reason, publish, arg, first, nullptr);
    return true;
  }
  return suspend_on(w, reason, publish_by_call{publish, arg}, first);
}

}  // namespace

bool try_suspend(record::wait_reason reason, publish_function publish, void* arg,
                 detail::frame* first) noexcept {
  return suspend_quietly(reason, publish, arg, first) || refuse_stack();
}

bool try_suspend(record::wait_reason reason, publish_function publish, void* arg,
                 timed_wait& wait) noexcept {
  worker* const w = worker_now();
  if (w == nullptr) {
    suspend_foreign(reason, publish, arg, &wait);
    return true;
  }
  if (keeps_os_thread(*w)) [[unlikely]] {
    suspend_in_place(*w, reason, publish, arg, nullptr, &wait);
    return true;
  }
  if (wait.when != never && !timers::get().prepare()) return false;
  return suspend_on(w, reason, publish_until{publish, arg, &wait}, nullptr) || refuse_stack();
}

void suspend(record::wait_reason reason, publish_function publish, void* arg) noexcept {
  if (!suspend_quietly(reason, publish, arg, nullptr)) no_memory_for_stack();
}

bool can_suspend_alone() noexcept {
  worker* const w = worker_now();
  return w == nullptr || w->stacks.has_next() || keeps_os_thread(*w) || refuse_stack();
}

namespace {

/// A task of the deque that may run before the caller: one that no code below on this stack waits
/// to pop, unless it is public and so prepared for being taken.
detail::frame* take_unstarted(worker& w) noexcept {
  detail::frame* f = w.queue.pop_private();
  if (f == nullptr) return w.queue.pop_public();
  if (!f->type->lazy_join) return f;
  w.queue.unpop();
  return nullptr;
}

/// The frame that a thread that yields lets go first; null: none.
detail::frame* take_instead(worker& w) noexcept {
  if (++w.turns % fair_turn == 0 && !w.home->keeps_to_own(w)) [[unlikely]] {
    if (detail::frame* f = take_unstarted(w)) return f;
    if (detail::frame* f = w.home->take_from_inboxes()) return f;
  }
  // Nobody but this worker can go on with the thread on its own stack.
  if (detail::frame* f = w.take_returning()) return f;
  if (w.home->keeps_to_own(w)) [[unlikely]] {
    if (detail::frame* f = take_unstarted(w)) return f;
    looking::let_others_go(w);
    w.spends_time_on(record::time_state::work);
    return nullptr;
  }
  if (detail::frame* f = w.home->take_due()) return f;
  if (detail::frame* f = w.ready.take()) return f;
  if (detail::frame* f = take_unstarted(w)) return f;
  return w.home->take_from_inboxes();
}

}  // namespace

void yield() noexcept {
  worker* w = worker_now();
  if (w == nullptr || keeps_os_thread(*w)) return detail::yield_processor();
  detail::frame* next = take_instead(*w);
  if (next == nullptr) return settle_tally(*w);  // somebody may wait for it whom the caller awaits
  // Without a stack others would never come to run, however often the caller yields.
  if (!suspend_on(w, record::wait_reason::yield, publish_as_ready{}, next)) [[unlikely]]
    no_memory_for_stack();
}

void go_home() noexcept {
  worker* w = worker_now();
  const worker* const home = w->face.stack->home;
  if (home == nullptr || home == w) return;
  if (!suspend_on(w, record::wait_reason::pinned_return, publish_as_ready{}, nullptr)) [[unlikely]]
    no_memory_for_stack();
  KASURI_EXPECT(cheap, worker_now() == home, "worker %d goes on, the home is worker %d",
                index_of_caller(), home->index);
}

}  // namespace kasuri::sched
