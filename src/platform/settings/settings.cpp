// SPDX-License-Identifier: Apache-2.0
#include "platform/settings/settings.hpp"

#include <string_view>

#include "platform/base/fatal.hpp"
#include "platform/process/launched_rank.hpp"
#include "platform/settings/settings_choice.hpp"
#include "platform/settings/settings_load.hpp"
#include "platform/settings/settings_table.hpp"
#include "platform/settings/settings_text.hpp"

namespace kasuri::platform {
namespace {

settings read_process_environment() {
  loaded_settings loaded = load_settings(process_environment());
  for (const std::string& line : loaded.warnings) {
    // The ranks of a job have mostly one environment.
    if (launched_rank() <= 0) warn("%s", line.c_str());
  }
  if (!loaded.errors.empty()) loaded.values.problem = loaded.errors.front();
  return loaded.values;
}

struct settings_store {
  settings base = read_process_environment();  // an override of 0 goes back to these
  settings current = base;
};

// Never destroyed: static destructors of the program may still start tasks.
settings_store& store() {
  static settings_store& instance = *new settings_store;
  return instance;
}

/// An empty text: as the environment has it.
template <class T>
void override_setting(std::string_view name, T settings::* field, const std::string& text) {
  const setting& row = *find_setting(name);
  const auto index = static_cast<std::size_t>(&row - settings_table().data());
  auto& [base, current] = store();
  if (text.empty()) {
    current.*field = base.*field;
    current.origins[index] = base.origins[index];
    return;
  }
  if (const auto problem = parse_value(row, text, current)) {
    fatal("%s", bad_value_line(row, std::string(name) + '=' + text, *problem).c_str());
  }
  current.origins[index] = setting_origin::api;
}

template <class T>
std::string text_of(T value) {
  return value == 0 ? "" : std::to_string(value);
}

}  // namespace

const settings& settings_as_read() { return store().current; }

const settings& current_settings() {
  const settings& now = settings_as_read();
  if (!now.problem.empty()) [[unlikely]] {
    let_rank_0_speak();
    fatal("%s", now.problem.c_str());
  }
  return now;
}

void override_workers(int workers) {
  override_setting("KASURI_NUM_WORKERS", &settings::num_workers, text_of(workers));
}

void override_stack_size(std::uint64_t bytes) {
  override_setting("KASURI_STACK_SIZE", &settings::stack_size, text_of(bytes));
}

void override_sched(const std::string& name) {
  override_setting("KASURI_SCHED", &settings::sched, name);
}

std::optional<std::string> problem_with(std::string_view name, const std::string& text) {
  settings unused;
  const setting& row = *find_setting(name);
  const auto problem = parse_value(row, text, unused);
  if (!problem) return std::nullopt;
  return bad_value_line(row, std::string(name) + '=' + text, *problem);
}

void choose_setting(std::string_view name, const std::string& text) {
  const setting& row = *find_setting(name);
  auto& current = store().current;
  if (const auto problem = parse_value(row, text, current)) fatal("%s", problem->c_str());
  current.origins[static_cast<std::size_t>(&row - settings_table().data())] = setting_origin::api;
}

void suggest_workers(int workers) {
  const setting& row = *find_setting("KASURI_NUM_WORKERS");
  for (settings* each : {&store().base, &store().current}) {
    if (origin_of(*each, row) == setting_origin::default_value) each->num_workers = workers;
  }
}

std::optional<std::string> problem_with_sched(const std::string& name) {
  settings unused;
  const setting& row = *find_setting("KASURI_SCHED");
  const auto problem = parse_value(row, name, unused);
  if (!problem) return std::nullopt;
  return *problem + "; accepted: " + accepted_text(row);
}

}  // namespace kasuri::platform
