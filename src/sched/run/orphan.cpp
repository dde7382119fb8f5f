// SPDX-License-Identifier: Apache-2.0
// The child of a fork whose one thread stands in a task.
//
// That thread was a worker of the parent's pool, or a guest, and its stack is full of code that
// knows that pool. The other workers have no threads here. So the pool is left to the one: there is
// one token, the one has it, and nobody else can be woken. The program goes on alone, as on one
// worker: pushes and pops are as ever, and a wait runs what lies in the worker's own queue.
//
// It cannot go on for ever that way. A task that a thread of the parent has begun does not end
// here, and the thread that waits for the task that forked may stand on the stack of a thread that
// is gone. Then the loop comes here for work and there is none: the child ends with a line instead
// of sleeping for ever. Nor does it run the parent's other tasks when the code that forked has
// returned to the loop and waits for nothing: the parent runs them, and each might fork again.
//
// Threads that the child starts itself are no workers, and what they call starts a pool of its own.
// While there are such, somebody may still wake what waits here.

#include "context/identity.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/thread/os_thread.hpp"
#include "profile/base/active.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/ready.hpp"
#include "sched/pool/sources.hpp"
#include "sched/run/looking.hpp"
#include "sched/time/timers.hpp"

namespace kasuri::sched {
namespace {

/// How many threads have been suspended on `w` and have not gone on there.
std::uint64_t left_on(const worker& w) noexcept {
  return w.stats.suspends.get() - w.stats.resumes.get();
}

constexpr std::uint64_t pause_ns = 1'000'000;

}  // namespace

void pool::leave_alone(worker& w) noexcept {
  KASURI_EXPECT(cheap, current() == &w, "worker %d is left alone, the thread is worker %d", w.index,
                index_of_caller());
  orphan_ = &w;
  w.left_at_fork = left_on(w);
  // The thief that awaited an answer of this worker is gone: a frame given to it would be lost.
  w.queue.forget_thieves();
  leave_tokens_in_child(w);
  leave_mail_in_child();
  for (int i = 0, n = workers(); i != n; ++i) {
    worker* const v = at(i);
    if (v == nullptr) continue;
    v->box.mend();
    if (v == &w) continue;
    v->asleep.store(flag::awake, std::memory_order_relaxed);  // nobody tries to wake it
    v->has_thread.store(false, std::memory_order_relaxed);
    v->gone.store(true, std::memory_order_relaxed);
  }
}

detail::frame* looking::next_alone(pool& p, worker& w) noexcept {
  KASURI_EXPECT(cheap, p.orphan() == &w && p.counts().active == 1,
                "worker %d is not the one that is left, %u are active", w.index, p.counts().active);
  settle_tally(w);
  for (;;) {
    // Before the look: a thread that is counted may bring something and end. Donors of
    // thread-locals bring nothing, nor do the thread that records a profile, and the one of the
    // timers while there are none. 0 threads: nobody knows.
    const bool no_timer = timers::get().has_thread() && timers::get().at_rest();
    const int idle = context::donors() + (profile::active() ? 1 : 0) + (no_timer ? 1 : 0);
    const bool last_thread = platform::threads_of_process() <= 1 + idle;
    if (detail::frame* f = w.take_returning()) return f;
    if (left_on(w) != w.left_at_fork) {
      search_round r{.all = p, .w = w};
      if (detail::frame* f = next_own(r)) return f;
      if (detail::frame* f = p.take_from_inboxes()) return f;
      if (detail::frame* f = p.take_any_letter(w)) return f;
    }
    if (last_thread)
      platform::fatal(
          "the child of a fork cannot go on: what it waits for, or returned to, was in the hands "
          "of threads "
          "of its parent; accepted: to end by _exit or exec in the task that called fork");
    platform::sleep_exactly(pause_ns);
  }
}

}  // namespace kasuri::sched
