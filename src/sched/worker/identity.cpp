// SPDX-License-Identifier: Apache-2.0
// Identities on workers: see context/identity.hpp.
//
// A thread that uses the thread-locals of an OS thread (a guest on its own stack; what a front end
// binds to a worker) goes on on that worker only, stack::home. While it is suspended the worker may
// run a task that waits for it and reaches no scheduling point. If that task wears an identity, the
// native thread-locals are not in use: the monitor lends them to the thread, which then goes on on
// any worker, and the home has a substitute when the task is over. The loan ends when the thread is
// at home again.

#include "sched/worker/identity.hpp"

#include "platform/base/expect.hpp"
#include "profile/base/active.hpp"
#include "profile/thread/thread.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {
namespace {

/// From here on the calling worker has the thread-locals of `i`.
void change_to(worker& w, context::identity& i) noexcept {
  KASURI_EXPECT(cheap, i.pointer != 0 && i.current_face != nullptr,
                "worker %d gets the thread pointer %#zx, face at %p", w.index,
                static_cast<std::size_t>(i.pointer), i.current_face);
  w.exceptions = static_cast<exception_state*>(i.exceptions);
  w.error = i.error;
  *static_cast<detail::worker_face**>(i.current_face) = &w.face;
  if (profile::active()) [[unlikely]]
    profile::carry_to(i.pointer);
  context::set_thread_pointer(i.pointer);
}

/// The thread that the native thread-locals belong to is back.
void end_loan(worker& w) noexcept {
  KASURI_EXPECT(cheap, w.own != &w.native && w.own == w.substitute,
                "worker %d has %p for its own, %p for the time of the loan", w.index,
                static_cast<void*>(w.own), static_cast<void*>(w.substitute));
  w.own = &w.native;
  w.wears = nullptr;
  change_to(w, w.native);
  w.loan.end();
}

}  // namespace

void put_on(worker& w, context::identity& i) noexcept {
  KASURI_EXPECT(cheap, current() == &w, "worker %d is changed by worker %d", w.index,
                index_of_caller());
  if (!w.forwent_rseq) [[unlikely]] {
    context::forgo_rseq();
    w.forwent_rseq = true;
  }
  if (&i == &w.native) [[unlikely]]
    return end_loan(w);
  w.wears = &i;
  change_to(w, i);
  w.loan.dress();
}

void take_off(worker& w) noexcept {
  KASURI_EXPECT(cheap, current() == &w, "worker %d is changed by worker %d", w.index,
                index_of_caller());
  w.wears = nullptr;
  if (w.loan.undress()) [[unlikely]]
    w.own = w.substitute;
  KASURI_EXPECT(cheap, w.own != nullptr, "worker %d has lent its thread-locals for none", w.index);
  change_to(w, *w.own);
}

void put_on_native(worker& w, worker& home) noexcept {
  if (&w != &home || w.own != &w.native) [[unlikely]]
    put_on(w, home.native);
}

void wear_again(worker& w, context::identity* worn) noexcept {
  if (worn != nullptr) return put_on(w, *worn);
  take_off(w);
  if (w.face.stack->home != nullptr) put_on_native(w, *w.face.stack->home);
}

void* face_of_this_thread() noexcept { return &detail::kasuri_current_face; }

}  // namespace kasuri::sched
