// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/base/expect.hpp"
#include "sched/pool/pool.hpp"
#include "sched/worker/check.hpp"

namespace kasuri::sched {

inline void check_at_rest(const worker& w) noexcept {
  KASURI_EXPECT(all,
                !w.has_thread.load(std::memory_order_relaxed) &&
                    w.asleep.load(std::memory_order_relaxed) != flag::dozing,
                "worker %d has thread %d; its flag is %u", w.index,
                w.tid.load(std::memory_order_relaxed), w.asleep.load(std::memory_order_relaxed));
  if (w.gone.load(std::memory_order_relaxed)) return;
  check_empty(w);
  KASURI_EXPECT(all, w.fork == nullptr || w.fork->joined.load(std::memory_order_relaxed),
                "worker %d takes part in a fork of depth %d that has not joined", w.index,
                w.fork->depth);
  w.box.check();
}

/// In the trees that run invariants, when all OS threads of the pool have ended: no thread has a
/// token or sleeps, and nothing is left to run but where the system gave no thread for it.
inline void check_at_rest(const pool& p) noexcept {
  if constexpr (platform::expectations < platform::expect_level::all) return;
  const idle_counts c = p.counts();
  KASURI_EXPECT(all, c.active == 0 && c.searching == 0 && c.waiting == 0,
                "active %u, searching %u, sleeping %u, waiting %u, limit %u", c.active, c.searching,
                c.sleeping, c.waiting, c.limit);
  bool some_are_gone = false;
  for (int i = 0, n = p.workers(); i != n; ++i) {
    check_at_rest(*p.at(i));
    some_are_gone |= p.at(i)->gone.load(std::memory_order_relaxed);
  }
  p.check_boxes();
  KASURI_EXPECT(all, some_are_gone || !p.work_visible(),
                "frames are left, of %d workers none is gone", p.workers());
}

}  // namespace kasuri::sched
