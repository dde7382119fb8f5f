// SPDX-License-Identifier: Apache-2.0
#include "omp/base/text_cursor.hpp"

#include <algorithm>
#include <charconv>

namespace kasuri::omp {
namespace {

// The functions of <cctype> ask the locale.
constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

}  // namespace

void text_cursor::skip_blanks() noexcept {
  while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
}

std::optional<std::int64_t> text_cursor::integer() noexcept {
  skip_blanks();
  std::string_view digits = rest_;
  if (digits.starts_with('+')) digits.remove_prefix(1);  // from_chars knows only the minus
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc()) return std::nullopt;
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  return value;
}

std::optional<int> text_cursor::integer(int least, int most) noexcept {
  text_cursor trial = *this;
  const auto value = trial.integer();
  if (!value || *value < least || *value > most) return std::nullopt;
  *this = trial;
  return static_cast<int>(*value);
}

std::string_view text_cursor::word() noexcept {
  skip_blanks();
  std::size_t length = 0;
  if (!rest_.empty() && is_letter(rest_.front()))
    while (length != rest_.size() &&
           (is_letter(rest_[length]) || is_digit(rest_[length]) || rest_[length] == '_'))
      ++length;
  const std::string_view found = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return found;
}

bool text_cursor::take_word(std::string_view wanted) noexcept {
  text_cursor trial = *this;
  if (!same_word(trial.word(), wanted)) return false;
  *this = trial;
  return true;
}

bool same_word(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace kasuri::omp
