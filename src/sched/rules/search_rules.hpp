// SPDX-License-Identifier: Apache-2.0
#pragma once

// The workers that a thief tries, their order, and the frames that it may take: the policies'
// decisions, as templates over the worker and the pool. The runtime instantiates them for its own,
// the simulator (tools/simulate) for virtual ones: both run this code. take_from and part_of are
// found by the worker's type.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/base/expect.hpp"
#include "sched/rules/extent.hpp"
#include "sched/rules/range_rules.hpp"

namespace kasuri::sched::rules {

/// Goes through the workers at(0) to at(count - 1), null where there is none to try, from a random
/// one on; stops at the first frame.
template <class Worker, class At>
auto round_over(Worker& thief, std::size_t count, At at) {
  decltype(take_from(thief, thief)) result;
  if (count == 0) return result;
  std::size_t i = thief.next_random() % count;
  for (std::size_t n = 0; n != count; ++n, i = i + 1 == count ? 0 : i + 1) {
    Worker* const victim = at(i);
    if (victim == nullptr || victim == &thief) continue;
    const auto l = take_from(thief, *victim);
    result.saw_work |= l.saw_work;
    if (l.found == nullptr) continue;
    result.found = l.found;
    return result;
  }
  return result;
}

/// Any worker, all alike.
template <class Worker, class Pool>
auto from_anyone(Worker& thief, Pool& all) {
  return round_over(thief, static_cast<std::size_t>(all.workers()),
                    [&all](std::size_t i) { return all.at(static_cast<int>(i)); });
}

/// Workers without a place in the thief's tree: guests, spares; all of them for such a thief.
template <class Worker, class Pool>
auto from_unplaced(Worker& thief, Pool& all) {
  return round_over(thief, static_cast<std::size_t>(all.workers()), [&](std::size_t i) -> Worker* {
    Worker* const victim = all.at(static_cast<int>(i));
    const bool placed = victim != nullptr && thief.cell >= 0 && victim->cell >= 0;
    return placed ? nullptr : victim;
  });
}

/// Levels of the machine tree, the nearest first.
template <class Worker, class Pool>
auto from_levels(Worker& thief, Pool& all, std::size_t from, std::size_t to) {
  decltype(take_from(thief, thief)) result;
  KASURI_EXPECT(cheap, from <= to && to <= thief.victims.size(),
                "worker %d looks at the levels %zu to %zu of %zu", thief.index, from, to,
                thief.victims.size());
  for (; from != to; ++from) {
    const std::vector<int>& level = thief.victims[from];
    const auto l = round_over(thief, level.size(), [&](std::size_t i) { return all.at(level[i]); });
    result.saw_work |= l.saw_work;
    if (l.found == nullptr) continue;
    result.found = l.found;
    break;
  }
  return result;
}

// ---- almost deterministic work stealing: see adws.cpp -----------------------------------------

// While a token is lent, as somebody blocks or spins, nobody is bound to its fork: what the blocked
// one waits for may be somebody else's, in a fork outside.

/// By the letters' own depth: the victim may not have taken part in anything yet.
template <class Worker>
bool may_open_in_range(const Worker& thief, const Worker& victim) {
  if (thief.home->lends()) return true;
  if (thief.fork == nullptr) return false;
  const int cell = victim.index == thief.fork->root_worker ? 0 : victim.cell;
  return thief.fork->range.holds(cell);
}

template <class Worker>
bool may_take_in_range(const Worker& thief, const Worker& victim) {
  const int depth = victim.fork_depth.load(std::memory_order_relaxed);
  if (depth == 0) return true;  // tasks without an interval, or of who stands in for another
  if (thief.home->lends()) return true;
  return thief.fork != nullptr && depth >= thief.fork->depth && may_open_in_range(thief, victim);
}

/// The least depth of letters that it may open.
template <class Worker>
int least_depth(const Worker& thief) {
  return thief.fork == nullptr || thief.home->lends() ? 0 : thief.fork->depth;
}

template <class Worker>
bool wakes_in_range(const Worker& sleeper, const Worker& by) {
  return by.fork == nullptr || by.home->lends() || by.fork->range.holds(sleeper.cell);
}

/// One round over those that take part in the thief's innermost fork.
template <class Worker, class Pool>
auto from_range(Worker& thief, Pool& all) {
  const span_fork* const part = part_of(thief);
  const span_fork* const fork = thief.home->lends() ? nullptr : part;
  // Without a part in any fork it serves what has no interval, tasks of foreign threads.
  const int first = fork == nullptr ? 0 : fork->range.first_worker();
  const int count = fork == nullptr ? all.workers() : fork->range.last_worker() - first + 1;
  KASURI_EXPECT(cheap, first >= 0 && count > 0, "worker %d looks at %d workers from %d on",
                thief.index, count, first);
  return round_over(thief, static_cast<std::size_t>(count), [&](std::size_t i) -> Worker* {
    const int cell = first + static_cast<int>(i);
    Worker* const victim = all.at(fork == nullptr ? cell : all.on_line(cell, fork->root_worker));
    const bool may = victim != nullptr && victim != &thief && may_take_in_range(thief, *victim);
    return may ? victim : nullptr;
  });
}

}  // namespace kasuri::sched::rules
