// SPDX-License-Identifier: Apache-2.0
#include "sched/run/child_first.hpp"

#include "kasuri/detail/join.hpp"
#include "platform/base/expect.hpp"
#include "record/recorder.hpp"
#include "sched/measure/measured.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/ready.hpp"
#include "sched/pool/steal.hpp"
#include "sched/run/join.hpp"
#include "sched/run/loop.hpp"
#include "sched/worker/state_of_task.hpp"

namespace kasuri::sched {
namespace {

/// Parent and child share this record; it lies on the parent's stack.
struct creation {
  detail::frame* child;
  suspended parent;
  context::stack* to;
  bool popped;  // the parent goes on by plain return: nobody else had its continuation
};

/// Takes the parent's continuation back. The child was not suspended since it pushed it, so that
/// worker and slot are those of the push, and the slot tells.
bool pop_parent(worker& w, suspended* parent, detail::worker_slot* at) noexcept {
  const auto found = w.face.pop(parent, at);
  return found == detail::worker_face::popped::mine ||
         w.queue.reclaim(parent, at, found == detail::worker_face::popped::lowered) ||
         (learn_from_join(w, at, false), false);
}

std::uintptr_t id_of(const void* what) noexcept { return reinterpret_cast<std::uintptr_t>(what); }

[[gnu::noinline]] void record_leaving(worker& w, const creation& c) noexcept {
  if (w.forks != nullptr) task_created(c.child->in);
  record::emit(w.log, record::event_kind::spawn, id_of(c.child));
  record::emit_suspend(w.log, id_of(&c.parent), record::wait_reason::child_first);
  record::emit(w.log, record::event_kind::task_begin, id_of(c.child));
}

/// The child has ended before its parent goes on if the parent was not taken meanwhile.
[[gnu::noinline]] void record_return(worker& w, const creation& c) noexcept {
  if (c.popped) record::emit(w.log, record::event_kind::task_end, id_of(c.child));
  record::emit_resume(w.log, id_of(&c.parent), record::wait_reason::child_first);
  if (w.forks != nullptr) goes_on(w);  // it may have run short tasks before
}

[[gnu::noinline]] void run_body_observed(worker& w, detail::frame* child) noexcept {
  if (w.forks != nullptr)
    run_body_measured(w, child);
  else
    child->type->body(child);
}

/// Lets thieves have the parent's continuation.
[[gnu::always_inline]] inline detail::worker_slot* push_parent(worker& w,
                                                               suspended& parent) noexcept {
  detail::worker_slot* at;
  if (w.face.push(&parent, at)) [[unlikely]] {
    if (w.queue.refused(at)) {
      w.queue.drop_refused();
      w.home->send(&parent);
    } else if (w.queue.asked()) {
      answer_at_push(w, at, false);
    }
  }
  return at;
}

/// The caller runs as `w`, and stands on that stack.
[[gnu::always_inline]] inline void expect_on([[maybe_unused]] const worker& w,
                                             [[maybe_unused]] const context::stack* s) noexcept {
  KASURI_EXPECT(cheap, current() == &w && w.face.stack == s,
                "worker %d runs what began on worker %d, on stack %p and not on %p",
                index_of_caller(), w.index, static_cast<const void*>(w.face.stack),
                static_cast<const void*>(s));
}

/// Runs the child on its stack, with the parent's context saved. Returns when the parent's
/// continuation was popped; when it was taken, this stack goes on as a loop.
context::saved child_on_its_stack(creation& c, context::stack* here) noexcept {
  worker* w = current();
  detail::frame* const child = c.child;
  KASURI_EXPECT(cheap, c.parent.context != nullptr, "the parent on %p has not been left",
                static_cast<void*>(c.parent.stack));
  expect_on(*w, c.parent.stack);
  w->face.stack = here;
  // The child does not see what the parent is handling. On a plain return all is as it was.
  const exception_state parents = *w->exceptions;
  const bool handling = parents.caught != nullptr || parents.uncaught != 0;
  if (handling) [[unlikely]]
    *w->exceptions = {};
  const std::uint64_t suspensions = here->suspensions;
  detail::worker_slot* const at = push_parent(*w, c.parent);
  // From here on `c` is ours only if the pop succeeds: a thief may have gone on with the parent,
  // which may have returned, or have pushed a continuation at the same address for another child.
  const detail::frame_type& type = *child->type;
  suspended* next = nullptr;
  if (type.body == nullptr)
    next = type.run(child);
  else if (!w->observed) [[likely]]  // of any worker: push_parent may have suspended this stack
    type.body(child);
  else
    run_body_observed(*opaque(current()), child);
  if (here->suspensions == suspensions && pop_parent(*w, &c.parent, at)) [[likely]] {
    expect_on(*w, here);
    w->face.stack = c.parent.stack;
    if (type.body != nullptr) next = type.end(child, true);
    if (next != nullptr) make_ready(next);
    if (handling) [[unlikely]]
      *w->exceptions = parents;
    c.popped = true;
    return c.parent.context;
  }
  record::emit(opaque(current())->log, record::event_kind::task_end, id_of(child));
  opaque(current())->spends_time_on(record::time_state::overhead);
  if (type.body != nullptr) next = type.end(child, false);
  if (next != nullptr) resume(next);
  continue_loop();
}

/// See kasuri_context_call. Goes over to the parent's fibre itself, so its own entry and exit would
/// be counted on different ones if it were instrumented.
KASURI_UNINSTRUMENTED context::saved run_child(void* arg) noexcept {
  auto& c = *static_cast<creation*>(arg);
  context::stack* const here = c.to;
  here->fiber.arrived();
  const context::saved parent = child_on_its_stack(c, here);
  worker* const w = current();
  here->fiber.leaving(w->face.stack->fiber, true);
  w->stacks.put(here);
  return parent;
}

KASURI_UNINSTRUMENTED void leave_for_child(creation& c, context::stack* from) noexcept {
  from->fiber.leaving(c.to->fiber, false);
  context::kasuri_context_call(c.to->high, run_child, &c, &c.parent.context);
}

}  // namespace

bool run_child_first(detail::frame* child) noexcept {
  worker* w = current();
  // Parent and child would be one member of a team, or share its thread-locals, at two places at
  // once. What a task owns of the line of workers is dealt to children that it queues. And the
  // parent may go on elsewhere.
  if (w->client != nullptr || w->wears != nullptr || w->range != nullptr || keeps_os_thread(*w))
      [[unlikely]]
    return false;
  context::stack* to = w->stacks.take();
  if (to == nullptr) return false;
  // The caller may leave this worker while the child runs.
  if (w->face.tally.of != nullptr && !belongs(child, w->face.tally.of)) [[unlikely]]
    settle_tally(*w);
  KASURI_EXPECT(cheap, (child->type->body == nullptr) == (child->type->end == nullptr),
                "the type %s has one half of two", child->type->name);
  to->fiber.begin(to->low, to->high);
  creation c;
  c.child = child;
  c.to = to;
  c.popped = false;
  prepare_suspension(c.parent, *w, record::wait_reason::child_first);
  if (w->observed) [[unlikely]]
    record_leaving(*w, c);
  const state_of_task kept(*w, state_of_task::bare{});
  context::stack* from = w->face.stack;
  leave_for_child(c, from);
  from->fiber.arrived();
  expect_on(*opaque(current()), from);
  if (c.popped) {
    to->fiber.end();
    kept.put_back_measured(*opaque(current()));
  } else {
    ++from->suspensions;  // the caller, if it is such a child itself, may be on another worker now
    from->waiting = nullptr;
    kept.put_back(*opaque(current()));
    opaque(current())->spends_time_on(record::time_state::work);
  }
  if (opaque(current())->observed) [[unlikely]]
    record_return(*opaque(current()), c);
  return true;
}

}  // namespace kasuri::sched
