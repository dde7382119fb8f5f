// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kasuri::omp::tool {

/// omp_control_tool while there is a tool: its answer, omp_control_tool_nocallback, or
/// omp_control_tool_notool.
int control(std::uint64_t command, std::uint64_t modifier, void* argument) noexcept;

}  // namespace kasuri::omp::tool
