// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/base/expect.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

/// In the trees that run invariants, at a quiescent point of `w`: its OS thread comes or leaves, or
/// has ended. The worker has nothing that its OS thread alone would look after: no frame in its
/// deque or its ring, no answer to wait for, no ends of tasks to report, no slot.
inline void check_empty(const worker& w) noexcept {
  if constexpr (platform::expectations < platform::expect_level::all) return;
  KASURI_EXPECT(all, w.queue.size() == 0 && w.ready.empty(),
                "worker %d has %zu frames in its deque; its ring is %s", w.index, w.queue.size(),
                w.ready.empty() ? "empty" : "not empty");
  KASURI_EXPECT(all, !w.answer.is_open(), "worker %d awaits an answer of worker %d", w.index,
                w.answer.owner());
  KASURI_EXPECT(all, w.face.tally.of == nullptr, "worker %d has not reported %u ends to group %p",
                w.index, w.face.tally.n, static_cast<void*>(w.face.tally.of));
  KASURI_EXPECT(all, w.range == nullptr && w.next_range == nullptr,
                "worker %d wears %p and is to wear %p", w.index, static_cast<void*>(w.range),
                static_cast<void*>(w.next_range));
  KASURI_EXPECT(all,
                w.slot < 0 && w.wears == nullptr && !w.naps_outside.load(std::memory_order_relaxed),
                "worker %d has slot %d and wears %p", w.index, w.slot, static_cast<void*>(w.wears));
  w.blocks.check();
}

}  // namespace kasuri::sched
