// SPDX-License-Identifier: Apache-2.0
// Hooks of barriers, taskwait and taskgroup.

#include <utility>

#include "omp/abi/ompt/info_of.hpp"
#include "omp/profile/consumer.hpp"
#include "omp/tool/hooks.hpp"
#include "omp/tool/thread.hpp"
#include "profile/base/active.hpp"

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

/// Whether only the member's own tasks are waited for, and not the other members.
bool is_for_tasks(sync_kind kind) noexcept {
  return kind == sync_kind::taskwait || kind == sync_kind::taskgroup;
}

}  // namespace

void sync_region::begin(member& m, sync_kind kind, bool whole) noexcept {
  of_ = &m;
  kind_ = kind;
  site_ = m.tool.call.address;
  if (profile::active()) {
    summed_ = true;
    if (is_for_tasks(kind)) {
      if (kind == sync_kind::taskgroup) group_ = sums::group_of(m);
      sums::begin_wait(m);
    } else {
      sums::come_to_barrier(m);
    }
  }
  end_single(m);
  if (!told()) return;
  thread& t = here();
  task_ = &info_of(*m.current);
  before_ = t.now;
  entered_ = enter(*task_, m);
  if (whole) on_sync_region(kind, endpoint::begin, region_of(m), &task_->word, site_);
  t.now = state_of(kind);
  on_sync_region_wait(kind, endpoint::begin, region_of(m), &task_->word, site_);
}

void sync_region::end() noexcept {
  member& m = *of_;
  if (task_ != nullptr && told()) {
    here().now = before_;
    on_sync_region_wait(kind_, endpoint::end, region_of(m), &task_->word, site_);
    on_sync_region(kind_, endpoint::end, region_of(m), &task_->word, site_);
    if (entered_) leave(*task_);
  }
  if (!summed_) return;
  if (is_for_tasks(kind_))
    sums::end_wait(m, kind_, group_);
  else
    sums::leave_barrier(m, kind_, site_);
}

void set_up::begin(member& m) noexcept {
  if (!profile::active()) return;
  of_ = &m;
  sums::begin_wait(m);
}

void set_up::end() noexcept { sums::end_set_up(*of_); }

void begin_group(member& m) noexcept {
  if (profile::active()) sums::begin_group(m);
  if (!told()) return;
  here();
  on_sync_region(sync_kind::taskgroup, endpoint::begin, region_of(m), task_of(m),
                 m.tool.call.address);
}

}  // namespace kasuri::omp::tool
