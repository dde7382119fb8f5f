// SPDX-License-Identifier: Apache-2.0
#pragma once

// A task region, implicit or explicit: what the member that runs it needs to know. task_record.hpp
// has what an explicit task needs besides.
//
// Owners. A task is run by one member from its beginning to its end, its executor: an untied one
// too (call_code in tasks.cpp says why). Fields without a comment are the executor's (and the
// creator's before the task is queued).
//
// Children. The executor owns the count of the deferred ones (detail/group_count.hpp). When the
// code of an explicit task has run and children are left, it gives the count up: the member on
// which the last of them ends frees the record.
//
// Memory. `holds` keeps the record of an explicit task: one for the task and its unfinished
// children together, one for each child that ended before its own descendants. So the ancestors of
// a task that has not ended are all there, and whether it descends from another can be found out.

#include <atomic>
#include <cstdint>

#include "kasuri/detail/atomics.hpp"
#include "kasuri/detail/group_count.hpp"
#include "omp/base/icv.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

struct member;
struct team;
struct taskgroup;

namespace tool {
struct task_info;
}
struct dependence_table;

struct task {
  task* parent = nullptr;        // the generating task; null for the implicit task of a root
  const icvs* values = nullptr;  // see icv.hpp
  icvs* own_values = nullptr;    // the copy it owns, or null (task_values.hpp)
  taskgroup* group = nullptr;    // the innermost taskgroup it is in
  dependence_table* dependences = nullptr;  // of its children (dependence.hpp)
  member* executor = nullptr;               // the member that runs it, while it runs
  detail::group_count<detail::real_atomics> children;
  std::atomic<std::uint32_t> holds{1};
  // Generations below the implicit task. Thieves look at it before they take a task.
  std::uint32_t depth = 0;
  std::int32_t priority = 0;
  bool implicit = false;
  bool final = false;
  bool untied = false;              // Clang's code of it is in parts (call_code in tasks.cpp)
  bool ended = false;               // its code has run; children may be left
  tool::task_info* tool = nullptr;  // null without a tool
};

/// Whether `t` descends from `ancestor`; t has not ended.
inline bool descends_from(const task& t, const task& ancestor) noexcept {
  const task* at = &t;
  while (at->depth > ancestor.depth) {
    KASURI_EXPECT(cheap, at->parent != nullptr && at->parent->depth + 1 == at->depth,
                  "a task at depth %u, its parent at %u", at->depth,
                  at->parent != nullptr ? at->parent->depth : 0);
    at = at->parent;
  }
  return at == &ancestor && at != &t;
}

}  // namespace kasuri::omp
