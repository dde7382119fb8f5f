// SPDX-License-Identifier: Apache-2.0
#pragma once

// A worker's range of the line of workers and the forks that it takes part in, as templates over
// the worker: the runtime (range.cpp) instantiates them for its own, the simulator (tools/simulate)
// for virtual ones. extent.hpp has the data.

#include <atomic>
#include <utility>

#include "platform/base/expect.hpp"
#include "sched/rules/extent.hpp"

namespace kasuri::sched::rules {

inline span_fork* use(span_fork* f) noexcept {
  if (f != nullptr) {
    const int before = f->users.fetch_add(1, std::memory_order_relaxed);
    KASURI_EXPECT(cheap, before > 0, "a fork with %d users gets another", before);
  }
  return f;
}

inline void release(span_fork* f) noexcept {
  while (f != nullptr) {
    // acq_rel: pairs with itself: the last one deletes behind the others' reads
    const int before = f->users.fetch_sub(1, std::memory_order_acq_rel);
    KASURI_EXPECT(cheap, before > 0, "one of %d users of a fork releases it", before);
    if (before != 1) return;
    delete std::exchange(f, f->parent);
  }
}

template <class Worker>
void wear_range(Worker& w, extent* range) noexcept {
  KASURI_EXPECT(cheap, range == nullptr || range->in.begin <= range->in.end,
                "worker %d is to wear the range from %d to %d", w.index, range->in.first_worker(),
                range->in.last_worker());
  w.range = range;
  w.queue.hold(range != nullptr && range->in.spans());
}

/// `fork`, of which a use is handed over, is the innermost that `w` takes part in.
template <class Worker>
void take_part(Worker& w, span_fork* fork) noexcept {
  KASURI_EXPECT(cheap, fork == nullptr || fork->depth > 0, "worker %d, a fork of depth %d", w.index,
                fork->depth);
  release(std::exchange(w.fork, fork));
  w.fork_depth.store(fork == nullptr ? 0 : fork->depth, std::memory_order_relaxed);
}

/// The innermost one that has not joined, or null.
template <class Worker>
span_fork* part_of(Worker& w) noexcept {
  KASURI_EXPECT(
      cheap,
      w.fork_depth.load(std::memory_order_relaxed) == (w.fork == nullptr ? 0 : w.fork->depth),
      "worker %d tells thieves of depth %d, its fork is %p", w.index,
      w.fork_depth.load(std::memory_order_relaxed), static_cast<void*>(w.fork));
  // acquire: pairs with the release in joined
  while (w.fork != nullptr && w.fork->joined.load(std::memory_order_acquire)) {
    w.stats.widened.add();
    take_part(w, use(w.fork->parent));
  }
  return w.fork;
}

/// A letter that spans several workers waits for the one at which it begins: each of them may open
/// it that takes part in no fork. The worker at which it begins can be the parent's own, busy with
/// the first side.
template <class Worker>
bool may_open_wide(const Worker& thief, const extent& range) {
  return thief.fork == nullptr && range.in.holds(thief.index == range.root_worker ? 0 : thief.cell);
}

}  // namespace kasuri::sched::rules
