// SPDX-License-Identifier: Apache-2.0
#pragma once

// The control variables of the task that a member runs (task/task_values.hpp).

#include "omp/task/task_values.hpp"
#include "omp/team/member.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

/// The control variables of the task that the member runs.
inline const icvs& values(const member& m) noexcept {
  KASURI_EXPECT(cheap, m.current != nullptr && m.current->values != nullptr,
                "member %d has no values in task %p", m.number, static_cast<void*>(m.current));
  return *m.current->values;
}

/// The same to be changed: the task's own from now on.
inline icvs& own_values(member& m) noexcept {
  KASURI_EXPECT(cheap, m.current->executor == &m, "member %d changes values of another's task",
                m.number);
  return own_values(*m.current);
}

/// run-sched-var as programs of Clang expect it: where nobody says anything, static; GCC's is
/// dynamic.
inline schedule run_schedule_for_clang(const icvs& v) noexcept {
  return v.run_schedule.assumed ? schedule{.kind = schedule_kind::static_, .chunk = 0}
                                : v.run_schedule;
}

}  // namespace kasuri::omp
