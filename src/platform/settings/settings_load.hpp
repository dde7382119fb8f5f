// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/settings/settings.hpp"

namespace kasuri::platform {

struct loaded_settings {
  settings values;
  std::vector<std::string> errors;    // one line for each value that cannot be used
  std::vector<std::string> warnings;  // one line for each KASURI_* name that is no setting
};

/// Reads settings from "NAME=VALUE" strings; names that do not begin with KASURI_ are skipped. A
/// setting that is absent or in `errors` has its default. Of a name given twice the first counts,
/// as getenv has it.
loaded_settings load_settings(std::span<const std::string_view> environment);

/// The environment of this process in that form. The views live as long as nobody changes it.
std::vector<std::string_view> process_environment();

/// "KASURI_X is no setting of Kasuri", and the one that may have been meant.
std::string unknown_name_line(std::string_view name);

}  // namespace kasuri::platform
