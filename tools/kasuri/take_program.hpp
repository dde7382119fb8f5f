// SPDX-License-Identifier: Apache-2.0
// A command line that ends in another program's.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace kasuri::command {

/// Takes "NAME OPTIONS [--] PROGRAM ARGS..." apart at the program: the parser never sees what is
/// the program's. Options of the parser that take a value are skipped with it; one that it does
/// not know takes none: the parser will name it.
std::vector<std::string> take_program(const CLI::App& parser, std::vector<std::string>& words);

}  // namespace kasuri::command
