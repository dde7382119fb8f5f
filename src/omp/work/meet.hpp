// SPDX-License-Identifier: Apache-2.0
#pragma once

// The way into a worksharing construct and out of it. See team/workshare.hpp for the protocol.

#include "omp/team/team.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

/// Returns when nobody uses the place of that ticket any more. The ticket is not below
/// m.work.free_to, which is `places` at least.
void wait_for_place(member& m, team& t, std::uint64_t ticket) noexcept;

/// Somebody else is setting it up: returns when that is done.
void wait_for_set_up(const construct& c, std::uint64_t ticket) noexcept;

/// Tells those who wait for a place.
void notify_left(team& t) noexcept;

/// The member meets the next construct of its region. The first of the team calls
/// set_up(construct&), while the others wait: it must be short and must not suspend.
template <class SetUp>
construct& meet(member& m, const SetUp& set_up) noexcept {
  team& t = *m.in;
  const std::uint64_t ticket = m.work.ticket++;
  const std::uint64_t busy = 2 * ticket + 1;
  construct& c = t.shares.at(ticket);
  // acquire: pairs with the release below
  std::uint64_t seen = c.state.load(std::memory_order_acquire);
  KASURI_EXPECT(cheap, m.work.left.load(std::memory_order_relaxed) <= ticket,
                "member %d meets construct %lu, and has left those below %lu", m.number, ticket,
                m.work.left.load(std::memory_order_relaxed));
  if (seen < busy) {
    if (ticket >= m.work.free_to) wait_for_place(m, t, ticket);
    KASURI_EXPECT(cheap, ticket < m.work.free_to, "construct %lu has no place below %lu", ticket,
                  m.work.free_to);
    // acquire: pairs with the release below, where another one was faster
    if (c.state.compare_exchange_strong(seen, busy, std::memory_order_acquire,
                                        std::memory_order_acquire)) {
      c.cancelled.store(0, std::memory_order_relaxed);
      set_up(c);
      // release: pairs with the acquire above and in wait_for_set_up
      c.state.store(busy + 1, std::memory_order_release);
      return c;
    }
  }
  KASURI_EXPECT(cheap, seen == busy || seen == busy + 1,
                "member %d meets construct %lu, its place is in state %lu", m.number, ticket, seen);
  if (seen == busy) wait_for_set_up(c, ticket);
  return c;
}

/// The member will not touch again what it has met, but for the doacross loop it may still be in.
inline void leave(member& m) noexcept {
  const doacross_state& d = m.work.doacross;
  const std::uint64_t behind = d.apart ? d.ticket : m.work.ticket;
  KASURI_EXPECT(cheap,
                behind <= m.work.ticket && behind >= m.work.left.load(std::memory_order_relaxed),
                "member %d leaves constructs below %lu, has left those below %lu, is at %lu",
                m.number, behind, m.work.left.load(std::memory_order_relaxed), m.work.ticket);
  // release: pairs with the acquire of a member that needs the place
  m.work.left.store(behind, std::memory_order_release);
  detail::real_atomics::fence_light();  // pairs with the heavy fence in wait_for_place
  // relaxed: after the fence above
  if (m.in->shares.wanted.load(std::memory_order_relaxed) != 0) notify_left(*m.in);
}

}  // namespace kasuri::omp
