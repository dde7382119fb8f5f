// SPDX-License-Identifier: Apache-2.0
#pragma once

// One row for each variable: how its text is understood, what is accepted, how it is shown.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "omp/env/environment.hpp"

namespace kasuri::omp {

/// The values of the variables as they were given. environment_load.cpp settles afterwards what one
/// means for another.
struct given_values {
  std::optional<std::vector<int>> nthreads;
  std::optional<std::vector<proc_bind>> bind;
  std::optional<schedule> run_schedule;
  std::optional<bool> dynamic, nested, cancellation, display_affinity, tool, wait_active;
  std::optional<int> max_active_levels, thread_limit, default_device, max_task_priority;
  std::optional<int> nteams, teams_thread_limit;
  std::optional<int> kmp_threads, kmp_thread_limit, kmp_teams_thread_limit;
  std::optional<std::uint64_t> omp_stack, gomp_stack, kmp_stack;  // bytes
  std::optional<std::uint64_t> spin_count, block_ns;
  std::optional<place_request> places, gomp_places;
  std::optional<proc_bind> teams_bind;
  std::optional<kmp_affinity> affinity;
  std::optional<std::string> affinity_format, tool_verbose;
  std::optional<std::vector<std::string>> tool_libraries;
  std::optional<display_kind> display;
  std::optional<bool> kmp_settings, kmp_warnings, task_throttling;
  std::optional<offload_policy> offload;
  std::optional<allocator_request> allocator;
  std::optional<library_kind> library;
  std::optional<hw_subset> subset;
  std::optional<int> dispatch_buffers;
};

struct variable {
  std::string_view name;
  std::string_view accepted;
  /// Stores what the text says; false when it is ill-formed.
  bool (*parse)(std::string_view text, given_values& into);
  /// The value in force as the variable could give it; null: not shown by OMP_DISPLAY_ENV.
  std::string (*show)(const device_icvs& values);
  bool verbose_only = false;
  /// Says why a value is ill-formed; null: it is just not understood.
  std::string_view (*problem)(std::string_view text) = nullptr;
  /// Stores a value in place of an ill-formed one, and names it; null: the default is used, as if
  /// it had not been given.
  std::string_view (*instead)(std::string_view text, given_values& into) = nullptr;
};

std::span<const variable> variables() noexcept;

/// "dynamic,4": as OMP_SCHEDULE has it.
std::string schedule_text(const schedule& s);

}  // namespace kasuri::omp
