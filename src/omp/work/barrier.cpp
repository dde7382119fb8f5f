// SPDX-License-Identifier: Apache-2.0
// Barriers. Two kinds, by where the members run; both end only when all tasks of the team have
// ended.
//
// Small teams on OS threads: everybody tells everybody. Each member writes its own word
//     number of the barrier * 2 + whether it created tasks since the barrier before
// and waits until it has seen that number, or a later one, in all others. One transfer of a cache
// line from core to core is between the last arrival and the end, and no locked instruction but
// that of the store.
//
// Other teams: arrivals are counted in one word, and the last one ends the barrier.
//
// With tasks. All members have arrived and some created tasks: then they run tasks until the counts
// of the team are equal (tasks_left), and the member that sees that first writes the barrier's
// number to `ended`. The others must go by that word and not by the counts, because a member that
// has left may have created tasks of the next phase. For the same reason a member that sees a later
// number than its own in another's word leaves without any look at tasks: that one has passed, so
// there was nothing to wait for.

#include "omp/work/barrier.hpp"

#include "omp/run/tasks.hpp"
#include "omp/run/wait.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/race_detector.hpp"

namespace kasuri::omp {
namespace {

// Above that, counting costs fewer transfers.
constexpr int most_who_tell_all = 4;
constexpr std::uint64_t with_tasks = std::uint64_t{1} << 32;  // in team_barriers::arrivals

/// Whether the member queued tasks since its last barrier.
bool created_tasks(member& m) noexcept {
  const std::uint64_t created = m.tasks_created.load(std::memory_order_relaxed);
  if (created == m.created_before) return false;
  m.created_before = created;
  return true;
}

/// Of the barrier that the member meets. Regions of a team may have barriers of either kind, and
/// the numbers go on.
std::uint64_t next_number(const member& m) noexcept {
  return (m.arrived.load(std::memory_order_relaxed) >> 1) + 1;
}

/// For race detectors. Two in turns: when the members come to the barrier after the next, all have
/// left this one, so that nobody is taken to have waited for what others do behind the barrier.
const void* order_key(const team& t, std::uint64_t number) noexcept {
  return reinterpret_cast<const char*>(&t.barriers.arrivals) + number % 2;
}

/// The condition that a member waits for in one barrier.
struct wait_for_all {
  const team& t;
  const member& m;
  std::uint64_t number;
  bool cancellable;

  bool over() const noexcept {
    // acquire: pairs with the change in end_barrier
    return t.barriers.ended.load(std::memory_order_acquire) >= number ||
           (cancellable && t.cancelled.load(std::memory_order_relaxed) != 0);
  }
};

struct told_by_all : wait_for_all {
  bool operator()() const noexcept {
    if (over()) return true;
    bool tasks = false;
    for (int i = 0; i != t.size; ++i) {
      // acquire: pairs with the store in tell_all
      const std::uint64_t word = t.members[i]->arrived.load(std::memory_order_acquire);
      // In a cancelled region others may stand further behind: this member left the last barrier
      // early, and has seen the cancellation.
      KASURI_EXPECT(cheap,
                    (word >> 1) + 1 >= number || t.cancelled.load(std::memory_order_relaxed) != 0,
                    "member %d waits in barrier %lu, and member %d comes from %lu", m.number,
                    number, i, word >> 1);
      if (word >> 1 > number) return true;
      if (word >> 1 < number) return false;
      tasks = tasks || (word & 1) != 0;
    }
    return !tasks || !tasks_left(t);
  }
};

struct counted : wait_for_all {
  bool operator()() const noexcept {
    if (over()) return true;
    // acquire: pairs with the release in count
    return t.barriers.draining.load(std::memory_order_acquire) == number && !tasks_left(t);
  }
};

/// The barrier has ended: for those who created tasks, or count.
void end_barrier(team& t, std::uint64_t number) noexcept {
  KASURI_EXPECT(cheap, number != 0, "a barrier without a number in a team of %d", t.size);
  std::uint64_t before;
  const sched::ordered raised = sched::in_order::raise(t.barriers.ended, number, before);
  if (before < number) notify(&t, raised);
}

void tell_all(team& t, member& m, bool cancellable) noexcept {
  const std::uint64_t number = next_number(m);
  const bool created = created_tasks(m);
  platform::happens_before(order_key(t, number));
  notify(&t, sched::in_order::store(m.arrived, number << 1 | (created ? 1u : 0u)));
  wait_until(m, &t, told_by_all{{t, m, number, cancellable}}, may_run::anything);
  platform::happens_after(order_key(t, number));
  if (t.has_tasks.load(std::memory_order_relaxed)) end_barrier(t, number);
}

void count(team& t, member& m, bool cancellable) noexcept {
  const std::uint64_t number = next_number(m);
  m.arrived.store(number << 1, std::memory_order_relaxed);
  platform::happens_before(order_key(t, number));
  const std::uint64_t mine = 1 + (created_tasks(m) ? with_tasks : 0);
  // acq_rel: pairs with the same instruction of the others: the last has seen what all have done
  const std::uint64_t seen = t.barriers.arrivals.fetch_add(mine, std::memory_order_acq_rel) + mine;
  KASURI_EXPECT(cheap, static_cast<std::uint32_t>(seen) <= static_cast<std::uint32_t>(t.size),
                "%u members have come to barrier %lu of a team of %d",
                static_cast<std::uint32_t>(seen), number, t.size);
  if (static_cast<std::uint32_t>(seen) == static_cast<std::uint32_t>(t.size)) {
    KASURI_EXPECT(cheap,
                  t.barriers.ended.load(std::memory_order_relaxed) < number ||
                      t.cancelled.load(std::memory_order_relaxed) != 0,
                  "all members come to barrier %lu, and %lu has ended", number,
                  t.barriers.ended.load(std::memory_order_relaxed));
    t.barriers.arrivals.store(0, std::memory_order_relaxed);
    if (seen < with_tasks) {
      platform::happens_after(order_key(t, number));
      return end_barrier(t, number);
    }
    // release: pairs with the acquire in counted
    t.barriers.draining.store(number, std::memory_order_release);
    notify(&t);
  }
  wait_until(m, &t, counted{{t, m, number, cancellable}}, may_run::anything);
  platform::happens_after(order_key(t, number));
  if (t.barriers.draining.load(std::memory_order_relaxed) == number) end_barrier(t, number);
}

}  // namespace

bool barrier(member& m, bool cancellable) noexcept {
  team& t = *m.in;
  KASURI_EXPECT(all, known_self() == &m, "member %d of %d is not the calling thread's", m.number,
                t.size);
  if (t.size == 1)
    wait_until(m, &t, [&t] { return !tasks_left(t); }, may_run::anything);
  else if (t.on_threads && t.size <= most_who_tell_all)
    tell_all(t, m, cancellable);
  else
    count(t, m, cancellable);
  platform::happens_after(&t.tasks);  // see count_executed
  return !(cancellable && t.cancelled.load(std::memory_order_relaxed) != 0);
}

}  // namespace kasuri::omp
