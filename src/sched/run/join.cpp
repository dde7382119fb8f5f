// SPDX-License-Identifier: Apache-2.0
// The join of a stolen frame: see the protocol in kasuri/detail/frame.hpp.

#include "kasuri/detail/join.hpp"

#include "platform/base/expect.hpp"
#include "sched/policy/routing.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/steal.hpp"
#include "profile/base/active.hpp"
#include "sched/measure/measured.hpp"
#include "sched/rules/routing_rules.hpp"
#include "sched/run/join.hpp"
#include "sched/run/loop.hpp"
#include "sched/worker/range.hpp"

namespace kasuri::sched {

bool join_routed(detail::frame* f, bool drop) noexcept {
  worker* w = current();
  routed_fork* const r = w->range->by;
  KASURI_EXPECT(cheap, r != nullptr && r->second == f && r->to >= 0 && r->to < w->home->workers(),
                "worker %d joins %p, its range is the first side of %p", w->index,
                static_cast<void*>(f), static_cast<void*>(r));
  letter mine;
  // Another worker's is left to it: that is where its data are.
  const bool taken = (drop || r->to == w->index) && w->home->at(r->to)->box.take(mine, f);
  if (taken) rules::release(mine.fork);
  if (taken && !drop) {
    wear_range(*w, mine.range);
    const suspended* const waiter = f->type->run(f);
    KASURI_EXPECT(cheap, waiter == nullptr && finished(f), "%p waits for %p, which its parent ran",
                  static_cast<const void*>(waiter), static_cast<void*>(f));
    w = opaque(current());
    if (mine.range != nullptr) rules::end_dealing(*w, *mine.range);
  }
  delete mine.range;
  if (!taken && !finished_soon(f)) wait_for(f);
  w = opaque(current());
  if (w->forks != nullptr) [[unlikely]]
    wait_ended(f);
  rules::close_fork(*opaque(current()), r);
  return taken && drop;
}

namespace {

// Tasks of a full queue that run before the one that fills it goes on.
constexpr std::uint32_t tasks_of_a_step = 64;

/// Lets others go first: a guest that waits for a token, this OS thread's own stack, or some of the
/// tasks of a full queue (the loop looks at its ready threads every so many turns). Without memory
/// for that the caller goes on itself.
void step_back(record::wait_reason reason) noexcept {
  static_cast<void>(try_suspend(
      reason,
      [](void*, suspended* s) noexcept {
        if (s->reason == record::wait_reason::queue_full) current()->patience = tasks_of_a_step;
        make_ready(s);
        return true;
      },
      nullptr));
}

}  // namespace

void answer_at_push(worker& w, detail::worker_slot* at, bool detached) noexcept {
  if (w.queue.asked()) {
    w.tick();
    answer_thieves(w);
  }
  if (w.home->crowded(w))
    step_back(record::wait_reason::yield);
  else if (detached && at != nullptr && w.queue.crowded(at))
    step_back(record::wait_reason::queue_full);
}

}  // namespace kasuri::sched

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

using sched::worker;

namespace {

/// `f` was pushed, on a worker that records. One that is joined by name is still its pusher's.
void note_push(worker& w, worker_slot* at, frame* f, bool detached, bool routes) noexcept {
  if (detached && !routes)
    sched::task_pushed(w, at, f);
  else if (!detached && routes)
    sched::task_created(f);
  else if (!detached)
    sched::fork_pushed(w, at, f);
}

/// Joins a fork that is measured: as take_back_or_wait, but that the caller's own second side runs
/// here as a thief's does.
bool join_measured(worker& w, sched::fork_node& n, worker_slot* at, bool lowered,
                   bool drop) noexcept {
  frame* const f = n.second;
  sched::end_first_side(w, n);
  const bool mine = w.queue.reclaim(&n, at, lowered);
  if (mine) {
    if (!drop) sched::run_second_side(w, n);
  } else {
    record::emit(w.log, record::event_kind::join, reinterpret_cast<std::uintptr_t>(f));
    const bool was_finished = sched::finished(f);
    sched::learn_from_join(w, at, was_finished);
    if (!was_finished && !sched::finished_soon(f)) sched::wait_for(f);
  }
  sched::close_fork(*sched::opaque(sched::current()), n);
  return mine && drop;
}

}  // namespace

