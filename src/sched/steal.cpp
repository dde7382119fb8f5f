// SPDX-License-Identifier: Apache-2.0
// Thief and victim: taking, asking, rescuing; and the owner's answer.

#include "platform/clock.hpp"
#include "sched/policy.hpp"
#include "sched/pool.hpp"
#include "sched/worker.hpp"

namespace kasuri::sched {
namespace {

// How long a thief waits for an answer before it helps itself, and before it asks again after an
// answer that brought nothing. The first bounds the idle time in front of a long leaf; a rescue
// costs the thief a system call and the owner an interrupt, a request costs the owner a cache miss.
constexpr double rescue_after_us = 15;
constexpr double ask_again_after_us = 2;
// A single task whose owner came back for it sooner was not worth publishing.
constexpr double worth_us = 1;
constexpr std::uint32_t shyest = 12;
// At most so many frames are published per request.
constexpr std::size_t most_published = 64;

std::uint64_t in_ticks(double microseconds) noexcept {
  return static_cast<std::uint64_t>(microseconds * 1e-6 * platform::ticks_per_second());
}

detail::frame* steal_public(worker& victim) noexcept {
  detail::frame* f = nullptr;
  for (;;) {
    switch (victim.queue.steal(f)) {
      case steal_result::taken: return f;
      case steal_result::empty: return nullptr;
      case steal_result::lost: real_atomics::pause();
    }
  }
}

/// The victim has private frames only.
detail::frame* ask_or_rescue(worker& thief, worker& victim) noexcept {
  const std::uint64_t now = platform::ticks();
  const std::uint64_t since = victim.asked_since.load(std::memory_order_relaxed);
  const std::uint64_t waited = now > since ? now - since : 0;
  if (!victim.queue.asked()) {
    if (waited < in_ticks(ask_again_after_us)) return nullptr;
    victim.asked_since.store(now, std::memory_order_relaxed);
    victim.queue.ask();
    return nullptr;
  }
  if (waited < in_ticks(rescue_after_us) || !victim.queue.rescue()) return nullptr;
  detail::frame* f = steal_public(victim);
  if (f != nullptr) thief.stats.rescues.add();
  return f;
}

}  // namespace

look take_from(worker& thief, worker& victim) noexcept {
  thief.stats.steals_tried.add();
  look l;
  l.found = steal_public(victim);
  if (l.found == nullptr) l.found = victim.ready.take();
  if (l.found == nullptr) {
    if (victim.queue.empty()) {
      // Ask beforehand: the next push answers at once.
      if (!victim.queue.asked()) {
        victim.asked_since.store(platform::ticks(), std::memory_order_relaxed);
        victim.queue.ask();
      }
      return l;
    }
    l.saw_work = true;
    l.found = ask_or_rescue(thief, victim);
    if (l.found == nullptr) {
      thief.stats.refused.add();
      return l;
    }
  }
  l.saw_work = true;
  record::emit_steal(thief.log, reinterpret_cast<std::uintptr_t>(l.found),
                     static_cast<std::uint16_t>(victim.index), 0);
  return l;
}

void answer_thieves(worker& w) noexcept {
  const std::size_t n = w.queue.private_size();
  shyness& s = w.shy;
  if (n == 1 && s.decline != 0) {
    --s.decline;
  } else if (n != 0) {
    if (n == 1) {
      s.slot = w.face.top.load(std::memory_order_relaxed) - 1;
      s.when = platform::ticks();
    }
    const std::size_t half = (n + 1) / 2;
    w.queue.publish(half < most_published ? half : most_published);
    w.asked_since.store(0, std::memory_order_relaxed);  // thieves need not wait to ask again
  }
  w.queue.answer();
  real_atomics::fence_full();  // pairs with the fence_heavy in idle::prepare_sleep
  w.home->work_is_visible();
}

void learn_from_join(worker& w, detail::worker_slot* slot, bool finished) noexcept {
  shyness& s = w.shy;
  if (s.slot == nullptr || (slot != nullptr && slot != s.slot)) return;
  s.slot = nullptr;
  if (finished || platform::ticks() - s.when > in_ticks(worth_us)) {
    s.level = 0;
  } else {
    if (s.level < shyest) ++s.level;
    s.decline = 1u << s.level;
  }
}

}  // namespace kasuri::sched
