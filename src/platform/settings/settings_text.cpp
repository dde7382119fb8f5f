// SPDX-License-Identifier: Apache-2.0
#include "platform/settings/settings_text.hpp"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <type_traits>

#include "platform/settings/nearest_name.hpp"

namespace kasuri::platform {
namespace {

using problem = std::optional<std::string>;

constexpr struct {
  char suffix;
  std::uint64_t factor;
} units[] = {{'G', 1u << 30}, {'M', 1u << 20}, {'K', 1u << 10}};

template <class... F>
struct overloaded : F... {
  using F::operator()...;
};

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Decimal digits to a number; a number too long for the type becomes its largest value, which no
// rule accepts.
std::uint64_t parse_digits(std::string_view digits) {
  std::uint64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return result.ec == std::errc() ? value : std::numeric_limits<std::uint64_t>::max();
}

template <class T>
problem parse(const integer_rule<T>& rule, std::string_view text, settings& values) {
  const bool negative = text.starts_with('-') && all_digits(text.substr(1));
  if (!negative && !all_digits(text)) {
    return "not a whole number";
  }
  const std::uint64_t value = negative ? 0 : parse_digits(text);
  if (negative || value < static_cast<std::uint64_t>(rule.min)) {
    return "too small";
  }
  if (value > static_cast<std::uint64_t>(rule.max)) {
    return "too large";
  }
  values.*rule.field = static_cast<T>(value);
  return std::nullopt;
}

problem parse(const size_rule& rule, std::string_view text, settings& values) {
  std::string_view digits = text;
  std::uint64_t factor = 1;
  for (const auto& unit : units) {
    if (!text.empty() && (text.back() | 0x20) == (unit.suffix | 0x20)) {
      factor = unit.factor;
      digits.remove_suffix(1);
      break;
    }
  }
  if (!all_digits(digits)) {
    return "not a size";
  }
  const std::uint64_t count = parse_digits(digits);
  if (count > rule.max / factor) {
    return "too large";
  }
  if (count * factor < rule.min) {
    return "too small";
  }
  values.*rule.field = count * factor;
  return std::nullopt;
}

problem parse(const choice_rule& rule, std::string_view text, settings& values) {
  if (std::ranges::find(rule.names, text) == rule.names.end()) {
    const std::string_view near = nearest_name(text, rule.names);
    return near.empty() ? "unknown name" : "unknown name (did you mean " + std::string(near) + "?)";
  }
  values.*rule.field = text;
  return std::nullopt;
}

problem parse(const on_off_rule& rule, std::string_view text, settings& values) {
  const auto is_text = [&](std::string_view word) {
    return text.size() == word.size() && ::strncasecmp(text.data(), word.data(), word.size()) == 0;
  };
  constexpr std::string_view on[] = {"on", "1", "true", "yes"};
  constexpr std::string_view off[] = {"off", "0", "false", "no"};
  const bool is_on = std::ranges::any_of(on, is_text);
  if (!is_on && std::ranges::none_of(off, is_text)) {
    return "neither on nor off";
  }
  values.*rule.field = is_on;
  return std::nullopt;
}

problem parse(const path_rule& rule, std::string_view text, settings& values) {
  values.*rule.field = text;
  return std::nullopt;
}

problem parse(const list_rule& rule, std::string_view text, settings& values) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    items.emplace_back(text.substr(0, comma));
    if (items.back().empty()) {
      return "an item is empty";
    }
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  values.*rule.field = std::move(items);
  return std::nullopt;
}

std::string size_text(std::uint64_t bytes) {
  for (const auto& unit : units) {
    if (bytes != 0 && bytes % unit.factor == 0) {
      return std::to_string(bytes / unit.factor) + unit.suffix;
    }
  }
  return std::to_string(bytes);
}

template <class Names>
std::string join(const Names& names, std::string_view separator) {
  std::string joined;
  for (const auto& name : names) {
    joined += joined.empty() ? "" : separator;
    joined += name;
  }
  return joined;
}

bool may_be_empty(const setting_rule& rule) {
  return std::holds_alternative<path_rule>(rule) || std::holds_alternative<list_rule>(rule);
}

}  // namespace

std::optional<std::string> parse_value(const setting& row, std::string_view text,
                                       settings& values) {
  if (text.empty() && !may_be_empty(row.rule)) {
    return "the value is empty";
  }
  return std::visit([&](const auto& rule) { return parse(rule, text, values); }, row.rule);
}

std::string accepted_text(const setting& row) {
  return std::visit(overloaded{
                        []<class T>(const integer_rule<T>& rule) {
                          return std::to_string(rule.min) + " to " + std::to_string(rule.max);
                        },
                        [](const size_rule& rule) {
                          return size_text(rule.min) + " to " + size_text(rule.max) +
                                 " (bytes, or a number with K, M or G)";
                        },
                        [](const choice_rule& rule) { return join(rule.names, " or "); },
                        [](const on_off_rule&) {
                          return std::string("on or off (also 1/0, true/false, yes/no)");
                        },
                        [](const path_rule&) { return std::string("a path; empty is off"); },
                        [](const list_rule&) { return std::string("names separated by commas"); },
                    },
                    row.rule);
}

std::vector<std::string> choices_of(const setting& row) {
  if (const auto* rule = std::get_if<choice_rule>(&row.rule))
    return {rule->names.begin(), rule->names.end()};
  if (std::holds_alternative<on_off_rule>(row.rule)) return {"on", "off"};
  return {};
}

std::string value_text(const setting& row, const settings& values) {
  return std::visit(
      overloaded{
          [&]<class T>(const integer_rule<T>& rule) { return std::to_string(values.*rule.field); },
          [&](const size_rule& rule) { return size_text(values.*rule.field); },
          [&](const on_off_rule& rule) { return std::string(values.*rule.field ? "on" : "off"); },
          [&](const choice_rule& rule) { return values.*rule.field; },
          [&](const path_rule& rule) { return values.*rule.field; },
          [&](const list_rule& rule) { return join(values.*rule.field, ","); },
      },
      row.rule);
}

const char* origin_name(setting_origin origin) {
  constexpr const char* names[] = {"default", "environment", "kasuri run", "API"};
  return names[static_cast<std::size_t>(origin)];
}

std::string bad_value_line(const setting& row, std::string_view given, std::string_view problem) {
  constexpr std::size_t longest = 120;
  std::string line(given.substr(0, longest));
  std::ranges::replace_if(line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  line += given.size() > longest ? "..." : "";
  line += ": ";
  line += problem;
  line += "; accepted: ";
  return line + accepted_text(row);
}

}  // namespace kasuri::platform
