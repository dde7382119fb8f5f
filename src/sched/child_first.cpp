// SPDX-License-Identifier: Apache-2.0
#include "sched/child_first.hpp"

#include "kasuri/detail/join.hpp"
#include "sched/pool.hpp"

namespace kasuri::sched {
namespace {

/// What parent and child share; lies on the parent's stack.
struct creation {
  detail::frame* child;
  suspended parent;
  context::stack* to;
  bool popped = false;  // the parent goes on by plain return: nobody else had its continuation
};

/// On the child's stack, with the parent's context saved: see kasuri_context_call.
context::saved run_child(void* arg) noexcept {
  auto& c = *static_cast<creation*>(arg);
  worker* w = current();
  context::stack* here = c.to;
  here->fiber.arrived();
  w->stack = here;
  *w->exceptions = {};
  detail::worker_slot* at;
  if (w->face.push(&c.parent, at)) [[unlikely]] {
    if (w->queue.refused(at)) {
      w->queue.drop_refused();
      w->home->send(&c.parent);
    } else {
      detail::push_slow(&w->face, at, &c.parent);
    }
  }
  suspended* next = c.child->type->run(c.child);
  // From here on `c` is ours only if the pop succeeds.
  detail::worker_face* face = opaque(detail::self());
  const auto found = face->pop(&c.parent, at);
  w = &worker_of(face);
  if (found == detail::worker_face::popped::mine ||
      w->queue.reclaim(&c.parent, at, found == detail::worker_face::popped::lowered)) [[likely]] {
    if (next != nullptr) make_ready(next);
    c.popped = true;
    w->stack = c.parent.stack;
    here->fiber.leaving(w->stack->fiber, true);
    w->stacks.put(here);
    return c.parent.context;
  }
  if (next != nullptr) resume(next);
  continue_loop();
}

KASURI_UNINSTRUMENTED void leave_for_child(creation& c, context::stack* from) noexcept {
  from->fiber.leaving(c.to->fiber, false);
  context::kasuri_context_call(c.to->high, run_child, &c, &c.parent.context);
}

}  // namespace

bool run_child_first(detail::frame* child) noexcept {
  worker* w = current();
  context::stack* to = w->stacks.take();
  if (to == nullptr) return false;
  to->fiber.begin(to->low, to->high);
  creation c{child, {}, to};
  prepare_suspension(c.parent, *w, record::wait_reason::child_first);
  const state_of_task kept(*w);
  context::stack* from = w->stack;
  leave_for_child(c, from);
  from->fiber.arrived();
  if (!c.popped) from->waiting = nullptr;
  kept.put_back(*opaque(current()));
  return true;
}

void spawn_detached(detail::frame* f) noexcept {
  worker* w = current();
  if (w == nullptr) return pool::get().send(f);
  detail::worker_slot* at;
  if (!w->face.push(f, at)) [[likely]] return;
  if (!w->queue.crowded(at)) return detail::push_slow(&w->face, at, f);
  if (w->queue.refused(at))
    w->queue.drop_refused();
  else if (w->queue.pop_private() == nullptr)
    return;  // a rescuing thief has it
  w->tick();
  if (w->queue.asked()) answer_thieves(*w);
  if (!run_child_first(f)) w->home->send(f);
}

}  // namespace kasuri::sched
