// SPDX-License-Identifier: Apache-2.0
#pragma once

// The types of OMPT (OpenMP 5.1, chapter 4) as far as the host needs them, under names of our own.
// Numbers and layouts are the specification's.

#include <cstddef>
#include <cstdint>

namespace kasuri::omp::tool {

/// ompt_data_t: a word of the tool's.
union data {
  std::uint64_t value;
  void* pointer;
};

/// ompt_frame_t. exit: where the runtime called the task's code; enter: where that called the
/// runtime.
struct frame {
  data exit;
  data enter;
  std::int32_t exit_flags;
  std::int32_t enter_flags;
};

/// Of exit and enter: both are the runtime's frames.
inline constexpr std::int32_t frame_by_cfa = 0x10;
inline constexpr std::int32_t frame_by_pointer = 0x20;

enum class event : std::int32_t {
  thread_begin = 1,
  thread_end = 2,
  parallel_begin = 3,
  parallel_end = 4,
  task_create = 5,
  task_schedule = 6,
  implicit_task = 7,
  control_tool = 11,
  sync_region_wait = 16,
  mutex_released = 17,
  dependences = 18,
  task_dependence = 19,
  work = 20,
  masked = 21,
  sync_region = 23,
  lock_init = 24,
  lock_destroy = 25,
  mutex_acquire = 26,
  mutex_acquired = 27,
  nest_lock = 28,
  flush = 29,
  cancel = 30,
  reduction = 31,
  dispatch = 32,
  error = 37,
};

/// The highest number; those not named above belong to devices.
inline constexpr std::int32_t last_event = 37;

enum class set_result : std::int32_t { error = 0, never = 1, always = 5 };
enum class thread_kind : std::int32_t { initial = 1, worker = 2 };
enum class endpoint : std::int32_t { begin = 1, end = 2 };
enum class severity : std::int32_t { warning = 1, fatal = 2 };

enum class dispatch_kind : std::int32_t {
  section = 2,
  loop_chunk = 3,
  taskloop_chunk = 4,
  distribute_chunk = 5,
};

enum class sync_kind : std::int32_t {
  barrier_explicit = 3,
  barrier_implementation = 4,
  taskwait = 5,
  taskgroup = 6,
  reduction = 7,
  barrier_workshare = 8,
  barrier_parallel = 9,
  barrier_teams = 10,
};

enum class work_kind : std::int32_t {
  none = 0,
  sections = 2,
  single_executor = 3,
  single_other = 4,
  distribute = 6,
  taskloop = 7,
  scope = 8,
  loop_static = 10,
  loop_dynamic = 11,
  loop_guided = 12,
  loop_other = 13,
};

enum class mutex_kind : std::int32_t {
  lock = 1,
  test_lock = 2,
  nest_lock = 3,
  test_nest_lock = 4,
  critical = 5,
  atomic = 6,
  ordered = 7,
};

enum class task_status : std::int32_t {
  complete = 1,
  yield = 2,
  cancel = 3,
  detach = 4,
  early_fulfill = 5,
  late_fulfill = 6,
  switched = 7,
  taskwait_complete = 8,
};

enum class dependence_type : std::int32_t {
  in = 1,
  out = 2,
  inout = 3,
  mutexinoutset = 4,
  source = 5,
  sink = 6,
  inoutset = 7,
  out_all_memory = 34,
};

/// ompt_dependence_t.
struct dependence_record {
  data variable;
  dependence_type type;
};

/// ompt_dispatch_chunk_t.
struct chunk {
  std::uint64_t start;
  std::uint64_t iterations;
};

// Flags of tasks.
inline constexpr std::uint32_t task_initial = 0x1;
inline constexpr std::uint32_t task_implicit = 0x2;
inline constexpr std::uint32_t task_explicit = 0x4;
inline constexpr std::uint32_t task_taskwait = 0x10;
inline constexpr std::uint32_t task_undeferred = 0x0800'0000;
inline constexpr std::uint32_t task_untied = 0x1000'0000;
inline constexpr std::uint32_t task_final = 0x2000'0000;
inline constexpr std::uint32_t task_mergeable = 0x4000'0000;

// Flags of parallel regions: the caller of the region's code, and what the region makes.
inline constexpr std::uint32_t invoked_by_program = 0x1;
inline constexpr std::uint32_t invoked_by_runtime = 0x2;
inline constexpr std::uint32_t makes_league = 0x4000'0000;
inline constexpr std::uint32_t makes_team = 0x8000'0000;

// Flags of cancellation, besides what is cancelled.
inline constexpr std::int32_t cancel_parallel = 0x1;
inline constexpr std::int32_t cancel_sections = 0x2;
inline constexpr std::int32_t cancel_loop = 0x4;
inline constexpr std::int32_t cancel_taskgroup = 0x8;
inline constexpr std::int32_t cancel_activated = 0x10;
inline constexpr std::int32_t cancel_detected = 0x20;
inline constexpr std::int32_t cancel_discarded_task = 0x40;

enum class state : std::int32_t {
  work_serial = 0x000,
  work_parallel = 0x001,
  work_reduction = 0x002,
  wait_barrier_implicit_parallel = 0x011,
  wait_barrier_implicit_workshare = 0x012,
  wait_barrier_explicit = 0x014,
  wait_barrier_implementation = 0x015,
  wait_barrier_teams = 0x016,
  wait_taskwait = 0x020,
  wait_taskgroup = 0x021,
  wait_mutex = 0x040,
  wait_lock = 0x041,
  wait_critical = 0x042,
  wait_atomic = 0x043,
  wait_ordered = 0x044,
  idle = 0x100,
  overhead = 0x101,
  undefined = 0x102,
};

/// Functions without a type of their own until the name or number by which they are asked for is
/// known.
using function = void (*)();
using lookup_function = function (*)(const char* name);

/// ompt_start_tool_result_t.
struct start_result {
  int (*initialize)(lookup_function lookup, int initial_device, data* tool_data);
  void (*finalize)(data* tool_data);
  data tool_data;
};

using start_function = start_result* (*)(unsigned omp_version, const char* runtime_version);

}  // namespace kasuri::omp::tool
