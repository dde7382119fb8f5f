// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace kasuri::platform {

/// The one of `names` that `text` was probably meant to be: the least Levenshtein distance, if at
/// most half of the longer of the two would have to change; otherwise empty.
std::string_view nearest_name(std::string_view text, std::span<const std::string_view> names);

}  // namespace kasuri::platform
