// SPDX-License-Identifier: Apache-2.0
// Identities on workers: see context/identity.hpp.
//
// A thread that uses the thread-locals of an OS thread (a guest on its own stack; what a front end binds
// to a worker) goes on on that worker only, stack::home. While it is suspended the worker may run a task
// that waits for it and reaches no scheduling point. If that task wears an identity, the native
// thread-locals are not in use: the monitor lends them to the thread, which then goes on on any worker,
// and the home has an understudy when the task is over. The loan ends when the thread is at home again.

#include "kasuri/detail/frame.hpp"
#include "platform/fatal.hpp"
#include "platform/os_thread.hpp"
#include "sched/pool.hpp"

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
  change_to(w, w.native);
  w.loan.end();
}

/// Without one the thread goes on when its own OS thread has time for it, as any thread of a system would that
/// has no more threads. If what runs there waits for it, nobody can help: that is said.
bool has_understudy(worker& w) noexcept {
  if (w.understudy == nullptr) w.understudy = context::try_take_identity(face_of_this_thread);
  if (w.understudy != nullptr) return true;
  if (platform::first_thread_refused())
    platform::warn(
        "the system gives no more threads: a member of a team waits until its OS thread has ended what "
        "it runs; accepted: a higher limit (ulimit -u, pids.max), or fewer threads");
  return false;
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
  w.loan.dress();
}

void take_off(worker& w) noexcept {
  w.wears = nullptr;
  if (w.loan.undress()) [[unlikely]] w.own = w.understudy;
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

bool lend_native(pool& p, worker& w) noexcept {
  const bool at_home = w.loan.at_home();
  if (at_home && (!w.loan.may_be_free() || !has_understudy(w))) return false;
  const bool free = !at_home || w.loan.ask();
  detail::frame* const f = free ? w.take_returning() : nullptr;
  const bool is_thread = f != nullptr && f->type->run == nullptr &&
                         static_cast<suspended*>(f)->reason != record::wait_reason::pinned_return;
  if (is_thread) static_cast<suspended*>(f)->home = nullptr;
  if (at_home) w.loan.settle(is_thread);
  if (is_thread)
    p.send(f);
  else if (f != nullptr)
    p.deliver(w, f);  // a frame, or a thread that goes home
  return is_thread;
}

void* face_of_this_thread() noexcept { return &detail::kasuri_current_face; }

}  // namespace kasuri::sched
