// SPDX-License-Identifier: Apache-2.0
// How a worker sleeps, and how it makes room for others. kernel/idle.hpp has the protocol.

#include <cstdint>

#include "platform/base/expect.hpp"
#include "platform/process/loaded_objects.hpp"
#include "record/recorder.hpp"
#include "sched/outside/outside.hpp"
#include "sched/pool/pool.hpp"
#include "sched/run/looking.hpp"
#include "sched/watch/deadlock.hpp"
#include "sched/worker/slot.hpp"

namespace kasuri::sched {

/// idle::prepare_sleep asks this about before `w` sleeps.
struct looking::view {
  pool& p;
  worker& w;
  void ask_all() noexcept { p.ask_all(); }
  bool work_visible() const noexcept { return p.work_offered(&w) || p.stopping(); }
};

/// In place of sleep, for the one that looks outside. False: `w` is not that one.
bool looking::sleep_outside(pool& p, worker& w) noexcept {
  if (!p.outside_work().looks(w)) return false;
  outside* const o = p.outside_work().object();
  const std::uint64_t ns = p.outside_work().take_rest();
  if (ns != 0 && o != nullptr) sleep(p, w, o, ns);
  return true;
}

/// Sleeps until somebody clears the flag, somebody calls from outside, or the time is over.
void looking::nap_outside(pool& p, worker& w, outside& o, std::uint64_t ns) noexcept {
  KASURI_EXPECT(cheap, p.outside_work().looks(w), "worker %d naps, and does not look outside",
                w.index);
  p.grant_tokens();  // the one just given up may be wanted
  p.shares().end(w);
  w.stats.parks.add();
  record::emit(w.log, record::event_kind::park);
  w.naps_outside.store(true, std::memory_order_relaxed);  // relaxed: before the fence below
  real_atomics::fence_full();                             // pairs with the one in wake
  // relaxed: after the fence above
  if (w.asleep.load(std::memory_order_relaxed) == flag::dozing) o.nap(ns);
  w.naps_outside.store(false, std::memory_order_relaxed);  // relaxed: an interrupt too many is none
  record::emit(w.log, record::event_kind::wake);
  // acquire: pairs with the exchange of asleep by the waker
  if (w.asleep.load(std::memory_order_acquire) != flag::dozing) return;
  if (p.idle_word().claim_for_one()) {
    p.use_claim_on(w);
    return;
  }
  // All tokens are in use: a worker that has one and runs out of work looks outside in its stead.
  // Unless it has done so already and has left that to us.
  p.outside_work().stop(w);
  // pairs with the fence_heavy in idle::prepare_sleep: see is_neglected in sleep
  real_atomics::fence_full();
  if (p.idle_word().claim_for_one())
    p.use_claim_on(w);
  else
    doze(p, w);
}

void looking::sleep(pool& p, worker& w, outside* napping, std::uint64_t nap_ns) noexcept {
  KASURI_EXPECT(cheap,
                w.asleep.load(std::memory_order_relaxed) == flag::awake && !w.answer.is_open() &&
                    w.queue.size() == 0,
                "worker %d is to sleep with %zu frames; its flag is %u", w.index, w.queue.size(),
                w.asleep.load(std::memory_order_relaxed));
  give_slot_back(w);
  p.wake_who_has_work();  // the frames that this worker sees may be for those alone
  view v{p, w};
  if (!p.idle_word().prepare_sleep(w.asleep, v)) return;
  // It may have become ready while there was no token: nobody who gives one back looks for that.
  if (!w.returning.empty()) p.call(w);
  p.wake_who_has_work();
  if (napping != nullptr) [[unlikely]]
    return nap_outside(p, w, *napping, nap_ns);
  if (p.outside_work().is_neglected() && p.idle_word().claim_for_one()) [[unlikely]] {
    p.use_claim_on(w);
    return;
  }
  doze(p, w);
}

/// A spare's time awake is on behalf of the worker that was found stuck last.
void looking::note_spare(const pool& p, worker& w, record::event_kind begin_or_end) noexcept {
  if (w.stats.role == record::worker_role::spare)
    record::emit_spare(w.log, begin_or_end, static_cast<std::uint16_t>(p.lent_for()));
}

/// Sleeps until somebody clears the flag.
void looking::doze(pool& p, worker& w) noexcept {
  p.grant_tokens();  // the one just given up may be wanted
  platform::notice_libraries();
  w.stats.parks.add();
  note_spare(p, w, record::event_kind::spare_end);
  record::emit(w.log, record::event_kind::park);
  if (w.timing) w.waking.sleeps();
  sleep_and_watch(w.asleep,
                  flag::dozing);  // its acquire pairs with the exchange of asleep by the waker
  if (w.timing) w.waking.comes();
  KASURI_EXPECT(
      cheap, w.asleep.load(std::memory_order_relaxed) == flag::awake && p.counts().searching != 0,
      "worker %d is woken, its flag is %u; active %u, searching %u", w.index,
      w.asleep.load(std::memory_order_relaxed), p.counts().active, p.counts().searching);
  p.shares().begin_if_asked(w);
  record::emit(w.log, record::event_kind::wake);
  note_spare(p, w, record::event_kind::spare_begin);
  if (w.timing) w.stats.time.looked(false);
}

/// Sleeps although there is work: a guest waits for a token, or there are more threads than tokens.
void looking::step_aside(pool& p, worker& w) noexcept {
  w.others_wait_since_ = 0;
  give_slot_back(w);
  w.queue.publish_all();
  KASURI_EXPECT(
      cheap, w.asleep.load(std::memory_order_relaxed) == flag::awake && w.queue.private_size() == 0,
      "worker %d steps aside with %zu private frames; its flag is %u", w.index,
      w.queue.private_size(), w.asleep.load(std::memory_order_relaxed));
  w.asleep.store(flag::dozing, std::memory_order_relaxed);  // relaxed: before the fence below
  p.idle_word().fall_asleep();
  p.grant_tokens();
  // pairs with the fence_full before idle::claim of those who push, in deliver, and in
  // pool::begin_stop: what they made visible, or our flag, is seen by one of us
  real_atomics::fence_full();
  p.work_is_visible();  // our own frames, if the token was not wanted after all
  if (!w.returning.empty() || p.stopping()) p.call(w);
  p.wake_who_has_work();
  doze(p, w);
}

}  // namespace kasuri::sched
