// SPDX-License-Identifier: Apache-2.0
#pragma once

// The control variables in force, as text that their variables accept.

#include <string>

#include "omp/env/environment.hpp"

namespace kasuri::omp::show {

std::string dynamic(const device_icvs& values);
std::string nested(const device_icvs& values);
std::string num_threads(const device_icvs& values);
std::string run_schedule(const device_icvs& values);
std::string bind(const device_icvs& values);
std::string places(const device_icvs& values);
std::string stack_size(const device_icvs& values);
std::string wait_policy(const device_icvs& values);
std::string thread_limit(const device_icvs& values);
std::string max_active_levels(const device_icvs& values);
std::string nteams(const device_icvs& values);
std::string teams_thread_limit(const device_icvs& values);
std::string cancellation(const device_icvs& values);
std::string default_device(const device_icvs& values);
std::string max_task_priority(const device_icvs& values);
std::string display_affinity(const device_icvs& values);
std::string affinity_format(const device_icvs& values);
std::string allocator(const device_icvs& values);
std::string offload(const device_icvs& values);
std::string tool(const device_icvs& values);
std::string tool_libraries(const device_icvs& values);
std::string tool_verbose(const device_icvs& values);
std::string block_time(const device_icvs& values);
std::string library(const device_icvs& values);

}  // namespace kasuri::omp::show

namespace kasuri::omp {

/// The text that OMP_DISPLAY_ENV and omp_display_env print.
std::string display_env_text(const device_icvs& values, bool verbose);

/// The text that KMP_SETTINGS prints: our variables as they stand in the environment, then the
/// values in force.
std::string settings_text(const device_icvs& values, std::span<const std::string_view> entries);

}  // namespace kasuri::omp
