// SPDX-License-Identifier: Apache-2.0
// Hooks of barriers, taskwait and taskgroup.

#include "omp/abi/ompt/info_of.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/tool/thread.hpp"

namespace kasuri::omp::tool {
namespace {

state state_of(sync_kind kind) noexcept {
  switch (kind) {
    case sync_kind::barrier_explicit:
      return state::wait_barrier_explicit;
    case sync_kind::barrier_implementation:
      return state::wait_barrier_implementation;
    case sync_kind::taskwait:
      return state::wait_taskwait;
    case sync_kind::taskgroup:
      return state::wait_taskgroup;
    case sync_kind::reduction:
      return state::work_reduction;
    case sync_kind::barrier_workshare:
      return state::wait_barrier_implicit_workshare;
    case sync_kind::barrier_parallel:
      return state::wait_barrier_implicit_parallel;
    case sync_kind::barrier_teams:
      return state::wait_barrier_teams;
  }
  return state::undefined;
}

}  // namespace

void sync_region::begin(member& m, sync_kind kind, bool whole) noexcept {
  thread& t = here();
  end_single(m);
  of_ = &m;
  task_ = &info_of(*m.current);
  kind_ = kind;
  site_ = m.tool.call.address;
  before_ = t.now;
  entered_ = enter(*task_, m);
  if (whole) on_sync_region(kind, endpoint::begin, region_of(m), &task_->word, site_);
  t.now = state_of(kind);
  on_sync_region_wait(kind, endpoint::begin, region_of(m), &task_->word, site_);
}

void sync_region::end() noexcept {
  member& m = *of_;
  here().now = before_;
  on_sync_region_wait(kind_, endpoint::end, region_of(m), &task_->word, site_);
  on_sync_region(kind_, endpoint::end, region_of(m), &task_->word, site_);
  if (entered_) leave(*task_);
}

void begin_group(member& m) noexcept {
  here();
  on_sync_region(sync_kind::taskgroup, endpoint::begin, region_of(m), task_of(m),
                 m.tool.call.address);
}

}  // namespace kasuri::omp::tool
