// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "omp/team/team.hpp"

namespace kasuri::omp {

/// Runs the code of the team's region as member m, which is the calling thread's client, and the
/// tasks that are left for it then. The member has not told anybody yet that it has finished.
void run_member(member& m) noexcept;

/// Tasks that a member finds when it has finished the region, or is sent for.
void run_tasks_left(member& m) noexcept;

/// The kind of a member as a frame of the scheduler: it has not started, or is sent for as a
/// helper.
extern const detail::frame_type member_kind;

/// The kind of the frame by which a worker comes to its dock (team/dock.hpp).
extern const detail::frame_type dock_kind;

}  // namespace kasuri::omp
