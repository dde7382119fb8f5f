// SPDX-License-Identifier: Apache-2.0
#pragma once

// The control variables of the task that a member runs (task/task_values.hpp).

#include "omp/task/task_values.hpp"
#include "omp/team/member.hpp"

namespace kasuri::omp {

/// Those of the task that the member runs.
inline const icvs& values(const member& m) noexcept { return *m.current->values; }

/// The same to be changed: the task's own from now on.
inline icvs& own_values(member& m) noexcept { return own_values(*m.current); }

/// run-sched-var as programs of Clang expect it: where nobody says anything, static; GCC's is
/// dynamic.
inline schedule run_schedule_for_clang(const icvs& v) noexcept {
  return v.run_schedule.assumed ? schedule{.kind = schedule_kind::static_, .chunk = 0}
                                : v.run_schedule;
}

}  // namespace kasuri::omp
