// SPDX-License-Identifier: Apache-2.0
// Tasks that are too short to be measured one by one: their time is, and no more; and they are told
// many at a time. The last few that a worker counted for a group may come too late for its wait.

#include <algorithm>
#include <utility>

#include "platform/base/clock.hpp"
#include "profile/thread/thread.hpp"
#include "sched/measure/fork_recorder.hpp"
#include "sched/measure/measured.hpp"
#include "sched/measure/on_the_way.hpp"
#include "sched/measure/program_tree.hpp"
#include "sched/measure/scope_table.hpp"
#include "sched/worker/worker.hpp"

namespace kasuri::sched {

constinit measured short_task{measured::as_leaf{}};

namespace {

constexpr unsigned most_counted = 64;
constexpr unsigned measured_one_in = 64;

/// Of the group or thread `key`, one that took so long.
void count(worker& w, const void* key, profile::site_id site, std::uint64_t ticks) noexcept {
  fork_recorder::short_tasks& all = w.forks->counted();
  if (all.key != key || all.site != site) {
    tell_short(w);
    const bool other = all.key != key;
    all.key = key;
    all.site = site;
    if (other) all.told_at = 1;
  }
  ++all.count;
  all.work += ticks;
  all.longest = std::max(all.longest, ticks);
  if (all.count < all.told_at) return;
  all.told_at = std::min(2 * all.told_at, most_counted);
  tell_short(w);
}

}  // namespace

void tell_short(worker& w) noexcept {
  fork_recorder::short_tasks& all = w.forks->counted();
  if (all.count == 0) return;
  site_sums& s = w.forks->at(all.site);
  const std::uint64_t work = std::exchange(all.work, 0);
  const std::uint64_t longest = std::exchange(all.longest, 0);
  const std::uint64_t forks = s.guess(work, work).forks;
  const unsigned tasks = std::exchange(all.count, 0);
  s.seen.add(tasks);
  s.inner.add(forks);
  profile::here().add_work(all.site, work);
  profile::path way;
  way.add(all.site, longest);
  const fork_sums sums{work, longest, tasks + forks};
  if (!scope_table::get().ended_many(all.key, way, sums)) program_tree::get().add_beside(sums);
}

namespace {

// Each in one call: threads are looked up out of line, as a task may go on on another one.

/// When it begins.
std::uint64_t begin_short(worker& w, profile::site_id site, std::uint64_t now) noexcept {
  profile::thread& here = profile::here_throughout();
  here.runs(site);
  w.measures = &short_task;
  w.queue.watch_pushes(false);
  return here.clock().begin(now);
}

std::uint64_t time_of(std::uint64_t began, std::uint64_t now) noexcept {
  const std::uint64_t ran = profile::here_throughout().clock().ran(began, now);
  const std::uint64_t least = ticks_of_event();
  return ran > least ? ran - least : 1;
}

}  // namespace

bool run_short(worker& w, detail::frame* f, profile::site_id site) noexcept {
  const site_sums& before = w.forks->at(site);
  if (before.creates_tasks || before.mean_task == 0 ||
      before.mean_task >= static_cast<float>(w.forks->shortest() / 4) ||
      w.forks->is_turn(measured_one_in))
    return false;
  measured* const around = w.measures;
  const void* const key = f->in;
  const context::stack& here = *w.face.stack;
  const std::uint64_t suspensions = here.suspensions;
  std::uint64_t began = platform::ticks();
  const bool around_ran = around != nullptr && around->runs;
  if (around_ran) around->pause(began);
  w.forks->set_short_site(site);
  began = begin_short(w, site, began);
  f->type->body(f);
  worker& after = *opaque(current());
  const std::uint64_t now = platform::ticks();
  const bool suspended = here.suspensions != suspensions;
  const std::uint64_t ticks =
      suspended ? 0 : time_of(began, now);  // before another interval begins
  // Pushes are not watched again between two short tasks: thieves read and write the same word.
  // Whatever else runs comes by goes_on.
  after.measures = around;
  if (around_ran) around->go_on(now);
  site_sums& s = after.forks->at(site);
  if (suspended) {  // how long it ran is not known
    s.unmeasured.add();
    s.learn_task(after.forks->shortest());
    return true;
  }
  s.learn_task(ticks);
  s.count_size(ticks);
  count(after, key, after.forks->short_site(), ticks);
  return true;
}

}  // namespace kasuri::sched
