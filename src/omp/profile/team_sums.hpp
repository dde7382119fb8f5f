// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a profile keeps of a team and its members while a region runs.

#include <cstdint>
#include <memory>
#include <utility>

#include "omp/base/spin_lock.hpp"
#include "omp/profile/meeting.hpp"
#include "omp/team/team.hpp"
#include "profile/base/sites.hpp"

namespace kasuri::omp::sums {

struct lock_row;

/// The longest path of tasks that ended on a member and were others' children, as long as the
/// member has not said that they ended (task_queue.hpp, debts).
struct owed_path {
  meeting* to = nullptr;
  profile::path longest;

  void meet(meeting& at, const profile::path& p) noexcept {
    if (to == &at) return longest.meet(p);
    pay();
    to = &at;
    longest = p;
  }
  void pay() noexcept {
    if (meeting* const at = std::exchange(to, nullptr)) at->meet(longest);
  }
};

/// Time in ticks. "Busy": the member's implicit task or an explicit one ran on it, and did not
/// wait.
///
/// The first cache line is all that the primary reads of most members at the region's end.
struct alignas(64) member_sums {
  std::uint64_t arrived = 0;  // at the barrier that it was at last
  std::uint64_t busy_at_arrival = 0;
  std::uint64_t busy = 0;  // since the last barrier
  std::uint64_t busy_before = 0;
  std::uint64_t locks = 0;     // waited for locks, since the last barrier
  std::uint64_t length = 0;    // of its path, at the last barrier of the region
  std::uint64_t burdened = 0;  // ... with what it costs to hand work over
  std::uint64_t barriers = 0;  // that it has left in this region

  // Of tasks that ran on it since the last barrier, in turns: when a member comes to the barrier
  // after the next, nobody looks at those of this one any more.
  alignas(64) profile::path tasks[2];
  owed_path to_parent;
  owed_path to_group;

  std::uint64_t serial = 0;  // path outside all regions, up to the end of the last

  // The lock that it acquires now, and how long it waits.
  lock_row* acquires = nullptr;  // or acquired last
  bool is_acquiring = false;
  std::uint64_t waited = 0;
  std::uint64_t waits_since = 0;

  // The loop that it is in; what ran before it.
  bool in_loop = false;
  tool::work_kind loop_kind = tool::work_kind::none;
  profile::site_id loop = 0;
  profile::site_id around = 0;
  std::uint64_t chunks = 0;
  const void* loop_end = nullptr;  // the call that ended it, until the next barrier

  // Of the last task that it created.
  const void* created_at = nullptr;
  profile::site_id created_site = 0;
  unsigned creations = 0;
  std::uint64_t record_cost = 0;  // of one
};

/// A barrier of the team. Two in turns, for the same reason.
struct barrier_sums {
  meeting paths;
  spin_lock lock;  // guards the rest
  int left = 0;    // members that have left it
  bool tasks_met = false;
  std::uint64_t busy = 0;
  std::uint64_t longest = 0;
  int worst = 0;
  std::uint64_t wait = 0;
  std::uint64_t locks = 0;

  void begin_anew() noexcept {
    left = 0;
    tasks_met = false;
    busy = longest = wait = locks = 0;
    worst = 0;
  }
};

struct team_sums {
  explicit team_sums(int size) : members(new member_sums[static_cast<std::size_t>(size)]) {}

  // Of the region; written before the members begin.
  alignas(64) profile::path before;  // leads to it
  profile::site_id site = 0;
  bool open = false;  // its begin was seen, and not yet its end
  std::uint64_t start = 0;
  std::uint64_t serial = 0;  // the primary's, before the region and outside all

  profile::path after;  // leads through the region
  barrier_sums barriers[2];
  // Since the members began: a barrier was met, a task of which nobody waits alone has ended.
  std::atomic<bool> has_barriers{false};
  std::atomic<bool> has_tasks{false};
  std::unique_ptr<member_sums[]> members;
};

/// Sets what is set once and read often.
inline void set(std::atomic<bool>& flag) noexcept {
  if (!flag.load(std::memory_order_relaxed)) flag.store(true, std::memory_order_relaxed);
}

/// The member's; null in a region that began before the recording, as that of a child of a fork
/// may.
member_sums* sums_outside(member& m) noexcept;
inline member_sums* sums_of(member& m) noexcept {
  team& t = *m.in;
  if (t.nest.level == 0) [[unlikely]]
    return sums_outside(m);
  team_sums* const s = t.tool.sums;
  return s != nullptr && s->open ? &s->members[m.number] : nullptr;
}

/// The team's, made when missing: before its members run.
team_sums& sums_of(team& t) noexcept;

/// The strand of the member's task stops; its time is the member's too.
std::uint64_t pause(member& m, task& t, std::uint64_t now) noexcept;
/// ... goes on, and the thread's samples are its.
void go_on(task& t, std::uint64_t now) noexcept;
/// Whether it runs, and does not wait.
bool runs(task& t) noexcept;

}  // namespace kasuri::omp::sums
