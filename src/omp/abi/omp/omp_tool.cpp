// SPDX-License-Identifier: Apache-2.0
// omp_control_tool: the program talks to the tool.

#include <cstdint>

#include "omp/tool/control.hpp"
#include "omp/tool/hooks.hpp"

using namespace kasuri::omp;

namespace {

constexpr int no_tool = -2;  // omp_control_tool_notool

int control(int command, int modifier, void* argument) noexcept {
  if (!tool::active()) return no_tool;
  return tool::control(static_cast<std::uint64_t>(command), static_cast<std::uint64_t>(modifier),
                       argument);
}

}  // namespace

extern "C" {

int kasuri_omp_control_tool(int command, int modifier, void* argument) noexcept {
  tool::called();
  return control(command, modifier, argument);
}

/// Fortran's.
int kasuri_omp_control_tool_by_reference(const int* command, const int* modifier,
                                         void* argument) noexcept {
  tool::called();
  return control(*command, *modifier, argument);
}

}  // extern "C"
