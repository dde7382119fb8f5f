// SPDX-License-Identifier: Apache-2.0
// kasuri-explain: what `kasuri` becomes for the commands that read debug information.
#include "explain/commands.hpp"
#include "kasuri/command_line.hpp"

int main(int argc, char** argv) {
  using namespace kasuri::command;
  constexpr named_command all[] = {
      {"predict", register_predict}, {"report", register_report}, {"symbol", register_symbol}};
  return run_command_line(all, {argv + 1, argv + argc});
}
