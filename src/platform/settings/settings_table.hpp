// SPDX-License-Identifier: Apache-2.0
// The one table of settings. A row feeds the parser, `kasuri info`, `kasuri run` and
// docs/reference/settings.md; to add a setting, add a field to settings and a row here.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <variant>

#include "platform/settings/settings.hpp"

namespace kasuri::platform {

// The values that a setting accepts, and the field that takes them.
template <class T>
struct integer_rule {
  T settings::* field;
  T min;
  T max;
};
struct size_rule {  // bytes, with a suffix K, M or G (powers of 1024)
  std::uint64_t settings::* field;
  std::uint64_t min;
  std::uint64_t max;
};
struct choice_rule {
  std::string settings::* field;
  std::span<const std::string_view> names;
};
struct on_off_rule {
  bool settings::* field;
};
struct path_rule {  // empty: off
  std::string settings::* field;
};
struct list_rule {  // separated by commas
  std::vector<std::string> settings::* field;
};
using setting_rule = std::variant<integer_rule<int>, integer_rule<std::uint64_t>, size_rule,
                                  choice_rule, on_off_rule, path_rule, list_rule>;

struct setting {
  std::string_view name;
  std::string_view category;
  std::string_view default_text;  // parsed like a value, unless compute_default is there
  setting_rule rule;
  std::string_view sentence;
  void (*compute_default)(settings&) = nullptr;
};

/// All settings, grouped by category, in the order shown to the user.
std::span<const setting> settings_table();

/// The row of that name, or nullptr.
const setting* find_setting(std::string_view name);

/// Where the value of the row is from.
setting_origin origin_of(const settings& values, const setting& row);

}  // namespace kasuri::platform
