// SPDX-License-Identifier: Apache-2.0
// The command line of `kasuri`, for all its programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "command.hpp"

namespace kasuri::command {

struct named_command {
  const char* name;
  command (*enter)(CLI::App&);  // the registration function
};

/// Parses the words behind the program's name and does what they ask for; returns the status.
int run_command_line(std::span<const named_command> all, std::vector<std::string> line);

}  // namespace kasuri::command
