// SPDX-License-Identifier: Apache-2.0
// Identities on workers: see context/identity.hpp.
//
// A thread that uses the thread-locals of an OS thread (a guest on its own stack; what a front end binds
// to a worker) goes on on that worker only, stack::home. While it is suspended the worker may run a task
// that waits for it and reaches no scheduling point. If that task wears an identity, the native
// thread-locals are not in use: the monitor lends them to the thread, which then goes on on any worker,
// and the home has an understudy when the task is over. The loan ends when the thread is at home again.

#include "sched/worker/identity.hpp"

#include "sched/worker/worker.hpp"

namespace kasuri::sched {
namespace {

/// From here on the calling worker has the thread-locals of `i`.
void change_to(worker& w, context::identity& i) noexcept {
  w.exceptions = static_cast<exception_state*>(i.exceptions);
  w.error = i.error;
  *static_cast<detail::worker_face**>(i.current_face) = &w.face;
  context::set_thread_pointer(i.pointer);
}

/// The thread that the native thread-locals belong to is back.
void end_loan(worker& w) noexcept {
  w.own = &w.native;
  w.wears = nullptr;
  w.dressed.store(false, std::memory_order_relaxed);
  change_to(w, w.native);
  // release: pairs with the acquire in lend_native
  w.native_loan.store(worker::loan::none, std::memory_order_release);
}

/// Takes the understudy instead if the native thread-locals are lent.
[[gnu::noinline]] void choose_own(worker& w) noexcept {
  worker::loan now;
  // acquire: pairs with the release in lend_native
  for (unsigned n = 0; (now = w.native_loan.load(std::memory_order_acquire)) == worker::loan::asked;
       ++n)
    real_atomics::backoff(n);
  if (now == worker::loan::lent) w.own = w.understudy;
}

}  // namespace

void put_on(worker& w, context::identity& i) noexcept {
  if (!w.forwent_rseq) [[unlikely]] {
    context::forgo_rseq();
    w.forwent_rseq = true;
  }
  if (&i == &w.native) [[unlikely]] return end_loan(w);
  w.wears = &i;
  change_to(w, i);
  // release: pairs with the acquire in lend_native: the native ones are no longer in use
  w.dressed.store(true, std::memory_order_release);
}

void take_off(worker& w) noexcept {
  w.wears = nullptr;
  w.dressed.store(false, std::memory_order_relaxed);
  real_atomics::fence_light();  // pairs with the fence_heavy in lend_native
  if (w.native_loan.load(std::memory_order_relaxed) != worker::loan::none) [[unlikely]]
    choose_own(w);
  change_to(w, *w.own);
}

void put_on_native(worker& w, worker& home) noexcept {
  if (&w != &home || w.own != &w.native) [[unlikely]] put_on(w, home.native);
}

void wear_again(worker& w, context::identity* worn) noexcept {
  if (worn != nullptr) return put_on(w, *worn);
  take_off(w);
  if (w.face.stack->home != nullptr) put_on_native(w, *w.face.stack->home);
}

void* face_of_this_thread() noexcept { return &detail::kasuri_current_face; }

}  // namespace kasuri::sched
