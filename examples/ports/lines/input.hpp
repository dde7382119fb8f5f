// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cctype>
#include <cstddef>
#include <sstream>
#include <string>

/// Some thousand lines, as from a file.
inline std::istringstream make_lines() {
  std::string text;
  for (int i = 0; i != 3000; ++i)
    text += "line " + std::to_string(i) + std::string(static_cast<std::size_t>(i % 40), '.') + '\n';
  return std::istringstream(text);
}

/// The slow part.
inline std::string shout(std::string line) {
  for (char& c : line) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return line + '!';
}
