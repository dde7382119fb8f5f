// SPDX-License-Identifier: Apache-2.0
// Thief and victim: taking, asking, rescuing; and the owner's answer.

#include "sched/pool/steal.hpp"

#include "platform/clock.hpp"
#include "sched/pool/pool.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

constinit std::atomic<custom_steal_round> custom_steals{nullptr};

namespace {

// How long a thief waits for an answer before it helps itself, and before it asks again after an
// answer that brought nothing. The first bounds the idle time in front of a long leaf; a rescue
// costs the thief a system call and the owner an interrupt, a request costs the owner a cache miss.
constexpr double rescue_after_us = 5;
constexpr double ask_again_after_us = 2;
// A single task whose owner came back for it sooner, counted from when it had answered, was not
// worth publishing: the thief cannot have begun it.
constexpr double worth_us = 0.15;
constexpr std::uint32_t most_backoff = 12;
// A thief that awaits an owner's answer looks for itself after so many looks at the answer alone.
constexpr std::uint32_t looks_before_another = 32;
// At most so many frames are published per request.
constexpr std::size_t most_published = 64;

detail::frame* steal_public(worker& victim) noexcept {
  detail::frame* f = nullptr;
  for (;;) {
    switch (custom_steals.load(std::memory_order_relaxed) != nullptr ? victim.queue.steal_locked(f)
                                                                     : victim.queue.steal(f)) {
      case steal_result::taken:
        return f;
      case steal_result::empty:
        return nullptr;
      case steal_result::lost:
        real_atomics::pause();
    }
  }
}

/// Asks for the victim's next frame, and to be given it if nobody else is waiting for that.
void ask(worker& thief, worker& victim) noexcept {
  const void* const other = victim.queue.asker();
  if (thief.answer.is_open() || !victim.busy.load(std::memory_order_relaxed) ||
      (other != nullptr && other != &thief)) {
    victim.queue.ask();
  } else {
    thief.answer.open(victim.index);
    thief.asked_at = platform::ticks();
    victim.queue.ask_for(&thief);
  }
}

/// The victim has private frames only, or none: then the next push is to answer at once.
detail::frame* ask_or_rescue(worker& thief, worker& victim, std::uint64_t now,
                             bool has_frames) noexcept {
  const std::uint64_t since = victim.asked_since.load(std::memory_order_relaxed);
  const std::uint64_t waited = now > since ? now - since : 0;
  if (!victim.queue.asked()) {
    if (waited < platform::ticks_of_us(ask_again_after_us)) return nullptr;
    victim.asked_since.store(now, std::memory_order_relaxed);
    ask(thief, victim);
    return nullptr;
  }
  if (!thief.answer.is_open()) ask(thief, victim);
  if (!has_frames || waited < platform::ticks_of_us(rescue_after_us) || !victim.queue.rescue())
    return nullptr;
  detail::frame* f = steal_public(victim);
  if (f != nullptr) thief.stats.rescues.add();
  return f;
}

}  // namespace

void note_steal(worker& thief, int victim, detail::frame* f) noexcept {
  const unsigned level = thief.level_of(victim);
  thief.stats.steals.add();
  (level == 0 ? thief.stats.steals_near : thief.stats.steals_far).add();
  record::emit_steal(thief.log, reinterpret_cast<std::uintptr_t>(f),
                     static_cast<std::uint16_t>(victim), static_cast<std::uint8_t>(level));
}

look take_from(worker& thief, worker& victim) noexcept {
  look l;
  if (thief.answer.awaits(victim.index)) {
    // To read the deque of an owner that is to answer anyway only slows it down; but the answer may
    // go to another, or not come.
    l.saw_work = thief.victim_has_work;
    const bool late = thief.victim_has_work &&
                      platform::ticks() - thief.asked_at >= platform::ticks_of_us(rescue_after_us);
    if (++thief.looks_at_answer % looks_before_another != 0 && !late) return l;
    if (victim.queue.asker() != &thief || !victim.busy.load(std::memory_order_relaxed)) {
      l.found = thief.answer.close();
      if (l.found != nullptr) {
        note_steal(thief, victim.index, l.found);
        return l;
      }
    }
  }
  thief.victim_has_work = false;
  thief.stats.steals_tried.add();
  l.found = steal_public(victim);
  if (l.found == nullptr) l.found = victim.ready.take();
  if (l.found == nullptr) {
    const std::uint64_t now = platform::ticks();
    if (victim.left_alone(now)) return l;
    l.saw_work = thief.victim_has_work = !victim.queue.empty();
    l.found = ask_or_rescue(thief, victim, now, l.saw_work);
    if (l.found == nullptr) {
      if (l.saw_work) thief.stats.refused.add();
      return l;
    }
  }
  l.saw_work = true;
  note_steal(thief, victim.index, l.found);
  return l;
}

detail::frame* take_answer(worker& w) noexcept {
  if (!w.answer.is_open() || !w.answer.answered()) return nullptr;
  const int victim = w.answer.owner();
  detail::frame* f = w.answer.close();
  if (f != nullptr) note_steal(w, victim, f);
  return f;
}

bool withdraw(worker& w) noexcept {
  if (!w.answer.is_open()) return true;
  const int victim = w.answer.owner();
  detail::frame* f = w.answer.close();
  if (f == nullptr) return true;
  note_steal(w, victim, f);
  if (!w.ready.put(f)) w.home->send(f);
  return false;
}

void answer_thieves(worker& w) noexcept {
  if (w.offers == offer::nobody) [[unlikely]]
    return;
  const std::size_t n = w.queue.private_size();
  publish_backoff& b = w.backoff;
  if (n == 1 && b.decline != 0) {
    --b.decline;
  } else if (n != 0) {
    // relaxed: only the owner writes it
    if (n == 1) b.slot = w.face.top.load(std::memory_order_relaxed) - 1;
    const std::size_t half = (n + 1) / 2;
    auto* const asker = static_cast<worker*>(w.queue.asker());
    w.queue.publish(half < most_published ? half : most_published, [&w, asker](detail::frame* f) {
      return asker != nullptr && asker->answer.give(w.index, f);
    });
    // Thieves need not wait to ask again. relaxed: a hint
    w.asked_since.store(0, std::memory_order_relaxed);
  }
  w.queue.answer();
  if (w.offers == offer::everybody) [[likely]] {
    real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
    w.home->work_is_visible();
  }
  if (b.slot != nullptr) b.when = platform::ticks();
}

void learn_from_join(worker& w, detail::worker_slot* slot, bool finished) noexcept {
  publish_backoff& b = w.backoff;
  if (b.slot == nullptr || (slot != nullptr && slot != b.slot)) return;
  b.slot = nullptr;
  if (finished || platform::ticks() - b.when > platform::ticks_of_us(worth_us)) {
    b.level = 0;
  } else {
    if (b.level < most_backoff) ++b.level;
    b.decline = 1u << b.level;
  }
}

}  // namespace kasuri::sched
