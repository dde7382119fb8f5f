// SPDX-License-Identifier: Apache-2.0
#pragma once

// The records of the runtime keep this for a tool and for a profile. Nothing of it is made or read
// without one of them.

#include <atomic>
#include <cstdint>

#include "omp/tool/task_time.hpp"
#include "omp/tool/types.hpp"

namespace kasuri::omp {

struct task;

namespace sums {
struct team_sums;
}

namespace tool {

/// Of a task: made at its creation.
struct task_info {
  data word{};
  frame where{};
  std::uint32_t flags = 0;
  // The task that it interrupted on its member: the next level of ompt_get_task_info.
  task* interrupted = nullptr;
  bool entered = false;  // it set the enter frame of that one
  chunk part{};          // of a taskloop's iterations
  // The task's record, and its dependence node, which may outlive that.
  std::atomic<int> users{1};
  task_time time;  // of a profile
};

/// Of a parallel region.
struct region_info {
  data word{};
  const void* site = nullptr;  // where the program met the construct
  std::uint32_t flags = 0;
  sums::team_sums* sums = nullptr;  // of a profile; the team's, for all its regions
};

/// Where the program has called the runtime: the return address, and the stack there.
struct call_site {
  const void* address = nullptr;
  void* frame = nullptr;
  // When, of some calls, while a profile is recorded: what it costs to create a task.
  std::uint64_t at = 0;
};

/// Of a member: the call it is in, and constructs that are open on it.
struct member_info {
  call_site call;
  bool yields = false;               // it is in a taskyield
  work_kind work = work_kind::none;  // the worksharing construct that it is in
  std::uint64_t work_count = 0;
  bool single = false;  // it runs a single construct
  bool at_end = false;  // its implicit task is in the barrier that ends it
  unsigned calls = 0;   // of the program, while a profile is recorded
};

/// A new one, with one user.
task_info& make_info() noexcept;

/// The record's info goes with it.
void drop(task_info* info) noexcept;
/// The team goes.
void drop(sums::team_sums* of) noexcept;

/// While a profile is recorded, one of so many calls is timed. A prime number: calls of a program
/// come in patterns.
inline constexpr unsigned calls_a_timing = 31;

}  // namespace tool
}  // namespace kasuri::omp
