// SPDX-License-Identifier: Apache-2.0
#include "sched/pool/ready.hpp"

#include <atomic>
#include <cstdint>

#include "kasuri/detail/join.hpp"
#include "platform/base/expect.hpp"
#include "platform/thread/park.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/thread_counts.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

namespace {

/// A thread that is no worker sleeps.
void wake_foreign(suspended& s) noexcept {
  // relaxed: only counted; a thread that goes on by itself was not
  if (s.timed == nullptr) thread_counts.outsiders.fetch_sub(1, std::memory_order_relaxed);
  std::uint32_t& word = s.woken;
  // release: pairs with the acquire in sleep_and_watch. The word may be gone once it is set; a wake
  // of nobody does no harm.
  std::atomic_ref<std::uint32_t>(word).store(1, std::memory_order_release);
  platform::unpark(word, 1);
}

/// Nobody but the caller, whose stack it stands on, can take it, and a worker does not sleep before
/// it has looked.
void keep_for_home(worker& own, suspended* s) noexcept {
  own.bring(s);
  monitor::get().look_out();
  // A push of the task that runs meanwhile makes room; but not if the thread let others go first.
  if (s->reason != record::wait_reason::yield && s->reason != record::wait_reason::queue_full)
    own.queue.ask();
}

}  // namespace

void make_ready(suspended* s) noexcept {
  KASURI_EXPECT(cheap,
                s->type->run != nullptr ||
                    (s->type == &ready_thread && (s->foreign || s->stack->waiting == s)),
                "thread %p is of the type %s, on its stack stands %p", static_cast<void*>(s),
                s->type->name, s->foreign ? nullptr : s->stack->waiting);
  if (s->foreign) return wake_foreign(*s);
  worker* const w = opaque(current());
  if (s->home != nullptr && s->home == w) {
    keep_for_home(*w, s);
  } else if (s->home != nullptr) {
    s->home->home->deliver(*s->home, s);
  } else if (s->place >= 0) {
    send_to_place(s);
  } else if (w == nullptr) {
    pool::get().send(s);
  } else if (s->arena != w->face.arena) [[unlikely]] {
    w->home->send(s);  // w goes on in its arena, for which thieves may have no permit
  } else if (w->ready.put(s)) {
    if (w->offers != offer::everybody) [[unlikely]]
      return monitor::get().look_out();
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

void send_to_place(suspended* s) noexcept {
  worker* const w = current();
  pool& p = w != nullptr ? *w->home : pool::get();
  KASURI_EXPECT(cheap, s->home == nullptr, "thread %p, at home on worker %d, is sent to worker %d",
                static_cast<void*>(s), s->home->index, s->place);
  p.post_to_worker(s->place, {.what = s});
}

void settle_tally(worker& w) noexcept {
  KASURI_EXPECT(cheap, current() == &w, "the ends on worker %d are reported by worker %d", w.index,
                index_of_caller());
  if (w.face.tally.of == nullptr) return;
  if (suspended* waiter = detail::report_tally(&w.face)) make_ready(waiter);
}

}  // namespace kasuri::sched
