// SPDX-License-Identifier: Apache-2.0
#include "kasuri/blocking.hpp"

#include "sched/pool/pool.hpp"
#include "sched/run/blocking_thread.hpp"
#include "sched/run/gate.hpp"
#include "sched/run/join.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

namespace {

/// Whether nothing ties the task that runs on `w` to its OS thread, nor to who it is in the front
/// end.
bool may_leave(const sched::worker& w) noexcept {
  const context::stack& s = *w.face.stack;
  return s.low != nullptr && s.home == nullptr && !s.keeps_os_thread && w.client == nullptr &&
         w.wears == nullptr;
}

}  // namespace

void* blocking_begin() noexcept {
  sched::worker* const w = sched::current();
  if (w == nullptr) return nullptr;
  sched::blocking_thread* const t = may_leave(*w) ? sched::blocking_threads::get().take() : nullptr;
  if (t != nullptr) {
    t->go_on_here(*w);
  } else {
    sched::leave_arena(*w);
    w->home->blocking_begin(*w);
  }
  return t;
}

// A task that kept its worker and waited inside may be back on another one: the loan is the pool's,
// not the worker's.
void blocking_end(void* thread) noexcept {
  if (thread != nullptr) {
    static_cast<sched::blocking_thread*>(thread)->go_back();
  } else if (sched::worker* w = sched::current()) {
    w->home->blocking_end(*w);
    // The thread that stood in still runs. If this one computed on, two of them would share a
    // processor. One that called in queues for its turn; a task of the pool might wait for one
    // without end beside workers that are never idle.
    if (w->face.stack->home != nullptr) sched::answer_at_push(*w, nullptr, false);
    if (!sched::use_arenas()) return;
    const scope* const s = current_scope();
    sched::go_over(s == nullptr ? nullptr : s->arena);
  }
}

}  // namespace detail
}  // namespace kasuri
