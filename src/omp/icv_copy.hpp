// SPDX-License-Identifier: Apache-2.0
#pragma once

// Control variables that a task inherits from one that has changed them: a copy of its own, because
// the creator may change them again, or end, while the task lives.

#include <new>

#include "omp/task.hpp"
#include "platform/fatal.hpp"
#include "sched/block_cache.hpp"

namespace kasuri::omp {

inline void copy_values(task& to, const icvs& from) noexcept {
  void* const memory = sched::allocate_record(sizeof(icvs));
  if (memory == nullptr) platform::fatal("no memory for the control variables of an OpenMP task");
  to.own_values = new (memory) icvs(from);
  to.values = to.own_values;
}

inline void drop_values(task& t) noexcept {
  sched::free_record(t.own_values, sizeof(icvs));
  t.own_values = nullptr;
}

}  // namespace kasuri::omp
