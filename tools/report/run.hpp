// SPDX-License-Identifier: Apache-2.0
// Runs a program so that it writes its profile.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kasuri::report {

struct run_options {
  std::string kasuri;                // the command, which knows how programs are started
  std::vector<std::string> options;  // of `kasuri run`
  std::vector<std::string> program;  // and its arguments
  std::filesystem::path profile;     // where it is to write
  bool silent = false;               // its output and input are /dev/null: a second run
};

/// The program's status as a shell has it: 128 and more is a signal; 125 where `kasuri run` has
/// refused its options, and said so. Signals that end the command
/// end the program first. Throws std::system_error where it cannot be started at all.
int run_program(const run_options& o);

/// The profiles of the processes that wrote to that file: itself, and with a process id behind it.
std::vector<std::filesystem::path> profiles_at(const std::filesystem::path& profile);

}  // namespace kasuri::report
