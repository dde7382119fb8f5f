// SPDX-License-Identifier: Apache-2.0
// omp_control_tool without a tool.

extern "C" {

int kasuri_omp_control_tool(int, int, void*) noexcept {
  constexpr int no_tool = -2;  // omp_control_tool_notool
  return no_tool;
}

}  // extern "C"
