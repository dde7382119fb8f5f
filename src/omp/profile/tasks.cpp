// SPDX-License-Identifier: Apache-2.0
// Explicit tasks. A task begins with the path of its creator at its creation; its own path meets
// those of its siblings where somebody waits for it: its parent's taskwait, its group's end, the
// next barrier. Which of them comes, it does not know: it goes to all three.

#include <algorithm>
#include <utility>

#include "omp/profile/consumer.hpp"
#include "omp/profile/own_code.hpp"
#include "omp/profile/task_rows.hpp"
#include "omp/run/taskgroup.hpp"
#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "profile/thread/spans.hpp"
#include "profile/thread/thread.hpp"

namespace kasuri::omp::sums {
namespace {

/// For the path of a task that has not begun: those that it depends on may end at the same time.
class path_lock {
 public:
  explicit path_lock(tool::task_time& t) noexcept : t_(t) {
    // acquire: pairs with the release below
    for (unsigned n = 0; t_.path_held.exchange(true, std::memory_order_acquire); ++n)
      detail::real_atomics::backoff(n);
  }
  ~path_lock() {
    // release: pairs with the acquire above
    t_.path_held.store(false, std::memory_order_release);
  }
  path_lock(const path_lock&) = delete;
  path_lock& operator=(const path_lock&) = delete;

