// SPDX-License-Identifier: Apache-2.0
#include "platform/settings/settings_load.hpp"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "platform/settings/nearest_name.hpp"
#include "platform/settings/settings_table.hpp"
#include "platform/settings/settings_text.hpp"

namespace kasuri::platform {
namespace {

constexpr std::string_view prefix = "KASURI_";

// Set by environment modules and CMake users to say where the package is installed: not ours, and
// not worth a warning in every run.
constexpr std::string_view places[] = {"KASURI_ROOT", "KASURI_DIR", "KASURI_HOME"};

setting_origin& origin_slot(settings& values, const setting& row) {
  return values.origins[static_cast<std::size_t>(&row - settings_table().data())];
}

settings default_settings() {
  settings values{};
  for (const setting& row : settings_table()) {
    if (row.compute_default != nullptr) {
      row.compute_default(values);
    } else {
      parse_value(row, row.default_text, values);
    }
  }
  return values;
}

void mark_run_options(settings& values) {
  for (const std::string& name : values.run_options) {
    const setting* row = find_setting(name);
    if (row != nullptr && origin_of(values, *row) == setting_origin::environment) {
      origin_slot(values, *row) = setting_origin::run_option;
    }
  }
}

}  // namespace

std::string unknown_name_line(std::string_view name) {
  // Compared without the prefix, which all share and which would make everything look alike.
  std::vector<std::string_view> known;
  for (const setting& row : settings_table()) {
    known.push_back(row.name.substr(prefix.size()));
  }
  std::string_view tail = name;
  tail.remove_prefix(name.starts_with(prefix) ? prefix.size() : 0);
  const std::string_view near = nearest_name(tail, known);
  const std::string line = std::string(name) + " is no setting of Kasuri";
  return near.empty() ? line : line + " (did you mean KASURI_" + std::string(near) + "?)";
}

loaded_settings load_settings(std::span<const std::string_view> environment) {
  loaded_settings loaded{default_settings(), {}, {}};
  std::set<std::string_view> seen;
  for (const std::string_view entry : environment) {
    const std::size_t equals = entry.find('=');
    const std::string_view name = entry.substr(0, equals);
    const bool ours = equals != std::string_view::npos && name.starts_with(prefix);
    if (!ours || !seen.insert(name).second) {
      continue;
    }
    const setting* row = find_setting(name);
    if (row == nullptr) {
      if (std::ranges::find(places, name) == std::end(places)) {
        loaded.warnings.push_back(unknown_name_line(name));
      }
      continue;
    }
    if (auto problem = parse_value(*row, entry.substr(equals + 1), loaded.values)) {
      loaded.errors.push_back(bad_value_line(*row, entry, *problem));
    } else {
      origin_slot(loaded.values, *row) = setting_origin::environment;
    }
  }
  mark_run_options(loaded.values);
  return loaded;
}

std::vector<std::string_view> process_environment() {
  std::vector<std::string_view> entries;
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    entries.emplace_back(*entry);
  }
  return entries;
}

}  // namespace kasuri::platform
