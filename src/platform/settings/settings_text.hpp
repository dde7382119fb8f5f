// SPDX-License-Identifier: Apache-2.0
// Values of settings from text and to text, by the rule of their row.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/settings/settings_table.hpp"

namespace kasuri::platform {

/// Stores `text` into the row's field of `values`. Returns what is wrong with it ("too large"), or
/// nothing on success; a field is changed on success only.
std::optional<std::string> parse_value(const setting& row, std::string_view text, settings& values);

/// The values that the row accepts, in words: "1 to 2048", "near or random".
std::string accepted_text(const setting& row);

/// The values that the row accepts, where they are names: "near", "random"; else none.
std::vector<std::string> choices_of(const setting& row);

/// The row's value in the form in which it could be set: "4", "1M", "on".
std::string value_text(const setting& row, const settings& values);

/// "default", "environment", "kasuri run" or "API".
const char* origin_name(setting_origin origin);

/// "NAME=VALUE: what is wrong; accepted: ...", one line whatever the value holds. `given` is the
/// setting as the user wrote it.
std::string bad_value_line(const setting& row, std::string_view given, std::string_view problem);

}  // namespace kasuri::platform