 private:
  tool::task_time& t_;
};

profile::site_id site_of_creation(member& m, member_sums* s) noexcept {
  const void* const at = in_program(m, m.tool.call.address);
  if (s == nullptr) return profile::site_of(profile::site_kind::task, at);
  if (s->created_at != at || s->created_site == 0) {
    s->created_site = profile::site_of(profile::site_kind::task, at);
    s->created_at = at;
  }
  return s->created_site;
}

/// Whether the creator goes on behind the task, whoever has room for it.
bool is_call(const member& m, const explicit_task& t) noexcept {
  return t.serial || m.current->final || m.in->nest.level == 0;
}

void count_created(member& m, const explicit_task& t, profile::site_id site,
                   std::uint64_t now) noexcept {
  task_row* const r = task_row_here(site);
  if (r == nullptr) return;
  r->created.add();
  r->function.store(reinterpret_cast<const void*>(t.function), std::memory_order_relaxed);
  if (const std::uint64_t called = std::exchange(m.tool.call.at, 0); called != 0 && now > called)
    r->create.add((now - called) * tool::calls_a_timing);
}

void count_ended(const tool::task_time& t) noexcept {
  task_row* const r = task_row_here(t.strand.where());
  if (r == nullptr) return;
  r->add(t.own);
  if (!t.depends) return;
  r->dependences.add();
  if (t.ready > t.created) r->waits.add(t.ready - t.created);
}

/// Whether the member says at once that the task has ended, and need not be the one that waits.
bool is_told_at_once(const explicit_task& t) noexcept {
  return !t.counted || t.is(special_end::detachable);
}

void meet_siblings(member& m, explicit_task& t, const profile::path& p) noexcept {
  member_sums* const s = sums_of(m);
  if (s == nullptr) return;
  s->tasks[s->barriers % 2].meet(p);
  set(m.in->tool.sums->has_tasks);
  const bool at_once = is_told_at_once(t);
  if (meeting* const at = t.parent->tool != nullptr ? t.parent->tool->time.children : nullptr) {
    const bool is_mine = t.parent->executor == &m && !t.parent->ended;
    at_once || is_mine ? at->meet(p) : s->to_parent.meet(*at, p);
  }
  if (meeting* const at = t.group != nullptr ? t.group->paths : nullptr)
    at_once || t.group->owner == &m ? at->meet(p) : s->to_group.meet(*at, p);
}

/// What it took to make the record of a task, from `now` to here, as one of some has shown: none of
/// the creator's time.
std::uint64_t cost_of_record(member_sums& s, std::uint64_t now) noexcept {
  constexpr unsigned measured_one_in = 16;
  constexpr std::uint64_t most_times = 4;  // what takes longer was disturbed
  if (s.creations++ % measured_one_in == 0) {
    const std::uint64_t took = platform::ticks() - now;
    if (s.record_cost == 0) s.record_cost = took;
    s.record_cost = (7 * s.record_cost + std::min(took, most_times * s.record_cost)) / 8;
  }
  return s.record_cost;
}

}  // namespace

void pay_parent(member& m) noexcept {
  if (member_sums* const s = sums_of(m)) s->to_parent.pay();
}

void pay_group(member& m) noexcept {
  if (member_sums* const s = sums_of(m)) s->to_group.pay();
}

void create(member& m, explicit_task& t, bool depends) noexcept {
  member_sums* const s = sums_of(m);
  const std::uint64_t now = platform::ticks();
  task& creator = *m.current;
  tool::task_time& from = creator.tool->time;
  const bool runs = from.strand.runs() && creator.parent != nullptr;
  if (runs) {
    const std::uint64_t ran = from.strand.lap(now);
    from.own += ran;
    if (s != nullptr) s->busy += ran;
  } else {
    pause(m, creator, now);
  }
  tool::task_time& time = t.tool->time;
  const profile::site_id site = site_of_creation(m, s);
  time.strand.so_far() = from.strand.so_far();
  time.strand.place_at(site);
  time.created = time.ready = now;
  time.depends = depends;
  time.at_once = is_call(m, t);
  count_created(m, t, site, now);
  if (!time.at_once) {
    time.strand.so_far().add_burden(profile::hand_over_ticks());
    if (from.children == nullptr) from.children = make_meeting();
  }
  if (!runs) return go_on(creator, now);
  if (s != nullptr) from.strand.skip(cost_of_record(*s, now));
}

void start_task(member& m, task& outer, explicit_task& t) noexcept {
  const std::uint64_t now = platform::ticks();
  tool::task_time& time = t.tool->time;
  time.outer_ran = runs(outer);
  pause(m, outer, now);
  if (time.created == 0) {  // its creation was not seen
    time.strand.so_far() = outer.tool->time.strand.so_far();
    time.created = time.ready = now;
    time.at_once = true;
  }
  go_on(t, now);
}

void stop_task(member& m, explicit_task& t, task& outer) noexcept {
  const std::uint64_t now = platform::ticks();
  pause(m, t, now);
  tool::task_time& time = t.tool->time;
  const profile::path& p = time.strand.so_far();
  if (!time.dropped) count_ended(time);
  if (time.at_once)
    outer.tool->time.strand.so_far().meet(p);
  else
    meet_siblings(m, t, p);
  if (time.outer_ran)
    go_on(outer, now);
  else
    profile::here_throughout().runs(outer.tool->time.strand.where());
}

void discard_task(explicit_task& t) noexcept { t.tool->time.dropped = true; }

void follow(const tool::task_info& first, tool::task_info& second) noexcept {
  const path_lock hold(second.time);
  second.time.strand.so_far().meet(first.time.strand.so_far());
  second.time.ready = platform::ticks();
}

void begin_group(member& m) noexcept { m.current->group->paths = make_meeting(); }

meeting* group_of(const member& m) noexcept {
  return m.current->group != nullptr ? m.current->group->paths : nullptr;
}

void begin_wait(member& m) noexcept { pause(m, *m.current, platform::ticks()); }

void end_wait(member& m, tool::sync_kind kind, meeting* group) noexcept {
  tool::task_time& time = m.current->tool->time;
  if (kind == tool::sync_kind::taskgroup) {
    if (group != nullptr) group->pass_to(time.strand.so_far());
    free_meeting(group);
  } else if (time.children != nullptr) {
    time.children->pass_to(time.strand.so_far());
  }
  go_on(*m.current, platform::ticks());
}

void end_set_up(member& m) noexcept { go_on(*m.current, platform::ticks()); }

void begin_wait_for(member& m, tool::task_info& wait) noexcept {
  const std::uint64_t now = platform::ticks();
  pause(m, *m.current, now);
  wait.time.strand.so_far() = m.current->tool->time.strand.so_far();
}

void end_wait_for(member& m, tool::task_info& wait) noexcept {
  m.current->tool->time.strand.so_far().meet(wait.time.strand.so_far());
  go_on(*m.current, platform::ticks());
}

}  // namespace kasuri::omp::sums
