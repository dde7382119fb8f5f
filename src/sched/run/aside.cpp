// SPDX-License-Identifier: Apache-2.0
// Threads that keep to their own.
//
// A guest's own stack leaves its OS thread while it waits, and has to come back to that thread
// before it leaves the pool; so has the stack of an OpenMP dock to its worker. Meanwhile the OS
// thread takes frames of any region and library, as each worker does. The code of such a frame may
// sleep in the system until the stack goes on: a job of oneTBB sleeps in libtbb for a task that
// stands on that very stack, which waits for the OS thread that the job sleeps on. So while a
// library is connected whose threads sleep for each other, an OS thread that is home of a stack
// runs what lies in its own deque and nothing else. That was forked by what runs there, and has to
// end before the stack goes on in any case:
//
//   runs the stack, or a frame of its own deque <---------,
//     |  neither is there                                 |
//     v                                                   |
//   waits a moment awake, with its token -----------------|  the stack comes home
//     |  nothing came                                     |
//     v                                                   |
//   aside: gives its token to a worker, sleeps -----------'  (deliver), with a token again
//
// Aside it counts neither as active nor as sleeping: no claim reaches it, since it would not look
// for the work that a claim is made for. Every so many turns, and when a thread yields there, it
// queues for its token behind others that wait (let_others_go): it would not run their work.

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
#include "sched/run/loop.hpp"
#include "sched/watch/deadlock.hpp"
#include "sched/worker/slot.hpp"

namespace kasuri::sched {

namespace {

/// What tasks on `w` have woken belongs to anybody.
void send_ready(pool& p, worker& w) noexcept {
  bool any = false;
  for (detail::frame* f; (f = w.ready.take()) != nullptr; any = true) p.send(f);
  if (any) p.anybody_may_come();  // behind the fence of send
}

/// Whether work of others waits and all tokens are in use, or `w` is asked to make room.
bool others_wait(const pool& p, worker& w) noexcept {
  if (p.must_step_aside(w)) return true;
  const idle_counts c = p.counts();
  if (c.waiting != 0) return false;  // they have not waited for long
  return c.active >= c.limit && p.offered_by_others(w);
}

}  // namespace

/// The next frame of `w`, which keeps to its own.
detail::frame* looking::next_of_its_own(pool& p, worker& w) noexcept {
  for (;;) {
    if (w.queue.asked() && !w.queue.empty()) answer_thieves(w);
    if (++w.turns % fair_turn == 0 || p.must_step_aside(w)) {
      leave_arena(w);  // no permit without a token
      let_others_go(w);
    }
    if (w.patience != 0) {
      --w.patience;
    } else if (detail::frame* f = w.take_returning()) {
      settle_tally(w);
      return f;
    }
    detail::frame* const f = w.queue.pop();
    if (w.face.tally.of != nullptr && (f == nullptr || !belongs(f, w.face.tally.of)))
      settle_tally(w);
    send_ready(p, w);
    if (f != nullptr) return f;
    if (detail::frame* own_stack = await_own_stack(p, w)) return own_stack;
    stand_aside(p, w);
  }
}

/// For as long as an idle worker looks for work. Null: the stack did not come.
detail::frame* looking::await_own_stack(const pool& p, worker& w) noexcept {
  w.busy.store(false, std::memory_order_relaxed);
  w.spends_time_on(record::time_state::idle);
  const std::uint64_t since = platform::ticks();
  detail::frame* f;
  for (unsigned round = 1; (f = w.take_returning()) == nullptr; ++round) {
    if (platform::ticks() - since >= p.ticks().spin || p.idle_word().crowded()) break;
    if (round % 16 == 0 && others_wait(p, w)) break;
    w.tick();
    for (int i = 0; i != 4; ++i) real_atomics::pause();
  }
  if (f != nullptr) goes_on(w);
  return f;
}

/// Sleeps until the stack comes home, and has a token behind it.
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
  give_slot_back(w);
  w.stats.parks.add();
  record::emit(w.log, record::event_kind::park);
  w.is_aside.store(1, std::memory_order_relaxed);  // relaxed: before the fence of give_token_up
  // Its full fence pairs with the one in waker::deliver: that sees us aside, or we the frame.
  const bool brought = p.give_token_up(w);
  p.forward_mail_of(w);  // what was posted until it was seen aside
  // relaxed: the owner's own word; its stack is here already
  if (!w.returning.empty()) w.is_aside.store(0, std::memory_order_relaxed);
  sleep_and_watch(w.is_aside, 1);  // its acquire pairs with the release in waker::call
  record::emit(w.log, record::event_kind::wake);
  p.come_back(w, brought);
  goes_on(w);
}

/// `w` keeps to its own and others may wait for its token: it queues for another one behind them.
/// Its own frames may be taken meanwhile.
void looking::let_others_go(worker& w) noexcept {
  pool& p = *w.home;
  send_ready(p, w);
  // A token that it has brought is of no use to others. A task that yields may have a permit, which
  // is not kept without a token.
  if (w.brought_token_ || w.face.arena != nullptr || !others_wait(p, w)) return;
  w.others_wait_since_ = 0;
  settle_tally(w);
  w.queue.publish_all();
  give_slot_back(w);
  w.busy.store(false, std::memory_order_relaxed);
  w.spends_time_on(record::time_state::idle);
  p.come_back(w, p.give_token_up(w));
  goes_on(w);
}

/// Whether `w` has taken the frame just before it had to keep to its own. What it has forked itself
/// may go elsewhere, too.
bool looking::is_anothers(const pool& p, const worker& w, const detail::frame* f) noexcept {
  return p.keeps_to_own(w) &&
         (f->type->run != nullptr || static_cast<const suspended*>(f)->home != &w);
}

/// A search began before the worker had to keep to its own.
detail::frame* looking::search_no_more(pool& p, worker& w) noexcept {
  static_cast<void>(withdraw(w));  // a frame that a victim gave meanwhile is sent from the ring
  p.outside_work().stop(w);
  goes_on(w);
  if (p.idle_word().stop_search()) p.use_claim(nullptr);
  return next_of_its_own(p, w);
}

void looking::goes_on(worker& w) noexcept {
  w.spends_time_on(record::time_state::overhead);
  w.busy.store(true, std::memory_order_relaxed);
}

}  // namespace kasuri::sched
