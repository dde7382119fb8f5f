// SPDX-License-Identifier: Apache-2.0
// The `kasuri` command.
#include "command_line.hpp"

int main(int argc, char** argv) {
  using namespace kasuri::command;
  constexpr named_command all[] = {{"compare", register_compare},   {"doctor", register_doctor},
                                   {"info", register_info},         {"predict", become_predict},
                                   {"report", become_report},       {"run", register_run},
                                   {"simulate", register_simulate}, {"symbol", become_symbol},
                                   {"trace", register_trace},       {"version", register_version}};
  return run_command_line(all, {argv + 1, argv + argc});
}
