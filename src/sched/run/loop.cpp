// SPDX-License-Identifier: Apache-2.0
// The worker loop.
//
// Every stack of the pool begins with loop(). A frame runs as a plain call on the stack of the loop
// that found it. If it blocks, the stack is left to it (suspend.cpp), and the worker goes on in a
// new loop on a fresh stack. When the frame goes on and returns, possibly on another worker, it
// returns into its loop, which asks anew which worker it is on. A loop that is to go on with a
// suspended thread abandons its own stack, which holds nothing then, and gives it back (resume).

#include "sched/run/loop.hpp"

#include <algorithm>
#include <utility>

#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/memory/mapping_limit.hpp"
#include "platform/settings/settings.hpp"
#include "record/recorder.hpp"
#include "sched/measure/measured.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/ready.hpp"
#include "sched/run/gate.hpp"
#include "sched/run/looking.hpp"
#include "sched/worker/range.hpp"

namespace kasuri::sched {

namespace {

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
  KASURI_EXPECT(cheap, current() == &w && w.wears == nullptr && w.range == nullptr,
                "worker %d wears %p and range %p before a task", w.index,
                static_cast<void*>(w.wears), static_cast<void*>(w.range));
  w.stats.tasks.add();
  w.spends_time_on(record::time_state::work);
  const auto id = reinterpret_cast<std::uintptr_t>(f);
  if (w.next_range != nullptr) [[unlikely]]
    wear_range(w, std::exchange(w.next_range, nullptr));
  record::emit(w.log, record::event_kind::task_begin, id);
  suspended* next = w.forks == nullptr ? f->type->run(f) : run_measured(w, f);
  worker* after = worker_now();
  record::emit(after->log, record::event_kind::task_end, id);
  after->spends_time_on(record::time_state::overhead);
  after->face.current = nullptr;
  if (after->range != nullptr) [[unlikely]]
    drop_range(*after);
  if (next != nullptr) resume(next);
}

/// Runs a short task. Whether the caller is on the same worker still.
[[gnu::always_inline]] inline bool run_short_way(worker& w, detail::frame* f) noexcept {
  if (w.face.tally.of != nullptr && !belongs(f, w.face.tally.of)) settle_tally(w);
  w.stats.tasks.add();
  suspended* const next = f->type->run(f);
  worker* const after = worker_now();
  after->face.current = nullptr;
  if (next != nullptr) resume(next);
  return after == &w;
}

/// The short way through the loop, for short tasks: those on the private end of the deque, until
/// there is none, somebody asks for something (a thread that wants a worker's attention sets the
/// limit of its deque), or it is time for what comes last otherwise. Returns a frame that takes the
/// long way, or null. Where arenas are used all frames do: they may need permits.
detail::frame* run_private(worker& w) noexcept {
  if (w.observed || use_arenas()) return nullptr;
  std::uint32_t turns = fair_turn - 1 - w.turns % fair_turn;
  if (w.patience != 0) turns = std::min(turns, w.patience);
  if (turns == 0 || w.queue.asked()) return nullptr;
  detail::frame* f = w.queue.pop_private();
  if (f == nullptr) return nullptr;  // a turn of the long way
  // All at once: with turns left over, what comes last otherwise only comes earlier.
  w.turns += turns;
  w.patience -= std::min(turns, w.patience);
  while (f != nullptr && f->type->run != nullptr) {
    if (!run_short_way(w, f) || --turns == 0 || w.queue.asked() || use_arenas()) return nullptr;
    f = w.queue.pop_private();
  }
  return f;
}

[[noreturn]] void loop(detail::frame* f) noexcept {
  for (;;) {
    worker* w = worker_now();
    if (f == nullptr) f = run_private(*w);
    w = worker_now();
    if (f == nullptr) f = looking::next(*w);
    if (f == nullptr) jump_off(*w, w->native_context, &w->native_stack);
    KASURI_EXPECT(cheap, w->face.stack != &w->native_stack && f->type != nullptr,
                  "worker %d runs %p on the stack of its OS thread", w->index,
                  static_cast<void*>(f));
    if (f->type->run == nullptr)
      resume(static_cast<suspended*>(f));
    else if (admit(*w, f))
      run_frame(*w, f);
    f = nullptr;
  }
}

}  // namespace

void no_memory_for_stack() noexcept {
  const auto bytes = static_cast<unsigned long long>(platform::current_settings().stack_size);
  char why[256];
  platform::say_limit_met(why, sizeof why, bytes);
  platform::fatal("no memory for another stack (%zu in use, %llu bytes each): %s",
                  context::stacks_in_use(), bytes, why);
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

}  // namespace

void continue_loop(detail::frame* first) noexcept {
  // The task that has left took its scope along, which may end before the next task does.
  worker_now()->face.current = nullptr;
  loop(first);
}

bool run_loop(worker& w) noexcept {
  context::stack* const to = try_loop_stack(w);
  if (to == nullptr) return false;
  KASURI_EXPECT(cheap, w.face.stack == &w.native_stack, "worker %d begins on %p, not on %p",
                w.index, static_cast<void*>(w.face.stack), static_cast<void*>(&w.native_stack));
  leave_for(w.face.stack, to, enter_first_loop, to);
  arrived_home(&w.native_stack);
  return true;
}

void resume(suspended* s) noexcept {
  worker* w = worker_now();
  KASURI_EXPECT(cheap, s->type == &ready_thread, "%p, to go on on worker %d, is of the type %s",
                static_cast<void*>(s), w->index, s->type->name);
  if (s->home != nullptr && s->home != w) {
    if (s->arena != nullptr && s->arena == w->face.arena) pass_permit_on(*w, s);
    s->home->home->deliver(*s->home, s);
    return;
  }
  if (s->foreign) return make_ready(s);
  if (s->place >= 0 && s->place != w->index) [[unlikely]]
    return send_to_place(s);
  if (!admit(*w, s)) return;
  KASURI_EXPECT(cheap, s->stack != w->face.stack && s->context != nullptr,
                "worker %d is to go on with %p on %p, where it stands", w->index,
                static_cast<void*>(s), static_cast<void*>(s->stack));
  KASURI_EXPECT(cheap, s->home == nullptr || s->home == s->stack->home,
                "thread %p is at home on worker %d, its stack elsewhere", static_cast<void*>(s),
                s->home->index);
  jump_off(*w, s->context, s->stack);
}

}  // namespace kasuri::sched
