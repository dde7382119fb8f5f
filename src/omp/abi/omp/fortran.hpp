// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fortran passes everything by reference, with the length of a text behind all other arguments.

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

namespace kasuri::omp {

/// An integer(8) where the C function takes an int: too large ones become the largest.
inline int to_int(std::int64_t value) noexcept {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  constexpr std::int64_t least = std::numeric_limits<int>::min();
  return static_cast<int>(value > most ? most : value < least ? least : value);
}

/// A text without the blanks that fill it up.
inline std::string_view text_of(const char* text, std::size_t length) noexcept {
  std::string_view whole(text, length);
  while (whole.ends_with(' ')) whole.remove_suffix(1);
  return whole;
}

/// Fills a variable of `length` characters, with blanks behind the text; its whole length.
inline std::size_t fill(char* variable, std::size_t length, std::string_view text) noexcept {
  const std::size_t part = text.size() < length ? text.size() : length;
  if (part != 0) std::memcpy(variable, text.data(), part);
  if (length != part) std::memset(variable + part, ' ', length - part);
  return text.size();
}

}  // namespace kasuri::omp
