// SPDX-License-Identifier: Apache-2.0
#pragma once

// Settings that a program chooses by their names.

#include <optional>
#include <string>
#include <string_view>

namespace kasuri::platform {

/// What is wrong with a value of the setting of that name, which is in the table, as one line;
/// nothing where it is accepted.
std::optional<std::string> problem_with(std::string_view name, const std::string& text);

/// Sets a value that is accepted. Not while anything runs that reads it.
void choose_setting(std::string_view name, const std::string& text);

}  // namespace kasuri::platform
