// SPDX-License-Identifier: Apache-2.0
#include "kasuri/detail/frame.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/thread/os_thread.hpp"
#include "sched/pool/pool.hpp"
#include "sched/worker/identity.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {
namespace {

/// Without one the thread goes on when its own OS thread has time for it, as any thread of a system
/// would that has no more threads. If what runs there waits for it, nobody can help: that is said.
bool has_substitute(worker& w) noexcept {
  if (w.substitute == nullptr) w.substitute = context::try_take_identity(face_of_this_thread);
  if (w.substitute != nullptr) return true;
  if (platform::first_thread_refused())
    platform::warn(
        "the system gives no more threads: a member of a team waits until its OS thread has ended "
        "what "
        "it runs; accepted: a higher limit (ulimit -u, pids.max), or fewer threads");
  return false;
}

}  // namespace

bool pool::lend_native(worker& w) noexcept {
  const bool at_home = w.loan.at_home();
  if (at_home && (!w.loan.may_be_free() || !has_substitute(w))) return false;
  const bool free = !at_home || w.loan.ask();
  detail::frame* const f = free ? w.take_returning() : nullptr;
  KASURI_EXPECT(
      cheap, f == nullptr || f->type->run != nullptr || static_cast<suspended*>(f)->home == &w,
      "thread %p was brought to worker %d, which is not its home", static_cast<void*>(f), w.index);
  const bool is_thread = f != nullptr && f->type->run == nullptr &&
                         static_cast<suspended*>(f)->reason != record::wait_reason::pinned_return;
  KASURI_EXPECT(cheap, !is_thread || w.substitute != nullptr,
                "worker %d lends its thread-locals to %p and has no others", w.index,
                static_cast<void*>(f));
  if (is_thread) static_cast<suspended*>(f)->home = nullptr;
  if (at_home) w.loan.settle(is_thread);
  if (is_thread)
    send(f);
  else if (f != nullptr)
    deliver(w, f);  // a frame, or a thread that goes home
  return is_thread;
}

}  // namespace kasuri::sched
