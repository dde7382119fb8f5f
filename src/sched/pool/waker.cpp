// SPDX-License-Identifier: Apache-2.0
#include "sched/pool/waker.hpp"

#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"
#include "platform/thread/park.hpp"
#include "sched/pool/monitor.hpp"
#include "sched/pool/policy.hpp"
#include "sched/pool/pool.hpp"

namespace kasuri::sched {

void waker::work_is_visible() noexcept {
  if (idle_.claim()) use_claim();
}

void waker::anybody_may_come() noexcept {
  if (idle_.claim()) use_claim(nullptr);
}

/// Whether some sleeper is one to wake for what the caller has.
bool waker::wakes_any(const worker& self) const noexcept {
  if (!of_.scheduling().routes()) return true;
  for (int i = 0, n = of_.workers(); i != n; ++i)
    if (const worker* v = of_.at(i); v != nullptr &&
                                     v->asleep.load(std::memory_order_relaxed) != flag::awake &&
                                     of_.scheduling().wakes(*v, self))
      return true;
  return false;
}

void waker::use_claim(const worker* self) noexcept {
  // Workers that have a thread first; a flag must be set somewhere: see idle.hpp.
  for (bool with_thread = true;; with_thread = !with_thread) {
    const std::uint32_t wanted = with_thread ? flag::dozing : flag::threadless;
    if (self != nullptr && with_thread && !wakes_any(*self)) return idle_.give_back();
    for (int i = 0, n = of_.workers(); i != n; ++i) {
      worker* v = of_.at(i);
      if (v == nullptr || v->asleep.load(std::memory_order_relaxed) != wanted) continue;
      if (self != nullptr && !of_.scheduling().wakes(*v, *self)) continue;
      // acq_rel: pairs with the store of asleep in idle::prepare_sleep
      const std::uint32_t was = v->asleep.exchange(flag::awake, std::memory_order_acq_rel);
      if (was == flag::awake) continue;
      if (!wake(*v, was)) free_frame_of(*v);
      return;
    }
  }
}

bool waker::use_claim_on(worker& w) noexcept {
  // acq_rel: pairs with the store of asleep in idle::prepare_sleep
  if (const auto was = w.asleep.exchange(flag::awake, std::memory_order_acq_rel);
      was != flag::awake)
    return wake(w, was);
  idle_.give_back();
  // A thread that has pushed something meanwhile saw somebody search, and that was this claim.
  if (of_.work_visible()) work_is_visible();
  return true;
}

/// For the thread that has cleared the flag of `w`; the flag was `was`. False: the system gives no
/// thread for it.
bool waker::wake(worker& w, std::uint32_t was) noexcept {
  KASURI_EXPECT(cheap, was == flag::dozing || was == flag::threadless,
                "worker %d is woken, its flag was %u", w.index, was);
  worker* const self = current();
  if (self != nullptr) self->stats.wakes.add();
  if (was == flag::dozing) {
    const std::uint64_t begin = w.timing ? platform::ticks() : 0;
    if (begin != 0) w.waking.is_called(begin);
    of_.outside_work().with([&w](outside& o) {
      // pairs with the one in nap_outside: it sees the flag, or we that it naps
      real_atomics::fence_full();
      // relaxed: after the fence above
      if (w.naps_outside.load(std::memory_order_relaxed)) o.interrupt();
    });
    platform::unpark(w.asleep, 1);
    if (begin != 0 && self != nullptr) self->waking.calling.add(platform::ticks() - begin);
    return true;
  }
  if (threads_.start(w)) return true;
  // relaxed: before the fence in free_frame_of()
  w.gone.store(true, std::memory_order_relaxed);
  idle_.claimed_worker_is_gone();
  return false;
}

void waker::started_in_vain(worker& w) noexcept {
  KASURI_EXPECT(
      cheap,
      !w.has_thread.load(std::memory_order_relaxed) && !w.gone.load(std::memory_order_relaxed),
      "worker %d has thread %d, or is known to be gone", w.index,
      w.tid.load(std::memory_order_relaxed));
  // relaxed: before the fence in free_frame_of()
  w.gone.store(true, std::memory_order_relaxed);
  idle_.claimed_worker_is_gone();
  free_frame_of(w);
}

/// Somebody else may have delivered a frame to the worker that is gone: others run it.
void waker::free_frame_of(worker& gone) noexcept {
  real_atomics::fence_full();  // pairs with the one in deliver: it sees `gone`, or we see the frame
  if (detail::frame* f = gone.take_returning()) of_.send(f);
}

void waker::wake_who_has_work() noexcept {
  for (int i = 0, n = of_.workers(); i != n; ++i) {
    worker* v = of_.at(i);
    // relaxed: after the fence in leave() of sched/kernel/idle.hpp, or of another caller
    if (v == nullptr || v->asleep.load(std::memory_order_relaxed) == flag::awake) continue;
    if (v->box.empty() && v->queue.empty() && v->ready.empty()) continue;
    if (!idle_.claim_for_one()) return;
    use_claim_on(*v);
  }
}

void waker::ask_all() noexcept {
  const std::uint64_t now = platform::ticks();
  for (int i = 0, n = of_.workers(); i != n; ++i)
    if (worker* v = of_.at(i);
        v != nullptr && v->queue.ask() && v->asked_since.load(std::memory_order_relaxed) < now)
      v->asked_since.store(now, std::memory_order_relaxed);
}

// ---- what one worker alone may run --------------------------------------------------------------

bool waker::deliver(worker& w, detail::frame* f) noexcept {
  KASURI_EXPECT(cheap, w.home == &of_ && f != nullptr, "frame %p for worker %d",
                static_cast<void*>(f), w.index);
  if (of_.orphan() != nullptr) [[unlikely]] {
    if (&w == of_.orphan()) w.bring(f);
    return &w == of_.orphan();
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

bool waker::call(worker& w) noexcept {
  // relaxed: after the fence in deliver()
  if (w.is_aside.load(std::memory_order_relaxed) != 0) {
    // release: pairs with the acquire in sleep_and_watch
    w.is_aside.store(0, std::memory_order_release);
    platform::unpark(w.is_aside, 1);
    return true;
  }
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

// ---- the threads that wait for a token ----------------------------------------------------------

bool waker::queue_for_token(worker& w, worker::wish wish) noexcept {
  const std::lock_guard hold(waiting_lock_);
  // A guest may have been woken by another, have left, and be queued to enter since the caller
  // looked: its wish must stand.
  if (wish == worker::wish::go_home && w.asleep.load(std::memory_order_relaxed) == flag::awake)
    return true;
  if (!idle_.start_waiting()) return false;
  w.wants_token_.store(wish, std::memory_order_relaxed);
  waiting_.push_back(&w);
  // The count goes up under the lock, and down before a thread takes one out under it.
  KASURI_EXPECT(cheap, waiting_.size() >= idle_.counts().waiting,
                "%zu workers are queued, %u are counted", waiting_.size(), idle_.counts().waiting);
  return true;
}

void waker::wait_for_grant(worker& w) noexcept {
  KASURI_EXPECT(cheap, current() == &w, "worker %d waits for worker %d", index_of_caller(),
                w.index);
  // acquire: pairs with the release in grant_tokens
  while (w.granted_.load(std::memory_order_acquire) == 0) platform::park(w.granted_, 0);
}

/// The worker that has waited longest, taken out of the queue.
worker& waker::next_to_grant(worker::wish& wish) noexcept {
  const std::lock_guard hold(waiting_lock_);
  if (waiting_.empty()) [[unlikely]] {
    const idle_counts c = idle_.counts();
    platform::fatal(
        "internal error: a token for nobody (active %u, searching %u, sleeping %u, "
        "waiting %u, limit %u)",
        c.active, c.searching, c.sleeping, c.waiting, c.limit);
  }
  worker& w = *waiting_.front();
  waiting_.pop_front();
  wish = w.wants_token_.load(std::memory_order_relaxed);
  w.wants_token_.store(worker::wish::none, std::memory_order_relaxed);
  return w;
}

void waker::grant_tokens() noexcept {
  while (idle_.grant()) {
    worker::wish wish;
    worker& w = next_to_grant(wish);
    if (wish == worker::wish::enter) {
      KASURI_EXPECT(cheap, w.granted_.load(std::memory_order_relaxed) == 0,
                    "worker %d has been granted a token already", w.index);
      // release: pairs with the acquire in wait_for_grant
      w.granted_.store(1, std::memory_order_release);
      platform::unpark(w.granted_, 1);
    } else if (wish == worker::wish::go_home) {
      wake_granted(w);
    } else if (idle_.leave()) {
      use_claim();
    }
  }
}

/// The token just granted is for a sleeper, unless another claim has woken it since it queued.
void waker::wake_granted(worker& w) noexcept {
  for (unsigned n = 0; w.asleep.load(std::memory_order_relaxed) != flag::awake; ++n) {
    if (idle_.sleeper_was_granted()) {
      use_claim_on(w);
      return;
    }
    real_atomics::backoff(n);  // all sleepers are claimed, this one too
  }
  if (idle_.leave()) use_claim();
}

}  // namespace kasuri::sched
