// SPDX-License-Identifier: Apache-2.0
// The next frame for a worker: its own, stolen, or after a sleep.

#include <utility>

#include "kasuri/detail/join.hpp"
#include "platform/clock.hpp"
#include "platform/park.hpp"
#include "record/recorder.hpp"
#include "sched/policy/custom_steal.hpp"
#include "sched/policy/search_rules.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/pool/outside.hpp"
#include "sched/pool/pool.hpp"
#include "sched/watch/deadlock.hpp"
#include "sched/worker/slot.hpp"

namespace kasuri::sched {

detail::frame* pool::next_own(worker& w) noexcept {
  if (++w.turns % fair_turn == 0) {
    if (detail::frame* f = w.ready.take()) return f;
    if (detail::frame* f = take_from_inbox()) return f;
  }
  if (detail::frame* f = w.queue.pop()) return f;
  if (detail::frame* f = w.ready.take()) return f;
  return take_letter(w);
}

/// What was sent to the worker, or to its node.
detail::frame* pool::take_letter(worker& w) noexcept {
  letter l;
  if (w.box.take(l)) return open(w, l);
  if (static_cast<std::size_t>(w.node) < node_boxes_.size() &&
      node_boxes_[static_cast<std::size_t>(w.node)].take(l))
    return open(w, l);
  return nullptr;
}

/// What was sent to others that have let it lie.
detail::frame* pool::take_far_letter(worker& w) noexcept {
  letter l;
  for (mailbox& box : node_boxes_)
    if (box.take(l)) return open(w, l);
  const auto may = [&w](const extent& range) { return rules::may_open_wide(w, range); };
  for (int i = 0, n = workers(); i != n; ++i) {
    worker* const v = at(i);
    if (v == nullptr || v == &w) continue;
    if (policy_->may_open(w, *v) ? v->box.take(l, policy_->depth_of(w)) : v->box.take_wide(l, may))
      return open(w, l);
  }
  return nullptr;
}

/// Reports what the worker owes a group before it turns to something else.
void settle_tally(worker& w) noexcept {
  if (w.face.tally_of == nullptr) return;
  if (suspended* waiter = detail::report_tally(&w.face)) make_ready(waiter);
}

detail::frame* pool::next(worker& w) noexcept {
  if (orphan_ != nullptr) [[unlikely]] return next_alone(w);
  detail::frame* const f = find(w);
  if (f == nullptr || w.patience != 0) return f;
  detail::frame* const only_here = w.take_returning();
  if (only_here == nullptr) return f;
  // What only this worker may run goes first: `f` may come to wait for it, and others can take f.
  drop_next_range(w);
  if (w.ready.put(f)) {
    real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
    work_is_visible();
  } else {
    send(f);
  }
  return only_here;
}

detail::frame* pool::find(worker& w) noexcept {
  w.tick();
  if (w.just_started) {
    w.just_started = false;
    note_spare(w, record::event_kind::spare_begin);
    return search(w);
  }
  if (must_step_aside(w)) {  // before its own stack's thread, which has just made room perhaps
    settle_tally(w);
    w.busy.store(false, std::memory_order_relaxed);
    idle_.start_search();
    step_aside(w);
    return search(w);
  }
  if (w.patience != 0) {
    --w.patience;
  } else if (detail::frame* f = w.take_returning()) {
    settle_tally(w);
    return f;
  }
  if (w.queue.asked() && !w.queue.empty()) answer_thieves(w);
  detail::frame* f = next_own(w);
  if (w.face.tally_of != nullptr && (f == nullptr || !belongs(f, w.face.tally_of))) {
    if (suspended* waiter = detail::report_tally(&w.face)) {
      if (f == nullptr) return waiter;
      make_ready(waiter);
    }
  }
  if (f != nullptr) return f;
  w.queue.rewind();
  idle_.start_search();
  return search(w);
}

/// What the owner that `w` asked has given it, or null.
detail::frame* pool::take_answer(worker& w) noexcept {
  if (!w.answer.is_open() || !w.answer.answered()) return nullptr;
  const int victim = w.answer.owner();
  detail::frame* f = w.answer.close();
  if (f != nullptr) note_steal(w, victim, f);
  return f;
}

/// Before `w` stops looking: nobody may give it a frame any more. False: somebody has, and it is in
/// its ring now.
bool pool::withdraw(worker& w) noexcept {
  if (!w.answer.is_open()) return true;
  const int victim = w.answer.owner();
  detail::frame* f = w.answer.close();
  if (f == nullptr) return true;
  note_steal(w, victim, f);
  if (!w.ready.put(f)) send(f);
  return false;
}

/// Precondition: the worker counts as searching.
detail::frame* pool::search(worker& w) noexcept {
  w.busy.store(false, std::memory_order_relaxed);
  w.offers = offer::everybody;
  w.spends_time_on(record::time_state::idle);
  std::uint64_t since = platform::ticks();
  unsigned looks = 0;
  for (unsigned round = 0;; ++round) {
    w.tick();
    look l;
    l.found = take_answer(w);
    const bool answered = l.found != nullptr;
    if (l.found == nullptr) l.found = w.take_returning();
    if (l.found == nullptr) l.found = next_own(w);
    const bool own = l.found != nullptr && !answered;
    const std::uint64_t idle_for = platform::ticks() - since;
    const bool custom = steals_are_custom.load(std::memory_order_relaxed);
    const bool holds_back =
        l.found == nullptr && !custom && policy_->holds_back(w, idle_for, looks++);
    bool by_policy = true;
    if (l.found == nullptr && custom) [[unlikely]]
      l = custom_steal(w, *this, by_policy);
    if (l.found == nullptr && by_policy && !holds_back) l = policy_->steal_near(w, *this);
    if (l.found == nullptr) l.found = take_from_inbox();
    if (l.found == nullptr && !holds_back && idle_for >= patience_ticks_)
      l.found = take_far_letter(w);
    if (l.found == nullptr && by_policy) {
      const look far = policy_->steal_far(w, *this);
      l = {far.found, l.saw_work || far.saw_work};
    }
    if (l.found == nullptr && !l.saw_work) l.found = look_outside(w);
    if (w.timing) w.stats.time.looked(l.saw_work || l.found != nullptr);
    if (l.found != nullptr) {
      leave_outside(w);
      policy_->has_found(w, own);
      w.spends_time_on(record::time_state::overhead);
      withdraw(w);
      w.busy.store(true, std::memory_order_relaxed);
      if (idle_.stop_search()) use_claim();
      monitor::get().tokens_changed(idle_.counts());
      return l.found;
    }
    if (w.stats.role != record::worker_role::guest &&
        stopping_.load(std::memory_order_relaxed) && !l.saw_work && withdraw(w)) {
      stop_looking_outside(w);
      return nullptr;
    }
    if (idle_.crowded()) {
      if (!withdraw(w)) continue;
      stop_looking_outside(w);
      step_aside(w);
      since = platform::ticks(), looks = 0;
    } else if (holds_back) {
      detail::yield_processor();  // who has its work may be waiting for this very processor
    } else if (l.saw_work) {
      real_atomics::backoff(round % 128);  // an owner that does not answer may be preempted
    } else if (platform::ticks() - since >= spin_ticks_) {
      if (!withdraw(w) || sleep_outside(w)) continue;
      sleep(w);
      since = platform::ticks(), looks = 0;
    } else {
      for (int i = 0; i != 4 && !w.answer.answered(); ++i) real_atomics::pause();
    }
  }
}

/// What idle::prepare_sleep asks about before `w` sleeps.
struct pool::view {
  pool& p;
  worker& w;
  void ask_all() noexcept { p.ask_all(); }
  bool work_visible() const noexcept {
    return p.work_offered(&w) || !w.returning.empty() ||
           p.stopping_.load(std::memory_order_relaxed);
  }
};

/// Looks for work of other processes, if nobody else of this one does.
detail::frame* pool::look_outside(worker& w) noexcept {
  if (!outside_.is_open() && !outside_.looks(w)) [[likely]] return nullptr;
  if (outside_.somebody_looks() && !outside_.looks(w)) return nullptr;
  outside* const o = outside_.enter(w);
  if (o == nullptr) return nullptr;
  if (!o->active()) {
    stop_looking_outside(w);
    return nullptr;
  }
  if (outside_rest_ns_ != 0 && !o->glance()) return nullptr;
  outside_rest_ns_ = 0;
  detail::frame* const f = o->look();
  if (f == nullptr) outside_rest_ns_ = o->rest();
  return f;
}

void pool::stop_looking_outside(worker& w) noexcept {
  if (!outside_.looks(w)) return;
  outside_rest_ns_ = 0;
  outside_.leave(w);
}

/// It has found a task.
void pool::leave_outside(worker& w) noexcept {
  if (!outside_.looks(w)) [[likely]] return;
  if (outside* const o = outside_.object()) o->leave();
  stop_looking_outside(w);
}

void pool::set_outside(outside& o) noexcept { outside_.open(o); }

void pool::end_outside() noexcept {
  outside_.end([](outside& o) { o.interrupt(); });
}

/// In place of sleep, for the one that looks outside. False: `w` is not that one.
bool pool::sleep_outside(worker& w) noexcept {
  if (!outside_.looks(w)) return false;
  outside* const o = outside_.object();
  const std::uint64_t ns = std::exchange(outside_rest_ns_, 0);
  if (ns != 0 && o != nullptr) sleep(w, o, ns);
  return true;
}

/// Sleeps until somebody clears the flag, somebody calls from outside, or the time is over.
void pool::nap_outside(worker& w, outside& o, std::uint64_t ns) noexcept {
  grant_tokens();  // the one just given up may be wanted
  shares_.end(w);
  w.stats.parks.add();
  record::emit(w.log, record::event_kind::park);
  w.naps_outside.store(true, std::memory_order_relaxed);
  real_atomics::fence_full();  // pairs with the one in wake
  if (w.asleep.load(std::memory_order_relaxed) == flag::dozing) o.nap(ns);
  w.naps_outside.store(false, std::memory_order_relaxed);
  record::emit(w.log, record::event_kind::wake);
  // acquire: pairs with the exchange of asleep by the waker
  if (w.asleep.load(std::memory_order_acquire) != flag::dozing) return;
  if (idle_.claim_for_one()) {
    use_claim_on(w);
    return;
  }
  // All tokens are in use: whoever has one and runs out of work looks outside in its stead. Unless it has
  // done so already and has left that to us.
  stop_looking_outside(w);
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep: see nobody_looks_outside
  if (idle_.claim_for_one())
    use_claim_on(w);
  else
    doze(w);
}

/// For who sleeps now, behind a fence, and has left looking outside to another.
bool pool::nobody_looks_outside() noexcept {
  bool active = false;
  outside_.with([this, &active](const outside& o) { active = !outside_.somebody_looks() && o.active(); });
  return active;
}

void pool::sleep(worker& w, outside* napping, std::uint64_t nap_ns) noexcept {
  give_slot_back(w);
  wake_who_has_work();  // what this worker sees may be for those alone
  view v{*this, w};
  if (!idle_.prepare_sleep(w.asleep, v)) return;
  // It may have become ready while there was no token: nobody who gives one back looks for that.
  if (!w.returning.empty()) call(w);
  wake_who_has_work();
  if (napping != nullptr) [[unlikely]] return nap_outside(w, *napping, nap_ns);
  if (nobody_looks_outside() && idle_.claim_for_one()) [[unlikely]] {
    use_claim_on(w);
    return;
  }
  doze(w);
}

/// Behind a full fence that follows the change by which a token was given up: for workers that were sent
/// something and could not be woken because there was no token (either that sender saw the token, or we the
/// frame), and for those that stepped aside with work that others may not take. (Also before a sleep, where it
/// is asked again behind the fence.)
void pool::wake_who_has_work() noexcept {
  for (int i = 0, n = workers(); i != n; ++i) {
    worker* v = at(i);
    if (v == nullptr || v->asleep.load(std::memory_order_relaxed) == flag::awake) continue;
    if (v->box.empty() && v->queue.empty() && v->ready.empty()) continue;
    if (!idle_.claim_for_one()) return;
    use_claim_on(*v);
  }
}

/// A spare's time awake is on behalf of the worker that was found stuck last.
void pool::note_spare(worker& w, record::event_kind begin_or_end) noexcept {
  if (w.stats.role == record::worker_role::spare)
    record::emit_spare(w.log, begin_or_end,
                       static_cast<std::uint16_t>(lent_for_.load(std::memory_order_relaxed)));
}

/// Sleeps until somebody clears the flag.
void pool::doze(worker& w) noexcept {
  grant_tokens();  // the one just given up may be wanted
  w.stats.parks.add();
  note_spare(w, record::event_kind::spare_end);
  record::emit(w.log, record::event_kind::park);
  sleep_and_watch(w.asleep, flag::dozing);  // its acquire pairs with the exchange of asleep by the waker
  shares_.begin_if_asked(w);
  record::emit(w.log, record::event_kind::wake);
  note_spare(w, record::event_kind::spare_begin);
  if (w.timing) w.stats.time.looked(false);
}

bool pool::must_step_aside(worker& w) const noexcept {
  const idle_counts c = idle_.counts();
  if (c.waiting == 0) [[likely]]
    w.others_wait_since = 0;
  if (c.active > c.limit) return true;
  if (c.waiting == 0) return false;
  const std::uint64_t now = platform::ticks();
  if (w.others_wait_since == 0) w.others_wait_since = now;
  return now - w.others_wait_since >= slice_ticks_;
}

/// Sleeps although there is work: a guest waits for a token, or there are more threads than tokens.
void pool::step_aside(worker& w) noexcept {
  w.others_wait_since = 0;
  give_slot_back(w);
  w.queue.publish_all();
  w.asleep.store(flag::dozing, std::memory_order_relaxed);
  idle_.fall_asleep();
  grant_tokens();
  // pairs with the fence_full before idle::claim of those who push, in deliver, and in
  // lifetime::stop: what they made visible, or our flag, is seen by one of us
  real_atomics::fence_full();
  work_is_visible();  // our own frames, if the token was not wanted after all
  if (!w.returning.empty() ||
      stopping_.load(std::memory_order_relaxed))
    call(w);
  wake_who_has_work();
  doze(w);
}

void pool::ask_all() noexcept {
  const std::uint64_t now = platform::ticks();
  for (int i = 0, n = workers(); i != n; ++i)
    if (worker* v = at(i); v != nullptr && v->queue.ask() &&
                           v->asked_since.load(std::memory_order_relaxed) < now)
      v->asked_since.store(now, std::memory_order_relaxed);
}

/// Whether `who` may open something that was sent to `owner`.
bool pool::has_letter_for(const worker& owner, const worker& who) const noexcept {
  if (policy_->may_open(who, owner)) return owner.box.reaches(policy_->depth_of(who));
  return owner.box.has_wide([&](const extent& range) { return rules::may_open_wide(who, range); });
}

template <class Has>
bool pool::work_anywhere(const worker* who, Has has) const noexcept {
  if (!inbox_.empty()) return true;
  for (const mailbox& box : node_boxes_)
    if (!box.empty()) return true;
  for (int i = 0, n = workers(); i != n; ++i) {
    const worker* v = at(i);
    if (v == nullptr) continue;
    if (who == nullptr || v == who ? !v->box.empty() : has_letter_for(*v, *who)) return true;
    if (who != nullptr && v != who && !policy_->may_take(*who, *v)) continue;
    if (!v->ready.empty() || has(*v)) return true;
  }
  return false;
}

bool pool::work_offered(const worker* who) const noexcept {
  return work_anywhere(who, [](const worker& w) {
    return !w.queue.empty() && (w.queue.has_public() || !w.left_alone(platform::ticks()));
  });
}

bool pool::work_visible() const noexcept {
  return work_anywhere(nullptr, [](const worker& w) { return !w.queue.empty(); });
}

}  // namespace kasuri::sched
