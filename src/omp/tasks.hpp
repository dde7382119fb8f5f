// SPDX-License-Identifier: Apache-2.0
#pragma once

// What waiting members ask of the tasks of their team.

#include "omp/wait.hpp"

namespace kasuri::omp {

/// Runs one deferred task of the member's team that it may run: its own newest, else one of another member. True:
/// it ran one (to its end, on this stack). May return on another OS thread, with the same member.
bool run_one_task(member& m, may_run what) noexcept;

/// Whether some member of the team has a task that nobody has begun. A quick look without order.
bool tasks_queued(const team& t) noexcept;

}  // namespace kasuri::omp
