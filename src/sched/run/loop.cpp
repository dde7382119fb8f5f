// SPDX-License-Identifier: Apache-2.0
// The worker loop, and how a thread leaves its stack and comes back.
//
// Every stack of the pool begins with loop(). A frame runs as a plain call on the stack of the loop
// that found it. If it blocks, the stack is left to it (suspend), and the worker goes on in a new
// loop on a fresh stack. When the frame goes on and returns, possibly on another worker, it returns
// into its loop, which asks anew which worker it is on. A loop that is to go on with a suspended
// thread abandons its own stack, which holds nothing then, and gives it back (resume).

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <utility>

#include "platform/fatal.hpp"
#include "platform/mapping_limit.hpp"
#include "platform/park.hpp"
#include "platform/settings.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/pool/pool.hpp"
#include "sched/watch/deadlock.hpp"

namespace kasuri::sched {

namespace {

/// Who leaves, and what to do on the other stack. Publish is called with the record as a
/// publish_function is; a template so that a yield has it inline.
template <class Publish>
struct departure {
  worker* w;
  context::stack* to;
  suspended* s;
  detail::frame* first;
  Publish publish;
};

/// The worker may be another one after every call that may suspend.
worker* worker_now() noexcept { return opaque(current()); }

/// The first thing on a stack that a thread came back to.
KASURI_UNINSTRUMENTED void arrived_home(context::stack* s) noexcept { s->fiber.arrived(); }

KASURI_UNINSTRUMENTED void drop_stack(void* old) noexcept {
  worker* w = worker_now();
  auto* s = static_cast<context::stack*>(old);
  s->fiber.end();
  w->stacks.put(s);
}

[[noreturn]] KASURI_UNINSTRUMENTED void jump_off(worker& w, context::saved to,
                                                 context::stack* onto) noexcept {
  context::stack* old = w.face.stack;
  w.face.stack = onto;
  old->fiber.leaving(onto->fiber, true);
  context::kasuri_context_jump(to, drop_stack, old);
}

void run_frame(worker& w, detail::frame* f) noexcept {
  w.stats.tasks.add();
  w.spends_time_on(record::time_state::work);
  const auto id = reinterpret_cast<std::uintptr_t>(f);
  if (w.next_range != nullptr) [[unlikely]] wear_range(w, std::exchange(w.next_range, nullptr));
  record::emit(w.log, record::event_kind::task_begin, id);
  suspended* next = f->type->run(f);
  worker* after = worker_now();
  record::emit(after->log, record::event_kind::task_end, id);
  after->spends_time_on(record::time_state::overhead);
  after->face.current = nullptr;
  if (after->range != nullptr) [[unlikely]] drop_range(*after);
  if (next != nullptr) resume(next);
}

/// The short way through the loop, for short tasks: those on the private end of the deque, until
/// there is none, somebody asks for something (whoever wants a worker's attention sets the limit of
/// its deque), or it is time for what comes last otherwise. Returns a frame that takes the long way,
/// or null.
detail::frame* run_private(worker& w) noexcept {
  if (w.observed) return nullptr;
  std::uint32_t turns = fair_turn - 1 - w.turns % fair_turn;
  if (w.patience != 0) turns = std::min(turns, w.patience);
  // All at once: with turns left over, what comes last otherwise only comes earlier.
  w.turns += turns;
  w.patience -= std::min(turns, w.patience);
  for (; turns != 0 && !w.queue.asked(); --turns) {
    detail::frame* f = w.queue.pop_private();
    if (f == nullptr || f->type->run == nullptr) return f;
    if (w.face.tally_of != nullptr && !belongs(f, w.face.tally_of)) settle_tally(w);
    w.stats.tasks.add();
    suspended* next = f->type->run(f);
    worker* after = worker_now();
    after->face.current = nullptr;
    if (next != nullptr) resume(next);
    if (after != &w) return nullptr;
  }
  return nullptr;
}

[[noreturn]] void loop(detail::frame* f) noexcept {
  for (;;) {
    worker* w = worker_now();
    if (f == nullptr) f = run_private(*w);
    w = worker_now();
    if (f == nullptr) f = w->home->next(*w);
    if (f == nullptr) jump_off(*w, w->native_context, &w->native_stack);
    if (f->type->run == nullptr)
      resume(static_cast<suspended*>(f));
    else
      run_frame(*w, f);
    f = nullptr;
  }
}

}  // namespace

namespace {

/// Null when there is no memory for one.
context::stack* try_loop_stack(worker& w) noexcept {
  context::stack* const s = w.stacks.take();
  if (s != nullptr) [[likely]] s->fiber.begin(s->low, s->high);
  return s;
}

}  // namespace

namespace {

/// False, and says so once: the exception that follows names no limit.
bool refuse_stack() noexcept {
  static constinit std::atomic<bool> said{false};
  if (said.exchange(true, std::memory_order_relaxed)) return false;
  const auto bytes = static_cast<unsigned long long>(platform::current_settings().stack_size);
  char why[256];
  platform::say_limit_met(why, sizeof why, bytes);
  platform::warn("no memory for another stack (%zu in use, %llu bytes each), so what waits throws std::bad_alloc: %s",
                 context::stacks_in_use(), bytes, why);
  return false;
}

}  // namespace

void no_memory_for_stack() noexcept {
  const auto bytes = static_cast<unsigned long long>(platform::current_settings().stack_size);
  char why[256];
  platform::say_limit_met(why, sizeof why, bytes);
  platform::fatal("no memory for another stack (%zu in use, %llu bytes each): %s", context::stacks_in_use(), bytes,
                  why);
}

context::stack* loop_stack(worker& w) noexcept {
  context::stack* const s = try_loop_stack(w);
  if (s == nullptr) [[unlikely]] no_memory_for_stack();
  return s;
}

namespace {

/// The first loop of an OS thread of the pool.
[[noreturn]] void enter_first_loop(void* arg, context::saved from) noexcept {
  auto* const to = static_cast<context::stack*>(arg);
  to->fiber.arrived();
  worker* w = worker_now();
  w->face.stack = to;
  w->native_context = from;
  loop(nullptr);
}

template <class Publish>
[[noreturn]] void enter_loop(void* arg, context::saved from) noexcept {
  departure<Publish> d = *static_cast<departure<Publish>*>(arg);
  d.to->fiber.arrived();
  d.w->face.stack = d.to;
  *d.w->exceptions = {};  // those of the thread that left are its own
  d.s->context = from;
  d.s->stack->waiting = d.s;
  if (d.publish(d.s)) loop(d.first);
  if (d.first != nullptr) d.w->home->send(d.first);
  resume(d.s);
  loop(nullptr);
}

/// The stack of a thread that `w` may go on with without a loop between; null for other frames.
context::stack* stack_of_ready(const worker& w, detail::frame* f) noexcept {
  if (f == nullptr || f->type->run != nullptr) return nullptr;
  const auto* s = static_cast<suspended*>(f);
  return s->home == nullptr || s->home == &w ? s->stack : nullptr;
}

/// A ready thread that `w` may go on with, where there is no memory for the stack of a loop. Null: there
/// is none.
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

KASURI_UNINSTRUMENTED void leave_for(context::stack* from, context::stack* to,
                                     void (*entry)(void*, context::saved), void* arg) noexcept {
  from->fiber.leaving(to->fiber, false);
  context::kasuri_context_start(to->high, entry, arg);
}

/// An OS thread that is no worker just sleeps.
void suspend_foreign(record::wait_reason reason, publish_function publish, void* arg) noexcept {
  suspended s;
  s.type = &ready_thread;
  s.foreign = true;
  s.home = nullptr;
  s.place = -1;
  s.woken = 0;
  s.reason = reason;
  s.on = nullptr;
  s.held_by = nullptr;
  if (!publish(arg, &s)) return;
  deadlock.outsider_waits();
  sleep_and_watch(s.woken, 0);  // its acquire pairs with the release in make_ready
}

/// The OS thread sleeps, and the monitor finds another for what the worker has.
[[gnu::cold]] [[gnu::noinline]] void suspend_in_place(worker& w, record::wait_reason reason,
                                                      publish_function publish, void* arg,
                                                      detail::frame* first) noexcept {
  if (first != nullptr) w.home->send(first);
  w.queue.publish_all();
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  w.home->work_is_visible();
  monitor::get().look_out();
  suspend_foreign(reason, publish, arg);
  w.tick();
}

}  // namespace

void continue_loop() noexcept { loop(nullptr); }

bool can_suspend_alone() noexcept {
  worker* const w = worker_now();
  return w == nullptr || w->stacks.has_next() || keeps_os_thread(*w) || refuse_stack();
}

bool run_loop(worker& w) noexcept {
  context::stack* const to = try_loop_stack(w);
  if (to == nullptr) return false;
  leave_for(w.face.stack, to, enter_first_loop, to);
  arrived_home(&w.native_stack);
  return true;
}

namespace {

/// False, and nothing has happened: there is no memory for the stack of a loop, and no ready thread that the
/// worker could go over to instead.
template <class Publish>
[[nodiscard]] [[gnu::always_inline]] inline bool suspend_on(worker* w, record::wait_reason reason, Publish publish,
                                                            detail::frame* first) noexcept {
  context::stack* to = stack_of_ready(*w, first);
  if (to == nullptr && !w->stacks.has_next()) [[unlikely]] {
    if (first == nullptr) first = take_ready_thread(*w);
    to = stack_of_ready(*w, first);
    if (to == nullptr) return false;
  }
  w->tick();
  // Whatever the thread has pushed becomes public: see deque_face::pop.
  w->queue.publish_structured();
  if (w->face.tally_of != nullptr) settle_tally(*w);
  suspended s;
  prepare_suspension(s, *w, reason);
  s.on = nullptr;
  s.held_by = nullptr;
  ++s.stack->suspensions;
  const state_of_task kept(*w);
  w->stats.suspends.add();
  w->spends_time_on(record::time_state::overhead);
  record::emit_suspend(w->log, reinterpret_cast<std::uintptr_t>(&s), reason);
  if (to != nullptr) {
    departure<Publish> d{w, to, &s, first, publish};
    switch_to(d);
  } else {
    departure<Publish> d{w, loop_stack(*w), &s, first, publish};
    leave_for(s.stack, d.to, enter_loop<Publish>, &d);
  }
  w = worker_now();
  arrived_home(w->face.stack);
  w->face.stack->waiting = nullptr;
  kept.put_back(*w);
  w->stats.resumes.add();
  record::emit_resume(w->log, reinterpret_cast<std::uintptr_t>(&s), reason);
  w->spends_time_on(record::time_state::work);
  return true;
}

struct publish_by_call {
  publish_function function;
  void* arg;
  bool operator()(suspended* s) const noexcept { return function(arg, s); }
};

struct publish_as_ready {
  bool operator()(suspended* s) const noexcept {
    make_ready(s);
    return true;
  }
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
[[gnu::always_inline]] inline bool suspend_quietly(record::wait_reason reason, publish_function publish, void* arg,
                                                   detail::frame* first) noexcept {
  worker* w = worker_now();
  if (w == nullptr) [[unlikely]] {
    suspend_foreign(reason, publish, arg);
    return true;
  }
  if (keeps_os_thread(*w)) [[unlikely]] {
    suspend_in_place(*w, reason, publish, arg, first);
    return true;
  }
  return suspend_on(w, reason, publish_by_call{publish, arg}, first);
}

}  // namespace

bool try_suspend(record::wait_reason reason, publish_function publish, void* arg,
                 detail::frame* first) noexcept {
  return suspend_quietly(reason, publish, arg, first) || refuse_stack();
}

void suspend(record::wait_reason reason, publish_function publish, void* arg) noexcept {
  if (!suspend_quietly(reason, publish, arg, nullptr)) no_memory_for_stack();
}

void resume(suspended* s) noexcept {
  worker* w = worker_now();
  if (s->home != nullptr && s->home != w) {
    s->home->home->deliver(*s->home, s);
    return;
  }
  if (s->foreign) return make_ready(s);
  if (s->place >= 0 && s->place != w->index) [[unlikely]] return send_to_place(s);
  jump_off(*w, s->context, s->stack);
}

void make_ready(suspended* s) noexcept {
  if (s->foreign) {
    deadlock.outsider_goes_on();
    // release: pairs with the acquire in sleep_and_watch. The word may be gone once it is set; a
    // wake of nobody does no harm.
    std::uint32_t& word = s->woken;
    std::atomic_ref<std::uint32_t>(word).store(1, std::memory_order_release);
    platform::unpark(word, 1);
    return;
  }
  worker* w = worker_now();
  if (s->home != nullptr && s->home == w) {
    // Nobody else can take it, and this worker does not sleep before it has looked.
    w->bring(s);
    monitor::get().look_out();
    // A push of the task that runs meanwhile makes room; but not if the thread let others go first.
    if (s->reason != record::wait_reason::yield && s->reason != record::wait_reason::queue_full)
      w->queue.ask();
  } else if (s->home != nullptr) {
    s->home->home->deliver(*s->home, s);
  } else if (s->place >= 0) {
    send_to_place(s);
  } else if (w == nullptr) {
    pool::get().send(s);
  } else if (w->ready.put(s)) {
    if (w->offers != offer::everybody) [[unlikely]] return;
    real_atomics::fence_light();  // pairs with the fence_heavy in idle::prepare_sleep
    w->home->work_is_visible();
  } else {
    w->home->send(s);
  }
}

void make_all_ready(suspended* chain) noexcept {
  while (chain != nullptr) {
    suspended* s = chain;
    chain = s->next;  // before the thread may run and be gone
    make_ready(s);
  }
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

/// What a thread that yields lets go first; null: nothing.
detail::frame* take_instead(worker& w) noexcept {
  if (++w.turns % fair_turn == 0) [[unlikely]] {
    if (detail::frame* f = take_unstarted(w)) return f;
    if (detail::frame* f = w.home->take_from_inbox()) return f;
  }
  // Nobody but this worker can go on with the thread on its own stack.
  if (detail::frame* f = w.take_returning()) return f;
  if (detail::frame* f = w.ready.take()) return f;
  if (detail::frame* f = take_unstarted(w)) return f;
  return w.home->take_from_inbox();
}

}  // namespace

void yield() noexcept {
  worker* w = worker_now();
  if (w == nullptr || keeps_os_thread(*w)) return detail::yield_processor();
  detail::frame* next = take_instead(*w);
  if (next == nullptr) return settle_tally(*w);  // somebody may wait for it whom the caller awaits
  // Without a stack others would never come to run, however often the caller yields.
  if (!suspend_on(w, record::wait_reason::yield, publish_as_ready{}, next)) [[unlikely]] no_memory_for_stack();
}

void go_home() noexcept {
  worker* w = worker_now();
  const worker* const home = w->face.stack->home;
  if (home == nullptr || home == w) return;
  if (!suspend_on(w, record::wait_reason::pinned_return, publish_as_ready{}, nullptr)) [[unlikely]]
    no_memory_for_stack();
}

}  // namespace kasuri::sched
