// SPDX-License-Identifier: Apache-2.0
#pragma once

// Single constructs: the first member of the team that meets one runs it. They count by themselves,
// with tickets as in workshare.hpp: all below `singles` have somebody. Only who finds it low
// executes a locked instruction.
//
// copyprivate: the member that ran the construct publishes the address of its data; the barrier
// that follows every such construct says when all have copied it.

#include "omp/run/wait.hpp"
#include "omp/team/team.hpp"
#include "omp/tool/hooks.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::omp {

/// Whether the member runs the single construct it meets.
inline bool begin_single(member& m) noexcept {
  team& t = *m.in;
  const std::uint64_t ticket = m.work.single++;
  bool mine = t.size == 1;
  if (!mine) {
    std::uint64_t seen = t.shares.singles.load(std::memory_order_relaxed);
    // Nothing is read because of it: the construct's effects are ordered by the barrier behind it.
    mine = seen <= ticket &&
           t.shares.singles.compare_exchange_strong(seen, ticket + 1, std::memory_order_relaxed);
  }
  if (tool::active()) [[unlikely]]
    tool::meet_single(m, mine);
  return mine;
}

/// Of the single construct that the member has just run.
inline void publish_copy(member& m, void* data) noexcept {
  workshares& s = m.in->shares;
  KASURI_EXPECT(cheap,
                m.in->size == 1 || s.copy_ready.load(std::memory_order_relaxed) < m.work.single,
                "member %d publishes copy %lu behind %lu", m.number, m.work.single,
                s.copy_ready.load(std::memory_order_relaxed));
  s.copy_data = data;
  platform::happens_before(&s.copy_ready);
  notify(&s.copy_ready, sched::in_order::store(s.copy_ready, m.work.single));
}

/// Of the single construct that another member runs.
inline void* published_copy(member& m) noexcept {
  workshares& s = m.in->shares;
  const std::uint64_t mine = m.work.single;
  KASURI_EXPECT(cheap, m.in->size > 1 && mine != 0, "a team of %d, copy %lu", m.in->size, mine);
  // acquire: pairs with the store in publish_copy
  const auto ready = [&s, mine] { return s.copy_ready.load(std::memory_order_acquire) == mine; };
  wait_until(m, &s.copy_ready, ready, may_run::nothing);
  platform::happens_after(&s.copy_ready);
  return s.copy_data;
}

}  // namespace kasuri::omp
