// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kasuri::symbols {

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace kasuri::symbols
