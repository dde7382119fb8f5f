// SPDX-License-Identifier: Apache-2.0
#pragma once

// A task's data as Clang's code has them (facts of its ABI).

#include <cstddef>
#include <cstdint>

#include "omp/task/task_record.hpp"

namespace kasuri::omp {

/// In front of the task's private variables.
struct clang_data {
  void* shareds;  // behind the private variables
  clang_task routine;
  std::int32_t part;
  clang_task destructors;  // flag destroys
  std::int32_t priority;   // flag has_priority
};
static_assert(sizeof(clang_data) == 40 && offsetof(clang_data, destructors) == 24);

/// Flags of __kmpc_omp_task_alloc.
namespace clang_flag {
inline constexpr std::int32_t tied = 1;
inline constexpr std::int32_t final = 2;
inline constexpr std::int32_t destroys = 8;
inline constexpr std::int32_t proxy = 16;
inline constexpr std::int32_t has_priority = 32;
inline constexpr std::int32_t detachable = 64;
}  // namespace clang_flag

}  // namespace kasuri::omp
