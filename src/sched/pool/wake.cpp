// SPDX-License-Identifier: Apache-2.0
// Waking sleepers: for work that was made visible, and for what one worker alone may run.
// kernel/idle.hpp has the protocol.

#include "platform/clock.hpp"
#include "platform/park.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/pool/policy.hpp"
#include "sched/pool/pool.hpp"

namespace kasuri::sched {

void pool::work_is_visible() noexcept {
  if (idle_.claim()) use_claim();
}

/// Whether some sleeper is one to wake for what the caller has.
bool pool::wakes_any(const worker& self) const noexcept {
  if (!policy_->routes()) return true;
  for (int i = 0, n = workers(); i != n; ++i)
    if (const worker* v = at(i); v != nullptr &&
                                 v->asleep.load(std::memory_order_relaxed) != flag::awake &&
                                 policy_->wakes(*v, self))
      return true;
  return false;
}

void pool::use_claim() noexcept {
  // Workers that have a thread first; a flag must be set somewhere: see idle.hpp.
  const worker* const self = current();
  for (bool with_thread = true;; with_thread = !with_thread) {
    const std::uint32_t wanted = with_thread ? flag::dozing : flag::threadless;
    if (self != nullptr && with_thread && !wakes_any(*self)) return idle_.give_back();
    for (int i = 0, n = workers(); i != n; ++i) {
      worker* v = at(i);
      if (v == nullptr || v->asleep.load(std::memory_order_relaxed) != wanted) continue;
      if (self != nullptr && !policy_->wakes(*v, *self)) continue;
      // acq_rel: pairs with the store of asleep in idle::prepare_sleep
      const std::uint32_t was = v->asleep.exchange(flag::awake, std::memory_order_acq_rel);
      if (was == flag::awake) continue;
      if (!wake(*v, was)) free_frame_of(*v);
      return;
    }
  }
}

/// Uses a claim that is for `w`, or gives it back when `w` is awake. False as wake.
bool pool::use_claim_on(worker& w) noexcept {
  // acq_rel: pairs with the store of asleep in idle::prepare_sleep
  if (const auto was = w.asleep.exchange(flag::awake, std::memory_order_acq_rel);
      was != flag::awake)
    return wake(w, was);
  idle_.give_back();
  // A thread that has pushed something meanwhile saw somebody search, and that was this claim.
  if (work_visible()) work_is_visible();
  return true;
}

/// For the thread that has cleared the flag of `w`; the flag was `was`. False: the system gives no
/// thread for it.
bool pool::wake(worker& w, std::uint32_t was) noexcept {
  if (worker* self = current()) self->stats.wakes.add();
  if (was == flag::dozing) {
    outside_.with([&w](outside& o) {
      // pairs with the one in nap_outside: it sees the flag, or we that it naps
      real_atomics::fence_full();
      // relaxed: after the fence above
      if (w.naps_outside.load(std::memory_order_relaxed)) o.interrupt();
    });
    platform::unpark(w.asleep, 1);
    return true;
  }
  if (threads_.start(w)) return true;
  // relaxed: before the fence in free_frame_of()
  w.gone.store(true, std::memory_order_relaxed);
  idle_.claimed_worker_is_gone();
  return false;
}

/// For the thread of `w`, which was started by a claim and ends at once.
void pool::started_in_vain(worker& w) noexcept {
  // relaxed: before the fence in free_frame_of()
  w.gone.store(true, std::memory_order_relaxed);
  idle_.claimed_worker_is_gone();
  free_frame_of(w);
}

/// Somebody else may have delivered a frame to the worker that is gone: others run it.
void pool::free_frame_of(worker& gone) noexcept {
  real_atomics::fence_full();  // pairs with the one in deliver: it sees `gone`, or we see the frame
  if (detail::frame* f = gone.take_returning()) send(f);
}

/// Behind a full fence that follows the change by which a token was given up: for workers that were
/// sent something and could not be woken because there was no token (either that sender saw the
/// token, or we the frame), and for those that stepped aside with work that others may not take.
/// (Also before a sleep, where it is asked again behind the fence.)
void pool::wake_who_has_work() noexcept {
  for (int i = 0, n = workers(); i != n; ++i) {
    worker* v = at(i);
    // relaxed: after the fence in leave() of sched/kernel/idle.hpp, or of another caller
    if (v == nullptr || v->asleep.load(std::memory_order_relaxed) == flag::awake) continue;
    if (v->box.empty() && v->queue.empty() && v->ready.empty()) continue;
    if (!idle_.claim_for_one()) return;
    use_claim_on(*v);
  }
}

void pool::ask_all() noexcept {
  const std::uint64_t now = platform::ticks();
  for (int i = 0, n = workers(); i != n; ++i)
    if (worker* v = at(i);
        v != nullptr && v->queue.ask() && v->asked_since.load(std::memory_order_relaxed) < now)
      v->asked_since.store(now, std::memory_order_relaxed);
}

// ---- what one worker alone may run --------------------------------------------------------------

bool pool::deliver(worker& w, detail::frame* f) noexcept {
  if (orphan_ != nullptr) [[unlikely]] {
    if (&w == orphan_) w.bring(f);
    return &w == orphan_;
  }
  w.bring(f);
  // Before the request too: an owner that puts its limit back sees the frame, or we the limit.
  // pairs with the fence_heavy in idle::prepare_sleep, the fence_full in step_aside and in
  // answer_thieves
  real_atomics::fence_full();
  w.queue.ask();  // a push of the task that runs there meanwhile makes room
  monitor::get().look_out();
  // The frame may be on its way already, by who found out before us that there is no thread.
  return call(w) || w.take_returning() == nullptr;
}

/// Wakes `w`, if it sleeps, as soon as there is a token for it. False: there is no thread behind
/// it, and none can be started now.
bool pool::call(worker& w) noexcept {
  // relaxed: after the fence in deliver()
  for (unsigned n = 0; w.asleep.load(std::memory_order_relaxed) != flag::awake; ++n) {
    if (idle_.claim_for_one()) return use_claim_on(w);
    if (w.asleep.load(std::memory_order_relaxed) == flag::threadless) return false;
    if (queue_for_token(w, worker::wish::go_home)) {
      grant_tokens();
      ask_all();
      return true;
    }
    real_atomics::backoff(n);  // a token came free meanwhile, or all sleepers are claimed
  }
  return !w.gone.load(std::memory_order_relaxed);  // relaxed: after the fence in deliver()
}

}  // namespace kasuri::sched
