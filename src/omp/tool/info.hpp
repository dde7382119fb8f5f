// SPDX-License-Identifier: Apache-2.0
#pragma once

// The records of the runtime keep this for a tool. Nothing of it is made or read without one.

#include <atomic>
#include <cstdint>

#include "omp/tool/types.hpp"

namespace kasuri::omp {

struct task;

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
};

/// Of a parallel region.
struct region_info {
  data word{};
  const void* site = nullptr;  // where the program met the construct
  std::uint32_t flags = 0;
};

/// Where the program has called the runtime: the return address, and the stack there.
struct call_site {
  const void* address = nullptr;
  void* frame = nullptr;
};

/// Of a member: the call it is in, and constructs that are open on it.
struct member_info {
  call_site call;
  bool yields = false;               // it is in a taskyield
  work_kind work = work_kind::none;  // the worksharing construct that it is in
  std::uint64_t work_count = 0;
  bool single = false;  // it runs a single construct
  bool at_end = false;  // its implicit task is in the barrier that ends it
};

/// The record's info goes with it.
void drop(task_info* info) noexcept;

}  // namespace tool
}  // namespace kasuri::omp
