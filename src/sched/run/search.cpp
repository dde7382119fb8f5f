// SPDX-License-Identifier: Apache-2.0
// The next frame for a worker: its own, stolen, or after a sleep. pool/sources.hpp has where it
// looks.

#include "kasuri/detail/join.hpp"
#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "record/recorder.hpp"
#include "sched/measure/on_the_way.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/pool/pool.hpp"
#include "sched/pool/ready.hpp"
#include "sched/pool/sources.hpp"
#include "sched/pool/steal.hpp"
#include "sched/run/gate.hpp"
#include "sched/run/looking.hpp"
#include "sched/run/loop.hpp"
#include "sched/worker/range.hpp"

namespace kasuri::sched {

detail::frame* looking::next(worker& w) noexcept {
  KASURI_EXPECT(cheap, current() == &w && w.next_range == nullptr,
                "worker %d looks for worker %d, which has a range %p for what it has found",
                index_of_caller(), w.index, static_cast<void*>(w.next_range));
  pool& p = *w.home;
  if (p.orphan() != nullptr) [[unlikely]]
    return next_alone(p, w);
  detail::frame* const f = find(p, w);
  if (f == nullptr || w.patience != 0) return f;
  detail::frame* const only_here = w.take_returning();
  if (only_here == nullptr) return f;
  // The frame that only this worker may run goes first: `f` may come to wait for it, and others can
  // take f.
  drop_next_range(w);
  if (w.ready.put(f)) {
    real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
    p.work_is_visible();
  } else {
    p.send(f);
  }
  return only_here;
}

detail::frame* looking::find(pool& p, worker& w) noexcept {
  w.tick();
  if (p.keeps_to_own(w)) [[unlikely]]
    return next_of_its_own(p, w);
  if (w.just_started) {
    w.just_started = false;
    note_spare(p, w, record::event_kind::spare_begin);
    return search(p, w);
  }
  if (p.must_step_aside(w)) {  // before its own stack's thread, which has just made room perhaps
    settle_tally(w);
    w.busy.store(false, std::memory_order_relaxed);
    p.idle_word().start_search();
    leave_arena(w);
    w.spends_time_on(record::time_state::idle);
    step_aside(p, w);
    return search(p, w);
  }
  if (w.patience != 0) {
    --w.patience;
  } else if (detail::frame* f = w.take_returning()) {
    settle_tally(w);
    return f;
  }
  if (w.queue.asked() && !w.queue.empty()) answer_thieves(w);
  search_round own{.all = p, .w = w};
  detail::frame* f = next_own(own);
  if (w.face.tally.of != nullptr && (f == nullptr || !belongs(f, w.face.tally.of))) {
    if (suspended* waiter = detail::report_tally(&w.face)) {
      if (f == nullptr) return waiter;
      make_ready(waiter);
    }
  }
  if (f != nullptr && is_anothers(p, w, f)) [[unlikely]]
    return p.send(f), next_of_its_own(p, w);
  if (f != nullptr) return f;
  KASURI_EXPECT(cheap, w.queue.size() == 0 && w.face.tally.of == nullptr,
                "worker %d looks elsewhere, with %zu frames and %u ends to report", w.index,
                w.queue.size(), w.face.tally.n);
  w.queue.rewind();
  p.idle_word().start_search();
  leave_arena(w);  // now that it counts as searching: nobody need be woken for the permit
  return search(p, w);
}

namespace {

/// What comes last otherwise, in the fair turn `n`: each before the others in turn, as a ring of
/// those who wake each other, or who only let others go first, is never empty.
detail::frame* look_in_fair_turn(search_round& r, std::uint32_t n) noexcept {
  using sources::inbox, sources::own_ring, sources::waiting_for_permit;
  if (n % 3 == 0) return sources::list<own_ring, waiting_for_permit, inbox>::look(r);
  if (n % 3 == 1) return sources::list<inbox, own_ring, waiting_for_permit>::look(r);
  return sources::list<waiting_for_permit, inbox, own_ring>::look(r);
}

/// As next_own where priorities are in use: what was sent with a high one comes first, but for each
/// fair turn. Those belong to the inbox of low priority, to what comes last otherwise and to the
/// worker's own frames, one after the other.
[[gnu::cold]] detail::frame* next_own_by_priority(search_round& r, bool is_fair_turn) noexcept {
  if (is_fair_turn) {
    const std::uint32_t n = r.w.turns / fair_turn;
    detail::frame* const f = n % 3 == 0   ? r.all.take_from_inbox(priority::low)
                             : n % 3 == 1 ? look_in_fair_turn(r, n / 3)
                                          : sources::own::look(r);
    if (f != nullptr) return f;
  }
  if (detail::frame* f = r.all.take_from_inbox(priority::high)) return f;
  return sources::own::look(r);
}

}  // namespace

/// A frame that comes to the worker without a search, or null: one whose time has come before all
/// others. Every so many turns the ring and the inbox, which come last otherwise, come first.
detail::frame* looking::next_own(search_round& r) noexcept {
  const bool is_fair_turn = ++r.w.turns % fair_turn == 0;
  if (!is_fair_turn)
    if (detail::frame* f = r.all.take_due()) return f;
  if (use_priorities()) [[unlikely]]
    return next_own_by_priority(r, is_fair_turn);
  if (is_fair_turn)
    if (detail::frame* f = look_in_fair_turn(r, r.w.turns / fair_turn)) return f;
  return sources::own::look(r);
}

/// Where priorities are in use the worker looks for the highest first, at all others, then for the
/// next.
detail::frame* looking::look_at_others(search_round& r) noexcept {
  if (!use_priorities()) [[likely]]
    return sources::others::look(r);
  detail::frame* f = nullptr;
  for (const priority p : {priority::high, priority::normal, priority::low}) {
    r.w.seeks = p;
    if ((f = sources::others::look(r)) != nullptr) break;
  }
  r.w.seeks = priority::normal;
  return f;
}

/// A frame from the first source that has one, or null. `own`: it came to the worker, by no steal.
detail::frame* looking::look_around(search_round& r, std::uint64_t since, unsigned& looks,
                                    bool& own) noexcept {
  own = false;
  if (detail::frame* f = sources::answer::look(r)) return f;
  own = true;
  if (detail::frame* f = sources::returning::look(r)) return f;
  if (detail::frame* f = next_own(r)) return f;
  own = false;
  r.idle_for = platform::ticks() - since;
  r.custom = custom_steals.load(std::memory_order_relaxed);
  if (r.custom == nullptr) r.holds_back = r.all.scheduling().holds_back(r.w, r.idle_for, looks++);
  return look_at_others(r);
}

/// The worker runs `found`, which it has taken.
detail::frame* looking::end_search(pool& p, worker& w, detail::frame* found, bool own) noexcept {
  p.outside_work().leave(w);
  p.scheduling().has_found(w, own);
  w.spends_time_on(record::time_state::overhead);
  withdraw(w);
  KASURI_EXPECT(cheap, found != nullptr && p.counts().searching != 0,
                "worker %d has found %p; active %u, searching %u", w.index,
                static_cast<void*>(found), p.counts().active, p.counts().searching);
  w.busy.store(true, std::memory_order_relaxed);
  if (p.idle_word().stop_search()) p.use_claim();
  monitor::get().tokens_changed(p.counts());
  return found;
}

/// After a round that found nothing: steps aside, waits a moment, or sleeps.
looking::rest looking::rest_between(const search_round& r, std::uint64_t since,
                                    unsigned round) noexcept {
  pool& p = r.all;
  worker& w = r.w;
  if (w.stats.role != record::worker_role::guest && p.stopping() && !r.saw_work && withdraw(w)) {
    p.outside_work().stop(w);
    KASURI_EXPECT(cheap, w.queue.size() == 0 && w.ready.empty(),
                  "worker %d ends, with %zu frames in its deque", w.index, w.queue.size());
    return rest::ends;
  }
  if (p.idle_word().crowded()) {
    if (!withdraw(w)) return rest::looks_on;
    p.outside_work().stop(w);
    step_aside(p, w);
    return rest::has_slept;
  }
  if (r.holds_back) {
    detail::yield_processor();  // the owner of its work may be waiting for this very processor
  } else if (r.saw_work) {
    real_atomics::backoff(round % 128);  // an owner that does not answer may be preempted
  } else if (platform::ticks() - since >= p.ticks().spin) {
    if (!withdraw(w) || sleep_outside(p, w)) return rest::looks_on;
    sleep(p, w);
    return rest::has_slept;
  } else {
    for (int i = 0; i != 4 && !w.answer.answered(); ++i) real_atomics::pause();
  }
  return rest::looks_on;
}

/// Precondition: the worker counts as searching.
detail::frame* looking::search(pool& p, worker& w) noexcept {
  KASURI_EXPECT(cheap, p.counts().searching != 0 && w.face.tally.of == nullptr,
                "worker %d searches, with %u ends to report; active %u, searching %u", w.index,
                w.face.tally.n, p.counts().active, p.counts().searching);
  KASURI_EXPECT(cheap, w.face.arena == nullptr, "worker %d searches, with a permit of %p", w.index,
                static_cast<void*>(w.face.arena));
  w.busy.store(false, std::memory_order_relaxed);
  if (w.forks != nullptr) [[unlikely]]
    tell_short(w);
  w.offers = offer::everybody;
  w.spends_time_on(record::time_state::idle);
  std::uint64_t since = platform::ticks();
  unsigned looks = 0;  // of which the policy has been asked whether they are to hold back
  for (unsigned round = 0;; ++round) {
    w.tick();
    if (p.keeps_to_own(w)) [[unlikely]]
      return search_no_more(p, w);
    search_round r{.all = p, .w = w, .patience = p.ticks().patience};
    bool own = false;
    detail::frame* const f = look_around(r, since, looks, own);
    if (w.timing) w.stats.time.looked(r.saw_work || f != nullptr);
    if (f != nullptr && is_anothers(p, w, f)) [[unlikely]] {
      p.send(f);
      continue;
    }
    if (f != nullptr) return end_search(p, w, f, own);
    switch (rest_between(r, since, round)) {
      case rest::looks_on:
        break;
      case rest::has_slept:
        since = platform::ticks(), looks = 0;
        break;
      case rest::ends:
        return nullptr;
    }
  }
}

}  // namespace kasuri::sched
