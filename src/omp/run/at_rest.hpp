// SPDX-License-Identifier: Apache-2.0
#pragma once

// Walks over what a team has, in the trees that run invariants. Its members rest then: all have
// come to the end of the region, no task is left, and the caller, the primary, has seen both.
//
// Docked workers may still look for tasks; they find none, and a look writes nothing that is read
// here.

#include "omp/run/taskgroup.hpp"
#include "omp/task/dependence_table.hpp"
#include "omp/task/task_record.hpp"
#include "omp/team/team.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

/// The member owes nothing to the counters of others, and its deque is empty.
inline void check_queue(const member& m) noexcept {
  const task_queue& q = m.tasks;
  KASURI_EXPECT(all, q.ended.of == nullptr, "member %d owes %ld ends of children", m.number,
                q.ended.n);
  KASURI_EXPECT(all, q.group == nullptr && q.credits == 0, "member %d has %ld credits at group %p",
                m.number, q.credits, static_cast<void*>(q.group));
  task_queue::deque* const d = q.shared();
  KASURI_EXPECT(all, d == nullptr || d->empty(), "member %d has %zu tasks", m.number, d->size());
}

/// Each record that the member keeps for calls is as a new one, and all are counted.
inline void check_spares(const member& m) noexcept {
  int count = 0;
  for (const detail::frame* at = m.tasks.spare; at != nullptr; ++count) {
    const auto& t = static_cast<const explicit_task&>(*at);
    KASURI_EXPECT(all, t.children.here() == 0 && t.holds.load(std::memory_order_relaxed) == 1,
                  "member %d keeps a record with %ld children and %u holds", m.number,
                  t.children.here(), t.holds.load(std::memory_order_relaxed));
    at = t.next();
  }
  KASURI_EXPECT(all, count == m.tasks.spares, "member %d keeps %d records, and counts %d", m.number,
                count, m.tasks.spares);
}

/// The implicit task has no children and no helper stands behind the member.
inline void check_member(const member& m) noexcept {
  const team& t = *m.in;
  KASURI_EXPECT(all, t.members[m.number] == &m, "member %d of %d is not at its place", m.number,
                t.size);
  KASURI_EXPECT(all, m.implicit.children.all_ended(), "member %d of %d has %ld children", m.number,
                t.size, m.implicit.children.left());
  KASURI_EXPECT(all, m.implicit.executor == &m && m.implicit.implicit,
                "the implicit task of member %d is another's", m.number);
  KASURI_EXPECT(all, m.number <= t.docked() || !m.engaged.load(std::memory_order_relaxed),
                "member %d of %d is engaged", m.number, t.size);
  KASURI_EXPECT(all, !m.comes_back.load(std::memory_order_relaxed), "member %d of %d was sent for",
                m.number, t.size);
  KASURI_EXPECT(all, m.work.left.load(std::memory_order_relaxed) <= m.work.ticket,
                "member %d has left the constructs below %lu, and is at %lu", m.number,
                m.work.left.load(std::memory_order_relaxed), m.work.ticket);
  check_queue(m);
  check_spares(m);
}

/// All members of a region that was not cancelled have met the same barriers.
inline void check_barriers(const team& t) noexcept {
  if (t.cancelled.load(std::memory_order_relaxed) != 0) return;
  const std::uint64_t last = t.members[0]->arrived.load(std::memory_order_relaxed) >> 1;
  for (int i = 1; i != t.size; ++i) {
    const std::uint64_t his = t.members[i]->arrived.load(std::memory_order_relaxed) >> 1;
    KASURI_EXPECT(all, his == last, "member %d of %d has met barrier %lu, member 0 %lu", i, t.size,
                  his, last);
  }
  KASURI_EXPECT(all, t.barriers.arrivals.load(std::memory_order_relaxed) == 0,
                "%lu arrivals at a barrier of %d",
                t.barriers.arrivals.load(std::memory_order_relaxed), t.size);
  KASURI_EXPECT(all,
                t.barriers.ended.load(std::memory_order_relaxed) <= last &&
                    t.barriers.draining.load(std::memory_order_relaxed) <= last,
                "barrier %lu has ended, %lu has drained, members met %lu",
                t.barriers.ended.load(std::memory_order_relaxed),
                t.barriers.draining.load(std::memory_order_relaxed), last);
}

/// The whole team at the end of a region.
inline void check_at_rest(const team& t) noexcept {
  if constexpr (platform::expectations < platform::expect_level::all) return;
  KASURI_EXPECT(
      all, t.frames.running.all_ended() && t.frames.helpers.load(std::memory_order_relaxed) == 0,
      "%ld frames and %u helpers run in a team of %d", t.frames.running.left(),
      t.frames.helpers.load(std::memory_order_relaxed), t.size);
  KASURI_EXPECT(
      all, t.frames.count + static_cast<unsigned>(t.docked()) + 1 == static_cast<unsigned>(t.size),
      "a team of %d has %d docked members and %u frames", t.size, t.docked(), t.frames.count);
  KASURI_EXPECT(all, t.tasks.empty() && (t.mail == nullptr || t.mail->empty()),
                "%u tasks are in no deque of a team of %d", t.tasks.size(), t.size);
  KASURI_EXPECT(all, t.shares.wanted.load(std::memory_order_relaxed) == 0,
                "%u members wait for a construct", t.shares.wanted.load(std::memory_order_relaxed));
  check_barriers(t);
  for (int i = 0; i != t.size; ++i) check_member(*t.members[i]);
}

}  // namespace kasuri::omp
