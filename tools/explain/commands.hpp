// SPDX-License-Identifier: Apache-2.0
// The commands of kasuri-explain, by their registration functions (kasuri/command.hpp).
#pragma once

#include "kasuri/command.hpp"

namespace kasuri::command {

/// Says how fast a recorded program would be on another machine.
command register_predict(CLI::App& root);

/// Runs a program and says what limits it.
command register_report(CLI::App& root);

/// Prints the places of addresses of a file.
command register_symbol(CLI::App& root);

}  // namespace kasuri::command
