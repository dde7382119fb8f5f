// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ordered regions of loops. A chunk's turn comes when all chunks before it have ended, whether they
// ran an ordered region or not; construct::turn has the number of the iteration where that chunk
// begins. Within a chunk the member runs its iterations in order anyway.

#include "omp/run/wait.hpp"
#include "omp/work/meet.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::omp {

/// The address that stands for the ordered regions of the team's loop.
inline const void* ordered_mutex(const member& m) noexcept { return &m.in->shares; }

/// Waits for the turn of the member's chunk.
inline void wait_for_turn(member& m) noexcept {
  const loop_state& l = m.work.loop;
  if (!l.ordered || l.shared == nullptr) return;
  const std::atomic<std::uint64_t>& turn = l.shared->turn;
  const std::uint64_t mine = l.from;
  // acquire: pairs with the store in pass_turn
  wait_until(
      m, &turn, [&turn, mine] { return turn.load(std::memory_order_acquire) == mine; },
      may_run::nothing, record::wait_reason::openmp_turn);
}

/// The beginning and the end of an ordered region. The turn is passed when the chunk ends, since
/// only then it is clear that no other region follows in it.
inline void enter_ordered(member& m) noexcept {
  wait_for_turn(m);
  platform::happens_after(ordered_mutex(m));
}
inline void leave_ordered(const member& m) noexcept { platform::happens_before(ordered_mutex(m)); }

/// The member's chunk has ended, if it has one.
inline void pass_turn(member& m) noexcept {
  loop_state& l = m.work.loop;
  if (l.from == l.to) return;
  KASURI_EXPECT(cheap, l.shared != nullptr && l.from < l.to,
                "member %d passes the turn of [%lu, %lu), construct %p", m.number, l.from, l.to,
                static_cast<void*>(l.shared));
  wait_for_turn(m);
  std::atomic<std::uint64_t>& turn = l.shared->turn;
  KASURI_EXPECT(cheap, turn.load(std::memory_order_relaxed) == l.from,
                "member %d passes the turn of iteration %lu, it is that of %lu", m.number, l.from,
                turn.load(std::memory_order_relaxed));
  notify(&turn, sched::in_order::store(turn, l.to));
  l.from = l.to;
}

}  // namespace kasuri::omp
