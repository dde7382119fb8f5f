// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the values of OMP_* variables from left to right. Blanks before a token do not count, nor
// does the case of letters.

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace kasuri::omp {

class text_cursor {
 public:
  explicit text_cursor(std::string_view text) noexcept : rest_(text) {}

  /// Whether nothing but blanks is left.
  bool at_end() noexcept {
    skip_blanks();
    return rest_.empty();
  }

  /// Takes this character if it comes next.
  bool take(char c) noexcept {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  /// The next character, or 0.
  char next() noexcept {
    skip_blanks();
    return rest_.empty() ? '\0' : rest_.front();
  }

  /// A whole number, with a sign or without; nothing is taken when there is none or it is too
  /// large.
  std::optional<std::int64_t> integer() noexcept;

  /// A whole number from `least` to `most`.
  std::optional<int> integer(int least, int most = std::numeric_limits<int>::max()) noexcept;

  /// A word of letters, digits and '_' that begins with a letter; empty when there is none.
  std::string_view word() noexcept;

  /// Takes this word if it comes next.
  bool take_word(std::string_view wanted) noexcept;

  std::string_view rest() const noexcept { return rest_; }

 private:
  void skip_blanks() noexcept;

  std::string_view rest_;
};

/// Equal, whatever the case of ASCII letters.
bool same_word(std::string_view a, std::string_view b) noexcept;

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text) noexcept;

}  // namespace kasuri::omp
