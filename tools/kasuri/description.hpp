// SPDX-License-Identifier: Apache-2.0
// The tables of a command line, from which tools/pages makes manual pages and completion.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>

#include "command.hpp"

namespace kasuri::command {

/// The only word of a command line that asks for the description; for the build, not for users.
inline constexpr const char* description_word = "--describe";

/// The options of the root and of each command, and the settings, as one JSON object.
std::string description_json(const CLI::App& root, std::span<const command> commands);

}  // namespace kasuri::command
