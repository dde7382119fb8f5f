// SPDX-License-Identifier: Apache-2.0
#pragma once

// The control variables of the device: OMP_*, GOMP_* and KMP_* variables, read once, when something
// of OpenMP is first called: a program under which the library was loaded early may still set them.
// An ill-formed value is told by name on stderr, with what is used in its place.
//
//   environment --load_environment--> device_icvs + warnings
//
// A variable of the standard goes before one of GCC's, and that before one of libomp's.

#include <climits>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "omp/base/icv.hpp"
#include "omp/env/place_list.hpp"
#include "omp/memory/allocator.hpp"

namespace kasuri::omp {

enum class display_kind { off, on, verbose };
enum class offload_policy { mandatory = 0, disabled = 1, default_ = 2 };

/// The values of kmp_set_library.
enum class library_kind { serial = 1, turnaround = 2, throughput = 3 };

inline constexpr int supported_active_levels = INT_MAX;
inline constexpr std::uint64_t endless = UINT64_MAX;

/// How members are bound and what is shown of that.
struct affinity_icvs {
  place_request places;
  bool given = false;      // OMP_PROC_BIND or one of those that name places says something
  bool reset = false;      // KMP_AFFINITY=reset: the initial thread is free outside regions
  bool displayed = false;  // display-affinity-var
  std::string format;      // affinity-format-var
};

struct device_icvs {
  // ---- what regions and tasks inherit ----------------------------------------------------------
  std::vector<int> nthreads;                 // by level of nesting; never empty
  std::vector<proc_bind> bind;               // by level; empty: none given
  icvs initial;                              // of an initial task
  proc_bind teams_bind = proc_bind::spread;  // how the teams of a league share the places

  // ---- the process' ---------------------------------------------------------------------------
  std::vector<int> cpus;         // that it may use
  int procs = 1;                 // omp_get_num_procs: those, or its quota where that is less
  std::uint64_t spin_ns = 0;     // how long a waiting member spins; endless: always
  bool wait_active = false;      // wait-policy-var
  std::uint64_t stack_size = 0;  // bytes; 0: the pool's
  bool cancellation = false;
  int max_task_priority = 0;
  bool task_throttling =
      true;  // KMP_ENABLE_TASK_THROTTLING: members with a crowd of tasks run new ones
  affinity_icvs affinity;
  display_kind display = display_kind::off;
  bool settings_shown = false;  // KMP_SETTINGS
  offload_policy offload = offload_policy::default_;
  allocator_request allocator;
  bool tool = true;
  std::vector<std::string> tool_libraries;
  std::string tool_verbose;  // empty: disabled; else stdout, stderr or a file's name
  library_kind library = library_kind::throughput;
  bool warnings = true;  // KMP_WARNINGS
};

/// The variables in force. The first call reads the environment; never destroyed.
const device_icvs& environment() noexcept;

// Shorter, for those that need one.
inline const icvs& initial_values() noexcept { return environment().initial; }
std::uint64_t spin_ns() noexcept;
inline std::uint64_t stack_size() noexcept { return environment().stack_size; }
inline bool cancellation() noexcept { return environment().cancellation; }
inline int max_task_priority() noexcept { return environment().max_task_priority; }
inline bool display_affinity() noexcept { return environment().affinity.displayed; }

/// Makes the values of the task that meets a region those that its implicit tasks inherit: the next
/// ones of the lists of OMP_NUM_THREADS, or of a num_threads clause, and of OMP_PROC_BIND, where
/// these are longer.
void next_level(icvs& values) noexcept;

// ---- changes by library calls, meant before the first region ------------------------------------

void set_spin_ns(std::uint64_t ns) noexcept;
void set_stack_size(std::uint64_t bytes) noexcept;
void set_library(library_kind kind) noexcept;
void set_warnings(bool on) noexcept;

/// kmp_set_defaults: "NAME=VALUE|NAME=VALUE", as if they had stood in the environment. The caller
/// changes the values of its task.
void set_defaults(std::string_view settings);

// ---- the parts, for tests -----------------------------------------------------------------------

/// The machine's answers where the environment says nothing.
struct machine_defaults {
  int threads = 1;  // of a parallel region
  std::vector<int> cpus = {0};
  int procs = 1;
};

struct loaded_environment {
  device_icvs values;
  std::vector<std::string> warnings;
};

/// From entries "NAME=VALUE"; other names do not count, and of one name the first entry does.
loaded_environment load_environment(std::span<const std::string_view> entries,
                                    const machine_defaults& machine);

}  // namespace kasuri::omp
