// SPDX-License-Identifier: Apache-2.0
#pragma once

// For the hooks: the records behind a member.

#include "omp/abi/ompt/callbacks.hpp"
#include "omp/team/team.hpp"
#include "omp/tool/info.hpp"

namespace kasuri::omp::tool {

/// Made when it is missing: of a task that began before the tool did.
task_info& info_of(task& t) noexcept;

inline data* region_of(const member& m) noexcept { return &m.in->tool.word; }
inline data* task_of(const member& m) noexcept { return &info_of(*m.current).word; }

/// Set while the task is in the runtime. True: it was not before.
inline bool enter(task_info& info, const member& m) noexcept {
  if (info.where.enter.pointer != nullptr) return false;
  info.where.enter.pointer = m.tool.call.frame;
  info.where.enter_flags = frame_by_cfa;
  return true;
}
inline void leave(task_info& info) noexcept { info.where.enter.pointer = nullptr; }

}  // namespace kasuri::omp::tool
