// SPDX-License-Identifier: Apache-2.0
// A region from its begin to its end. What its members did is summed up by the primary when all
// have ended: a worker's own end of the last barrier is seen only when its next region begins.
//
// Members may be frames that one worker runs one after the other: a member's time begins with its
// implicit task.

#include "omp/profile/regions.hpp"

#include <algorithm>
#include <utility>

#include "omp/profile/consumer.hpp"
#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "profile/thread/spans.hpp"
#include "profile/thread/thread.hpp"

namespace kasuri::omp::sums {
namespace {

void begin_member(member_sums& s, std::uint64_t now) noexcept {
  KASURI_EXPECT(cheap, s.to_parent.to == nullptr && s.to_group.to == nullptr,
                "a member begins a region and owes paths to %p and %p",
                static_cast<void*>(s.to_parent.to), static_cast<void*>(s.to_group.to));
  s.arrived = now;
  s.busy = s.locks = s.busy_before = s.busy_at_arrival = 0;
  s.barriers = 0;
  for (profile::path& p : s.tasks)
    if (p.length() != 0) p = {};
  s.in_loop = false;
  s.acquires = nullptr;
  s.is_acquiring = false;
  s.waited = 0;
}

void begin_barriers(team_sums& s) noexcept {
  if (!s.has_barriers.load(std::memory_order_relaxed)) return;
  s.has_barriers.store(false, std::memory_order_relaxed);
  for (barrier_sums& b : s.barriers) {
    b.paths.begin_anew();
    b.begin_anew();
  }
}

/// What the path outside all regions has grown by since the last region of the thread.
std::uint64_t serial_before(member& m, std::uint64_t length) noexcept {
  const std::uint64_t then = sums_of(m)->serial;
  return length > then ? length - then : 0;
}

/// Of the last phase, and of the whole region.
struct totals {
  instance phase, region;
  std::uint64_t wait = 0;
  std::uint64_t locks = 0;

  void add(team& t, int number, std::uint64_t now) noexcept {
    const member_sums& s = t.tool.sums->members[number];
    const std::uint64_t whole = s.busy + s.busy_before;
    phase.busy += s.busy;
    region.busy += whole;
    if (s.busy > phase.longest) phase.longest = s.busy, phase.worst = number;
    if (whole > region.longest) region.longest = whole, region.worst = number;
    locks += s.locks;
    // What runs a member that is a frame runs others behind it.
    const std::uint64_t there = now > s.arrived ? now - s.arrived : 0;
    const std::uint64_t ran = s.busy - s.busy_at_arrival;
    if (number <= t.docked() && there > ran) wait += there - ran;
  }
};

/// The longest of the members' paths, and of their tasks'.
profile::path through(team& t) noexcept {
  const member_sums* const all = t.tool.sums->members.get();
  int longest = 0;
  std::uint64_t burdened = 0;
  for (int i = 0; i != t.size; ++i) {
    if (all[i].length > all[longest].length) longest = i;
    burdened = std::max(burdened, all[i].burdened);
  }
  profile::path p = t.members[longest]->implicit.tool->time.strand.so_far();
  p.add_burden(burdened - p.burdened());
  if (!t.tool.sums->has_tasks.load(std::memory_order_relaxed)) return p;
  for (int i = 0; i != t.size; ++i)
    for (const profile::path& of_tasks : all[i].tasks) p.meet(of_tasks);
  return p;
}

}  // namespace

void meet_parallel(member& m) noexcept { pause(m, *m.current, platform::ticks()); }

void begin_parallel(team& t, member& m) noexcept {
  const std::uint64_t now = platform::ticks();
  pause(m, *m.current, now);
  team_sums& s = sums_of(t);
  s.site = profile::site_of(profile::site_kind::region, t.tool.site);
  s.open = true;
  s.start = now;
  s.before = m.current->tool->time.strand.so_far();
  s.serial = m.in->nest.level == 0 ? serial_before(m, s.before.length()) : 0;
  begin_barriers(s);
  s.has_tasks.store(false, std::memory_order_relaxed);
}

void end_parallel(team& t, member& m) noexcept {
  if (t.tool.sums == nullptr || !std::exchange(t.tool.sums->open, false)) return;
  const std::uint64_t now = platform::ticks();
  tool::task_time& outer = m.current->tool->time;
  outer.strand.so_far().meet(t.tool.sums->after);
  go_on(*m.current, now);
  if (m.in->nest.level == 0) sums_of(m)->serial = outer.strand.so_far().length();
}

void begin_implicit(member& m) noexcept {
  team_sums* const t = m.in->tool.sums;
  if (t == nullptr || !t->open) return;
  const std::uint64_t now = platform::ticks();
  begin_member(t->members[m.number], now);
  tool::task_time& time = m.implicit.tool->time;
  time.own = 0;
  time.strand.begin(t->site, t->before, now);
  if (m.number != 0) time.strand.so_far().add_burden(profile::hand_over_ticks());
  profile::here_throughout().runs(t->site);
}

void reach_last_barrier(member& m) noexcept {
  member_sums* const s = sums_of(m);
  if (s == nullptr) return;
  end_work(m);
  const std::uint64_t now = platform::ticks();
  pause(m, m.implicit, now);
  s->arrived = now;
  s->busy_at_arrival = s->busy;
  const profile::path& p = m.implicit.tool->time.strand.so_far();
  s->length = p.length();
  s->burdened = p.burdened();
  if (m.number != 0) profile::here_throughout().runs(0);
}

void end_implicit(member& zero) noexcept {
  team& t = *zero.in;
  team_sums* const s = t.tool.sums;
  if (s == nullptr || !s->open) return;
  const std::uint64_t now = platform::ticks();
  totals all;
  all.phase.members = all.region.members = t.size;
  for (int i = 0; i != t.size; ++i) all.add(t, i, now);
  s->after = through(t);
  add_region(s->site, reinterpret_cast<const void*>(t.code.function), all.region,
             now > s->start ? now - s->start : 0, s->serial);
  add_phase(s->site, s->site, phase_kind::region, all.phase, all.wait, all.locks);
}

}  // namespace kasuri::omp::sums