void push_slow(worker_face* face, worker_slot* at, frame* f) noexcept {
  worker& w = sched::worker_of(face);
  KASURI_EXPECT(cheap, face == self(), "worker %d pushes for worker %d", sched::index_of_caller(),
                w.index);
  // By its slot, which is ours: the frame itself may be taken, run, and gone already.
  const bool detached = (at->load(std::memory_order_relaxed) & slot_detached) != 0;
  if (w.queue.refused(at)) {
    w.queue.drop_refused();
    if (detached)
      w.home->send(f);
    else
      f->join_word().store(join_held, std::memory_order_relaxed);
    return;
  }
  // A task that sleeps on its OS thread until a routed frame has run would keep the frames from
  // running that lie in its own worker's mailbox.
  const bool routes = w.range != nullptr && w.range->in.spans() && !sched::keeps_os_thread(w);
  if (w.forks != nullptr) [[unlikely]]
    note_push(w, at, f, detached, routes);
  if (routes && sched::route(w, at, detached)) [[unlikely]]
    at = nullptr;  // it lies in no deque
  sched::answer_at_push(w, at, detached);
}

bool give_queued() noexcept {
  worker* const w = sched::current();
  const std::size_t queued = w == nullptr ? 0 : w->queue.private_size();
  if (queued == 0) return false;
  sched::answer_at_push(*w, nullptr, false);
  // A worker that steps back publishes all its frames.
  return sched::opaque(sched::current()) != w || w->queue.private_size() < queued;
}

void spawn_slow(frame* f) {
  worker* w = sched::current();
  if (w == nullptr || sched::arena_of(f) != w->face.arena) {
    if (profile::active() && f->type->body != nullptr) [[unlikely]]
      sched::task_created(f->in);
    return (w == nullptr ? sched::pool::get() : *w->home).send(f);
  }
  w->queue.publish_structured();
  worker_slot* at;
  if (w->face.push(f, at, slot_detached)) push_slow(&w->face, at, f);
}

bool take_back_or_wait(frame* f, worker_slot* at, bool lowered, bool drop) noexcept {
  worker* w = sched::current();
  KASURI_EXPECT(cheap, w != nullptr && f->type != nullptr, "%p is joined by worker %d",
                static_cast<void*>(f), sched::index_of_caller());
  if (sched::was_routed(*w, f)) [[unlikely]]
    return sched::join_routed(f, drop);
  if (w->measures != nullptr) [[unlikely]]
    if (sched::fork_node* const n = sched::open_fork(*w, f))
      return join_measured(*w, *n, at, lowered, drop);
  if (w->queue.reclaim(f, at, lowered)) return true;
  if (f->join_word().load(std::memory_order_relaxed) == join_held) return true;
  record::emit(w->log, record::event_kind::join, reinterpret_cast<std::uintptr_t>(f));
  const bool was_finished = sched::finished(f);
  sched::learn_from_join(*w, at, was_finished);
  if (was_finished) return false;
  if (!sched::finished_soon(f)) sched::wait_for(f);
  return false;
}

suspended* finish(frame* f, std::uintptr_t code) noexcept {
  worker* const w = sched::current();
  if (w != nullptr && w->measures != nullptr) [[unlikely]]
    sched::frame_ends(*w, f);
  // acq_rel: pairs with the exchange in wait_for and the acquire in finished
  const std::uintptr_t before = f->join_word().exchange(code, std::memory_order_acq_rel);
  KASURI_EXPECT(cheap, before == join_empty || before > join_last_code,
                "%p ends with %zu, its word is %zu already", static_cast<void*>(f),
                static_cast<std::size_t>(code), static_cast<std::size_t>(before));
  return before > join_last_code ? reinterpret_cast<suspended*>(before) : nullptr;
}

}  // namespace detail
}  // namespace kasuri
