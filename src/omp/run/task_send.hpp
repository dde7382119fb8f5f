// SPDX-License-Identifier: Apache-2.0
#pragma once

// How tasks get a where and come into the lists of NUMA nodes (task/task_mail.hpp), and which
// members are woken for them.

#include <span>

#include "omp/task/dependence.hpp"
#include "omp/task/task_record.hpp"
#include "omp/team/team.hpp"

namespace kasuri::omp {

// ---- for teams that have such lists -------------------------------------------------------------

/// Sends a counted task that m would queue to the list of its where. False: m is to queue it
/// itself.
bool send(member& m, explicit_task& t) noexcept;

/// Whether a task that m makes would be sent and not queued on m. Not when there are too many.
bool would_send(member& m, explicit_task& t) noexcept;

/// Back to the list of its where: a task that a member took and must not run. False: it has none.
bool give_back(team& in, explicit_task& t) noexcept;

// ---- for all ------------------------------------------------------------------------------------

/// Gives the task, which m is about to create, its where (task/task_where.hpp), unless it has one.
void find_where(member& m, explicit_task& t, std::span<const dependence> on) noexcept;

/// The affinity clause of a task that m creates.
void heed_affinity(member& m, explicit_task& t, std::span<const void* const> addresses) noexcept;

/// The task is about to run on m: counts whether on its where.
void count_where(const member& m, const explicit_task& t) noexcept;

}  // namespace kasuri::omp
