// SPDX-License-Identifier: Apache-2.0
// Thief and victim: taking, asking, rescuing; and the owner's answer.

#include "sched/pool/steal.hpp"

#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "sched/kernel/publish.hpp"
#include "sched/kernel/victim.hpp"
#include "sched/pool/monitor.hpp"
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
static_assert(most_backoff < 32, "a count of 32 bits doubles so often");
// A thief that awaits an owner's answer looks for itself after so many looks at the answer alone.
constexpr std::uint32_t looks_before_another = 32;
// At most so many frames are published per request.
constexpr std::size_t most_published = 64;

detail::frame* steal_public(worker& victim) noexcept {
  return take_public(
      victim.queue, [] { return custom_steals.load(std::memory_order_relaxed) != nullptr; },
      [] { return true; });
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

/// How long a worker is left alone: its thieves share the time of the first request. Its next push
/// is to answer at once even when it has no frame.
struct request_watch {
  worker& thief;
  worker& victim;
  std::uint64_t now;
  bool has_frames;
  // Read before the request is: an owner that answers in between is not taken for a stuck one.
  std::uint64_t since = victim.asked_since.load(std::memory_order_relaxed);

  bool waited_us(double us) const noexcept {
    return (now > since ? now - since : 0) >= platform::ticks_of_us(us);
  }
  void ask() const noexcept {
    if (!waited_us(ask_again_after_us)) return;
    victim.asked_since.store(now, std::memory_order_relaxed);
    sched::ask(thief, victim);
  }
  void ask_too() const noexcept {
    if (!thief.answer.is_open()) sched::ask(thief, victim);
  }
  bool owner_is_stuck() const noexcept { return has_frames && waited_us(rescue_after_us); }
  void could_not_rescue() const noexcept {}
};

detail::frame* take_by_rescue(const request_watch& watch) noexcept {
  if (!ask_or_rescue(watch.victim.queue, watch)) return nullptr;
  detail::frame* f = steal_public(watch.victim);
  if (f != nullptr) watch.thief.stats.rescues.add();
  return f;
}

/// The frames that a worker makes public. A single task only if that has been worth it lately.
struct worker_offer {
  worker& w;
  std::size_t most = most_published;
  worker* asker = static_cast<worker*>(w.queue.asker());

  bool published = false;

  bool publishes(std::size_t n) noexcept {
    publish_backoff& b = w.backoff;
    KASURI_EXPECT(cheap, b.level <= most_backoff && b.decline <= 1u << most_backoff,
                  "worker %d is at level %u and declines %u times", w.index, b.level, b.decline);
    if (w.arena.is_full()) return false;
    if (n == 1 && b.decline != 0) {
      --b.decline;
      return false;
    }
    if (n == 1) b.slot = w.face.top.load(std::memory_order_relaxed) - 1;
    return published = n != 0;
  }
  bool answers(std::size_t) const noexcept {
    // Thieves need not wait to ask again: behind the publishing, which they would take for a long
    // time without an answer.
    if (published) w.asked_since.store(0, std::memory_order_relaxed);
    return true;
  }
  bool give(detail::frame* f) const noexcept {
    return asker != nullptr && asker->answer.give(w.index, f);
  }
};

}  // namespace

void note_steal(worker& thief, int victim, detail::frame* f) noexcept {
  KASURI_EXPECT(cheap, f != nullptr && victim != thief.index, "worker %d has frame %p of worker %d",
                thief.index, static_cast<void*>(f), victim);
  const unsigned level = thief.level_of(victim);
  thief.stats.steals.add();
  (level == 0 ? thief.stats.steals_near : thief.stats.steals_far).add();
  record::emit_steal(thief.log, reinterpret_cast<std::uintptr_t>(f),
                     static_cast<std::uint16_t>(victim), static_cast<std::uint8_t>(level));
}

namespace {

/// The thief has asked this victim. True: it leaves the deque alone, and `l` is what it has.
bool waits_on(worker& thief, const worker& victim, look& l) noexcept {
  // To read the deque of an owner that is to answer anyway only slows it down; but the answer may
  // go to another, or not come.
  l.saw_work = thief.victim_has_work;
  const bool late = thief.victim_has_work &&
                    platform::ticks() - thief.asked_at >= platform::ticks_of_us(rescue_after_us);
  if (++thief.looks_at_answer % looks_before_another != 0 && !late) return true;
  if (victim.queue.asker() == &thief && victim.busy.load(std::memory_order_relaxed)) return false;
  l.found = thief.answer.close();
  if (l.found == nullptr) return false;
  note_steal(thief, victim.index, l.found);
  return true;
}

}  // namespace

look take_from(worker& thief, worker& victim) noexcept {
  KASURI_EXPECT(cheap, current() == &thief && &thief != &victim,
                "worker %d looks for worker %d at worker %d", index_of_caller(), thief.index,
                victim.index);
  look l;
  // In this order: the owner writes to the line of its arena again and again.
  if (use_priorities() && victim.arena.urgency() != thief.seeks) [[unlikely]]
    return l;
  if (thief.answer.awaits(victim.index) && waits_on(thief, victim, l)) return l;
  thief.victim_has_work = false;
  thief.stats.steals_tried.add();
  l.found = steal_public(victim);
  if (l.found == nullptr) l.found = victim.ready.take();
  if (l.found == nullptr) {
    const std::uint64_t now = platform::ticks();
    if (victim.left_alone(now) || victim.arena.is_full()) return l;
    l.saw_work = thief.victim_has_work = !victim.queue.empty();
    l.found = take_by_rescue({thief, victim, now, l.saw_work});
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
  KASURI_EXPECT(cheap, current() == &w, "worker %d answers for worker %d", index_of_caller(),
                w.index);
  if (w.offers == offer::nobody) [[unlikely]]
    return monitor::get().look_out();
  answer_request(w.queue, worker_offer{w});
  if (w.offers == offer::everybody) [[likely]] {
    // pairs with the fence_heavy in idle::prepare_sleep, and with the fence_full in follow of
    // run/gate.cpp: the thread that gives a permit back looks for our frames,
    // or we see that there is one
    real_atomics::fence_full();
    if (!w.arena.is_full()) w.home->work_is_visible();
  }
  if (w.backoff.slot != nullptr) w.backoff.when = platform::ticks();
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
