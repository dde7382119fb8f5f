// SPDX-License-Identifier: Apache-2.0
// Barriers within a region, each the end of a phase. The phase is summed up by the last member that
// leaves, because tasks run until all do.

#include <algorithm>
#include <mutex>

#include "omp/profile/consumer.hpp"
#include "omp/profile/own_code.hpp"
#include "omp/profile/regions.hpp"
#include "platform/base/clock.hpp"

namespace kasuri::omp::sums {
namespace {

profile::site_kind site_kind_of(tool::sync_kind kind) noexcept {
  return kind == tool::sync_kind::barrier_workshare ? profile::site_kind::loop
                                                    : profile::site_kind::barrier;
}

phase_kind phase_kind_of(tool::sync_kind kind) noexcept {
  return kind == tool::sync_kind::barrier_workshare ? phase_kind::loop : phase_kind::barrier;
}

/// Where the phase's barrier is. Of a loop that ends in the call that has the barrier too, as
/// GCC's, it is where the loop begins: compilers give the end the line of the body's last
/// statement, which may be one of an inlined function.
profile::site_id site_of(const member& m, const member_sums& s, tool::sync_kind kind,
                         const void* site) noexcept {
  if (kind == tool::sync_kind::barrier_workshare && site != nullptr && s.loop_end == site)
    return s.loop;
  return profile::site_of(site_kind_of(kind), in_program(m, site));
}

/// All tasks of the phase have ended, and no member has come to the barrier after the next.
void meet_tasks(team& t, barrier_sums& b, std::uint64_t number) noexcept {
  for (int i = 0; i != t.size; ++i) b.paths.meet(t.tool.sums->members[i].tasks[number % 2]);
}

/// True: the member is the last that leaves. `all` and the waits are those of the phase then.
bool count_out(const team& t, int number, barrier_sums& b, const member_sums& s, std::uint64_t now,
               instance& all) noexcept {
  b.busy += s.busy;
  if (s.busy > b.longest) b.longest = s.busy, b.worst = number;
  const std::uint64_t there = now > s.arrived ? now - s.arrived : 0;
  const std::uint64_t ran = s.busy - s.busy_at_arrival;
  if (there > ran) b.wait += there - ran;
  b.locks += s.locks;
  if (++b.left != t.size) return false;
  all = {t.size, b.busy, b.longest, b.worst};
  return true;
}

}  // namespace

void come_to_barrier(member& m) noexcept {
  member_sums* const s = sums_of(m);
  if (s == nullptr) return;
  end_work(m);
  const std::uint64_t now = platform::ticks();
  pause(m, *m.current, now);
  s->arrived = now;
  s->busy_at_arrival = s->busy;
  team_sums& t = *m.in->tool.sums;
  set(t.has_barriers);
  t.barriers[s->barriers % 2].paths.meet(m.current->tool->time.strand.so_far());
}

void leave_barrier(member& m, tool::sync_kind kind, const void* site) noexcept {
  member_sums* const s = sums_of(m);
  if (s == nullptr) return;
  team& t = *m.in;
  const std::uint64_t now = platform::ticks();
  const std::uint64_t number = s->barriers++;
  barrier_sums& b = t.tool.sums->barriers[number % 2];
  instance all;
  {
    const std::lock_guard hold(b.lock);
    if (t.tool.sums->has_tasks.load(std::memory_order_relaxed) && !std::exchange(b.tasks_met, true))
      meet_tasks(t, b, number);
    if (count_out(t, m.number, b, *s, now, all)) {
      add_phase(site_of(m, *s, kind, site), t.tool.sums->site, phase_kind_of(kind), all, b.wait,
                b.locks);
      b.begin_anew();
    }
  }
  b.paths.pass_to(m.current->tool->time.strand.so_far());
  s->busy_before += s->busy;
  s->busy = s->locks = s->busy_at_arrival = 0;
  s->loop_end = nullptr;
  go_on(*m.current, now);
}

}  // namespace kasuri::omp::sums
