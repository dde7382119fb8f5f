// SPDX-License-Identifier: Apache-2.0
#pragma once

// Internal control variables (OpenMP 5.1, section 2.4).
//
// Every task inherits the variables of a data environment. A task points to the values of its
// creator and gets a copy of its own when it changes one (task/task_values.hpp): a region costs no
// copy. The variables of the device are one set for the process, from the environment
// (environment.hpp).

#include <cstdint>
#include <vector>

namespace kasuri::omp {

enum class schedule_kind : std::uint32_t { static_ = 1, dynamic = 2, guided = 3, auto_ = 4 };

/// The chunk that omp_get_schedule tells of a schedule that was given without one.
constexpr std::int64_t default_chunk(schedule_kind k) noexcept {
  return k == schedule_kind::static_ ? 0 : 1;
}

/// run-sched-var and the schedules of loops.
struct schedule {
  schedule_kind kind = schedule_kind::dynamic;
  bool monotonic = false;
  std::int64_t chunk = 1;     // 0: none given
  bool whole_chunks = false;  // guided: each chunk is a multiple of `chunk` (schedule(simd: ...))
  bool trapezoidal = false;   // libomp's schedule of that name, which is guided here
  bool of_sections = false;   // a sections construct
  bool assumed =
      false;  // run-sched-var, of which nobody has said anything (run_schedule_for_clang)
};

/// The values of omp_proc_bind_t.
enum class proc_bind : std::int32_t {
  off = 0,
  on = 1,
  primary = 2,
  close = 3,
  spread = 4,
  unset = -1
};

/// The control variables of a data environment.
struct icvs {
  int nthreads = 1;        // nthreads-var: of a parallel region met next
  int nthreads_level = 0;  // how many values of its list are used up
  const std::vector<int>* nthreads_list =
      nullptr;                      // that of a num_threads clause; null: OMP_NUM_THREADS'
  int bind_level = 0;               // the same of OMP_PROC_BIND's list
  proc_bind bind = proc_bind::off;  // bind-var: of a parallel region met next
  int max_active_levels = 1;
  int thread_limit = 0x7fffffff;
  bool dynamic = false;
  schedule run_schedule;
  int default_device = 0;
  int nteams = 0;  // nteams-var
  int teams_thread_limit = 0;
  std::uintptr_t default_allocator = 1;  // def-allocator-var: omp_default_mem_alloc
};

}  // namespace kasuri::omp
