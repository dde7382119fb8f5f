// SPDX-License-Identifier: Apache-2.0
#pragma once

// The control variables of a task, and who owns them.
//
// task::values points to the values in force. They are either its own (own_values, which the task
// may change) or belong to its team (team::inherited) or to an initial task, which nobody changes
// while the task lives: a task of which the creator has values of its own starts with a copy of
// them (inherit_values), because the creator may change those later.

#include "omp/base/icv.hpp"
#include "omp/task/task.hpp"

namespace kasuri::omp {

/// The task's values, to be changed: its own from now on.
icvs& own_values(task& t) noexcept;

/// Gives `child` the values of the task that creates it.
void inherit_values(task& child, const task& creator) noexcept;

/// The task ends, or its member begins another region.
void free_own_values(task& t) noexcept;

inline void release_values(task& t) noexcept {
  if (t.own_values != nullptr) free_own_values(t);
}

}  // namespace kasuri::omp
