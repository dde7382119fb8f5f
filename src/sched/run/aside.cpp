// SPDX-License-Identifier: Apache-2.0
// Guests that keep to their own.
//
// A guest's own stack leaves its OS thread while it waits, and has to come back to that thread
// before it leaves the pool. Meanwhile the OS thread takes frames as a worker does, of whatever
// region or library. Such a frame may sleep in the system for what the guest does next: a job of
// oneTBB sleeps in libtbb for a task that stands on the guest's own stack, which waits for the OS
// thread that the job sleeps on. So while a library is connected whose threads sleep for each
// other, the OS thread runs what the guest itself has queued, which has to end before the guest
// goes on in any case, and nothing else:
//
//   runs the guest's own stack, or a frame of its own deque
//     |  neither is there                                 ^
//     v                                                   |
//   waits a moment awake, with its token ----------------'|  its stack comes home
//     |  nothing came                                     |
//     v                                                   |
//   aside: gives its token to a worker, sleeps -----------'  (deliver), with a token again
//
// Aside it counts neither as active nor as sleeping: no claim reaches it, since it would not look
// for the work that a claim is made for.

#include "platform/base/clock.hpp"
#include "platform/thread/park.hpp"
#include "record/recorder.hpp"
#include "sched/measure/on_the_way.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/ready.hpp"
#include "sched/pool/steal.hpp"
#include "sched/run/gate.hpp"
#include "sched/run/looking.hpp"
#include "sched/watch/deadlock.hpp"
#include "sched/worker/slot.hpp"

namespace kasuri::sched {

namespace {

/// What tasks of the guest `w` have woken belongs to anybody.
void send_ready(pool& p, worker& w) noexcept {
  while (detail::frame* f = w.ready.take()) p.send(f);
}

}  // namespace

/// The next frame of the guest `w`.
detail::frame* looking::next_of_its_own(pool& p, worker& w) noexcept {
  for (;;) {
    if (w.queue.asked() && !w.queue.empty()) answer_thieves(w);
    if (detail::frame* f = w.take_returning()) return settle_tally(w), f;
    detail::frame* const f = w.queue.pop();
    if (w.face.tally.of != nullptr && (f == nullptr || !belongs(f, w.face.tally.of)))
      settle_tally(w);
    send_ready(p, w);
    if (f != nullptr) return f;
    if (detail::frame* own_stack = await_own_stack(p, w)) return own_stack;
    stand_aside(p, w);
  }
}

/// For as long as an idle worker looks for work. Null: the guest's own stack did not come.
detail::frame* looking::await_own_stack(const pool& p, worker& w) noexcept {
  w.busy.store(false, std::memory_order_relaxed);
  w.spends_time_on(record::time_state::idle);
  const std::uint64_t since = platform::ticks();
  detail::frame* f;
  while ((f = w.take_returning()) == nullptr && !p.idle_word().crowded() &&
         platform::ticks() - since < p.ticks().spin) {
    w.tick();
    for (int i = 0; i != 4; ++i) real_atomics::pause();
  }
  if (f != nullptr) resume_own(w);
  return f;
}

/// Sleeps until the guest's own stack comes home, and has a token behind it.
void looking::stand_aside(pool& p, worker& w) noexcept {
  KASURI_EXPECT(cheap, w.queue.size() == 0 && w.face.tally.of == nullptr,
                "worker %d stands aside with %zu frames in its deque and %u ends to report",
                w.index, w.queue.size(), w.face.tally.n);
  w.queue.rewind();
  leave_arena(w);
  if (w.forks != nullptr) [[unlikely]]
    tell_short(w);
  w.offers = offer::everybody;
  send_ready(p, w);
  p.forward_mail_of(w);
  give_slot_back(w);
  w.stats.parks.add();
  record::emit(w.log, record::event_kind::park);
  const bool brought = w.brought_token_;
  if (!brought) p.have_sleepers(1);
  w.is_aside.store(1, std::memory_order_relaxed);  // relaxed: before the fence of either way below
  if (brought) {
    p.take_brought_token_away(w);
    real_atomics::fence_full();  // pairs with the fence_full in waker::deliver
  } else {
    // Its full fence pairs with the one in waker::deliver: that sees us aside, or we the frame.
    if (p.idle_word().leave())
      p.use_claim();
    else if (p.work_visible())
      p.work_is_visible();
    p.wake_who_has_work();
    p.grant_tokens();
  }
  // relaxed: the owner's own word; its stack is here already
  if (!w.returning.empty()) w.is_aside.store(0, std::memory_order_relaxed);
  sleep_and_watch(w.is_aside, 1);  // its acquire pairs with the release in waker::call
  record::emit(w.log, record::event_kind::wake);
  p.come_back(w, brought);
  resume_own(w);
}

void looking::resume_own(worker& w) noexcept {
  w.spends_time_on(record::time_state::overhead);
  w.busy.store(true, std::memory_order_relaxed);
}

}  // namespace kasuri::sched
