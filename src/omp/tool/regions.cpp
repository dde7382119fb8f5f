// SPDX-License-Identifier: Apache-2.0
// Hooks of parallel regions, implicit tasks and leagues.

#include "omp/tool/hooks.hpp"
#include "omp/tool/info_of.hpp"
#include "omp/tool/thread.hpp"

namespace kasuri::omp::tool {
namespace {

constexpr std::uint32_t implicit_flags = task_implicit | task_undeferred;

unsigned size_of(const member& m) noexcept { return static_cast<unsigned>(m.in->size); }
unsigned number_of(const member& m) noexcept { return static_cast<unsigned>(m.number); }

}  // namespace

task_info& info_of(task& t) noexcept {
  if (t.tool == nullptr) t.tool = new task_info;
  return *t.tool;
}

void drop(task_info* info) noexcept {
  // acq_rel: pairs with itself: the last user frees it
  if (info->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete info;  // pairs with itself
}

void note_call(const void* from, void* stack) noexcept {
  self().tool.call = {from, stack};
}

void begin_parallel(team& t, member& m, int asked, bool program_calls) noexcept {
  here();
  t.tool.word = {};
  t.tool.site = m.tool.call.address;
  t.tool.flags = makes_team | (program_calls ? invoked_by_program : invoked_by_runtime);
  task_info& info = info_of(*m.current);
  enter(info, m);
  on_parallel_begin(&info.word, &info.where, &t.tool.word, static_cast<unsigned>(asked),
                    t.tool.flags, t.tool.site);
}

void end_parallel(team& t, member& m) noexcept {
  task_info& info = info_of(*m.current);
  on_parallel_end(&t.tool.word, &info.word, t.tool.flags, t.tool.site);
  leave(info);
  known_here()->now = m.in->level == 0 ? state::work_serial : state::work_parallel;
}

void begin_implicit(member& m) noexcept {
  thread& t = here();
  if (m.number != 0) leave_last_barrier(t);
  t.now = state::work_parallel;
  m.tool = {};
  m.tool.call.address = m.in->tool.site;
  task_info& info = info_of(m.implicit);
  info.word = {};
  info.where = {};
  info.flags = implicit_flags;
  on_implicit_task(endpoint::begin, region_of(m), &info.word, size_of(m), number_of(m),
                   task_implicit);
}

void reach_last_barrier(member& m) noexcept {
  thread& t = here();
  end_single(m);
  task_info& info = info_of(m.implicit);
  info.where = {};
  t.now = state::wait_barrier_implicit_parallel;
  // A worker does not go back to where the program met the region.
  const void* const site = m.number == 0 ? m.in->tool.site : nullptr;
  on_sync_region(sync_kind::barrier_parallel, endpoint::begin, region_of(m), &info.word, site);
  on_sync_region_wait(sync_kind::barrier_parallel, endpoint::begin, region_of(m), &info.word, site);
  if (m.number != 0) t.in_last_barrier = &m;
}

void end_implicit(member& m) noexcept {
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

void exit_at_call(member& m) noexcept {
  task_info& info = info_of(*m.current);
  info.where.exit_flags = frame_by_cfa;
  info.where.exit.pointer = m.in->parent->tool.call.frame;
}

// ---- leagues ------------------------------------------------------------------------------------

// The teams run one after the other within the team that met the construct. For the tool each has a
// region and an initial task of its own, which stand in for those of the member meanwhile.

void league_region::begin(member& m, int size, std::uint32_t flags) noexcept {
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
  m.in->tool = league_;
  m.current->tool = new task_info;
  m.current->tool->flags = task_initial;
  on_implicit_task(endpoint::begin, &league_.word, &m.current->tool->word,
                   static_cast<unsigned>(size), static_cast<unsigned>(number), task_initial);
}

void league_region::stop_team(int number) noexcept {
  member& m = *of_;
  on_implicit_task(endpoint::end, nullptr, &m.current->tool->word, 0,
                   static_cast<unsigned>(number), task_initial);
  drop(m.current->tool);
  m.current->tool = task_;
  league_.word = m.in->tool.word;
  m.in->tool = outer_;
}

}  // namespace kasuri::omp::tool
