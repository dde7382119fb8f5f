// SPDX-License-Identifier: Apache-2.0
// Hooks of parallel regions, implicit tasks and leagues.

#include "omp/abi/ompt/info_of.hpp"
#include "omp/profile/consumer.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/tool/thread.hpp"
#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"
#include "profile/base/active.hpp"
#include "sched/worker/block_cache.hpp"

namespace kasuri::omp::tool {
namespace {

constexpr std::uint32_t implicit_flags = task_implicit | task_undeferred;

unsigned size_of(const member& m) noexcept { return static_cast<unsigned>(m.in->size); }
unsigned number_of(const member& m) noexcept { return static_cast<unsigned>(m.number); }

}  // namespace

task_info& info_of(task& t) noexcept {
  if (t.tool == nullptr) t.tool = &make_info();
  return *t.tool;
}

void drop(task_info* info) noexcept {
  KASURI_EXPECT(cheap, info->users.load(std::memory_order_relaxed) > 0,
                "%d users of what a tool keeps", info->users.load(std::memory_order_relaxed));
  // acquire: pairs with the acq_rel below: who was a user has let go
  const bool alone = info->users.load(std::memory_order_acquire) == 1;
  // acq_rel: pairs with itself: the last user frees it
  if (!alone && info->users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  sums::free_meeting(info->time.children);
  sched::free_record(info, sizeof(task_info));
}

void note_call(const void* from, void* stack) noexcept {
  member_info& m = self().tool;
  m.call.address = from;
  m.call.frame = stack;
  const bool timed = ++m.calls == calls_a_timing && profile::active();
  m.call.at = timed ? platform::ticks() : 0;
  if (m.calls == calls_a_timing) m.calls = 0;
}

void meet_parallel(member& m) noexcept {
  if (profile::active()) sums::meet_parallel(m);
}

void begin_parallel(team& t, member& m, int asked, bool program_calls) noexcept {
  t.tool.word = {};
  t.tool.site = m.tool.call.address;
  t.tool.flags = makes_team | (program_calls ? invoked_by_program : invoked_by_runtime);
  if (told()) {
    here();
    task_info& info = info_of(*m.current);
    enter(info, m);
    on_parallel_begin(&info.word, &info.where, &t.tool.word, static_cast<unsigned>(asked),
                      t.tool.flags, t.tool.site);
  }
  if (profile::active()) sums::begin_parallel(t, m);
}

void end_parallel(team& t, member& m) noexcept {
  if (told()) {
    task_info& info = info_of(*m.current);
    on_parallel_end(&t.tool.word, &info.word, t.tool.flags, t.tool.site);
    leave(info);
    here().now = m.in->nest.level == 0 ? state::work_serial : state::work_parallel;
  }
  if (profile::active()) sums::end_parallel(t, m);
}

void begin_implicit(member& m) noexcept {
  if (told()) {
    thread& t = here();
    if (m.number != 0) leave_last_barrier(t);
    t.now = state::work_parallel;
  }
  m.tool = {};
  m.tool.call.address = m.in->tool.site;
  task_info& info = info_of(m.implicit);
  info.word = {};
  info.where = {};
  info.flags = implicit_flags;
  on_implicit_task(endpoint::begin, region_of(m), &info.word, size_of(m), number_of(m),
                   task_implicit);
  if (profile::active()) sums::begin_implicit(m);
}

void reach_last_barrier(member& m) noexcept {
  if (profile::active()) sums::reach_last_barrier(m);
  end_single(m);
  m.tool.at_end = true;
  task_info& info = info_of(m.implicit);
  info.where = {};
  if (!told()) return;
  thread& t = here();
  t.now = state::wait_barrier_implicit_parallel;
  // A worker does not go back to where the program met the region.
  const void* const site = m.number == 0 ? m.in->tool.site : nullptr;
  on_sync_region(sync_kind::barrier_parallel, endpoint::begin, region_of(m), &info.word, site);
  on_sync_region_wait(sync_kind::barrier_parallel, endpoint::begin, region_of(m), &info.word, site);
  if (m.number != 0) t.in_last_barrier = &m;
}

void end_implicit(member& m) noexcept {
  if (profile::active()) sums::end_implicit(m);
  if (!told()) return;
  data* const task = &info_of(m.implicit).word;
  const void* const site = m.in->tool.site;
  on_sync_region_wait(sync_kind::barrier_parallel, endpoint::end, nullptr, task, site);
  on_sync_region(sync_kind::barrier_parallel, endpoint::end, nullptr, task, site);
  on_implicit_task(endpoint::end, nullptr, task, size_of(m), number_of(m), task_implicit);
}

void** exit_frame(member& m) noexcept {
  task_info& info = info_of(*m.current);
  info.where.exit_flags = frame_by_pointer;
  return &info.where.exit.pointer;
}

void exit_at_call(member& m, const member& caller) noexcept {
  task_info& info = info_of(*m.current);
  info.where.exit_flags = frame_by_cfa;
  info.where.exit.pointer = caller.tool.call.frame;
}

// ---- leagues ------------------------------------------------------------------------------------

// The teams run one after the other within the team that met the construct. For the tool each has
// an initial task, and in it, as with libomp, a region of one that the runtime opens for the code.
// Their records stand in for those of the member meanwhile.

void league_region::begin(member& m, int size, std::uint32_t flags) noexcept {
  KASURI_EXPECT(cheap, of_ == nullptr && size > 0, "a league of %d in one of member %p", size,
                static_cast<void*>(of_));
  if (!told()) return;
  here();
  of_ = &m;
  league_.site = m.tool.call.address;
  league_.flags = makes_league | flags;
  task_ = &info_of(*m.current);
  enter(*task_, m);
  on_parallel_begin(&task_->word, &task_->where, &league_.word, static_cast<unsigned>(size),
                    league_.flags, league_.site);
}

void league_region::end() noexcept {
  on_parallel_end(&league_.word, &task_->word, league_.flags, league_.site);
  leave(*task_);
}

void league_region::start_team(int number, int size) noexcept {
  member& m = *of_;
  outer_ = m.in->tool;
  initial_ = &make_info();
  initial_->flags = task_initial;
  on_implicit_task(endpoint::begin, &league_.word, &initial_->word, static_cast<unsigned>(size),
                   static_cast<unsigned>(number), task_initial);
  region_info& region = m.in->tool;
  region = {{}, league_.site, makes_team | invoked_by_runtime, outer_.sums};
  initial_->where.enter.pointer = m.tool.call.frame;
  initial_->where.enter_flags = frame_by_cfa;
  on_parallel_begin(&initial_->word, &initial_->where, &region.word, 1, region.flags, region.site);
  m.current->tool = &make_info();
  m.current->tool->flags = implicit_flags;
  on_implicit_task(endpoint::begin, &region.word, &m.current->tool->word, 1, 0, task_implicit);
}

/// At the end of a league all its teams meet. Here nobody waits for the ones that come later.
void league_region::meet_barrier_of_teams() noexcept {
  constexpr sync_kind kind = sync_kind::barrier_teams;
  data* const task = &initial_->word;
  on_sync_region(kind, endpoint::begin, &league_.word, task, league_.site);
  on_sync_region_wait(kind, endpoint::begin, &league_.word, task, league_.site);
  on_sync_region_wait(kind, endpoint::end, nullptr, task, league_.site);
  on_sync_region(kind, endpoint::end, nullptr, task, league_.site);
}

void league_region::stop_team(int number) noexcept {
  member& m = *of_;
  const region_info region = m.in->tool;
  on_implicit_task(endpoint::end, nullptr, &m.current->tool->word, 1, 0, task_implicit);
  drop(m.current->tool);
  m.current->tool = task_;
  m.in->tool = outer_;
  data word = region.word;
  on_parallel_end(&word, &initial_->word, region.flags, region.site);
  meet_barrier_of_teams();
  on_implicit_task(endpoint::end, nullptr, &initial_->word, 0, static_cast<unsigned>(number),
                   task_initial);
  drop(initial_);
}

}  // namespace kasuri::omp::tool
