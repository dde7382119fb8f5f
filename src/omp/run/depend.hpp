// SPDX-License-Identifier: Apache-2.0
#pragma once

// Members give a task its dependences (task/dependence.hpp) when they create it, and release its
// successors when it ends.

#include <span>

#include "omp/task/dependence.hpp"
#include "omp/task/task_record.hpp"
#include "omp/team/member.hpp"

namespace kasuri::omp {

/// Gives a task that m creates its dependences. True: they are met, the caller may run or queue it.
/// False: it will be queued when they are; the caller must not touch it again.
/// The task is counted before the call.
bool depend(member& m, explicit_task& t, std::span<const dependence> on) noexcept;

/// Waits until a task that m's current one creates now, with these dependences, may begin. It is to
/// be a call, so that no later task can depend on it.
void wait_for_dependences(member& m, std::span<const dependence> on) noexcept;

/// The task has ended on a member, or on an event (null): releases the tasks that waited for it.
void release_successors(member* m, explicit_task& t) noexcept;

}  // namespace kasuri::omp
