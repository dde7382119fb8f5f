// SPDX-License-Identifier: Apache-2.0
// Counters and settings by name, for languages that do not share our structs.

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "kasuri/inspect.h"
#include "kasuri/runtime.hpp"
#include "platform/settings/settings_table.hpp"
#include "platform/settings/settings_text.hpp"

namespace platform = kasuri::platform;
using kasuri::worker_counters;

namespace {

struct counter {
  const char* name;
  std::uint64_t worker_counters::* value;
};

constexpr counter counters[] = {
    {"tasks", &worker_counters::tasks},
    {"steals_tried", &worker_counters::steals_tried},
    {"steals", &worker_counters::steals},
    {"steals_near", &worker_counters::steals_near},
    {"steals_far", &worker_counters::steals_far},
    {"refused", &worker_counters::refused},
    {"rescues", &worker_counters::rescues},
    {"suspends", &worker_counters::suspends},
    {"resumes", &worker_counters::resumes},
    {"parks", &worker_counters::parks},
    {"wakes", &worker_counters::wakes},
    {"spares", &worker_counters::spares},
    {"posted", &worker_counters::posted},
    {"where_kept", &worker_counters::where_kept},
    {"where_near", &worker_counters::where_near},
    {"where_missed", &worker_counters::where_missed},
    {"routed", &worker_counters::routed},
    {"widened", &worker_counters::widened},
    {"declined", &worker_counters::declined},
    {"overruled", &worker_counters::overruled},
    {"work_ns", &worker_counters::work_ns},
    {"overhead_ns", &worker_counters::overhead_ns},
    {"idle_ready_ns", &worker_counters::idle_ready_ns},
    {"idle_empty_ns", &worker_counters::idle_empty_ns},
    {"blocked_ns", &worker_counters::blocked_ns},
    {"waiting_ns", &worker_counters::waiting_ns},
    {"off_core_ns", &worker_counters::off_core_ns},
    {"processor_ns", &worker_counters::processor_ns},
};
// The worker's number takes as much room as a count: a counter without a row here does not compile.
static_assert(sizeof(worker_counters) == (std::size(counters) + 1) * sizeof(std::uint64_t));

const platform::setting* setting_at(int index) noexcept {
  const auto table = platform::settings_table();
  return index >= 0 && static_cast<std::size_t>(index) < table.size()
             ? &table[static_cast<std::size_t>(index)]
             : nullptr;
}

/// Gives the text to the caller as snprintf would.
std::ptrdiff_t give(const std::string& from, char* text, std::size_t bytes) noexcept {
  if (bytes != 0) {
    const std::size_t length = std::min(from.size(), bytes - 1);
    std::memcpy(text, from.data(), length);
    text[length] = '\0';
  }
  return static_cast<std::ptrdiff_t>(from.size());
}

}  // namespace

extern "C" {

const char* kasuri_counter_name(int index) {
  return index >= 0 && static_cast<std::size_t>(index) < std::size(counters) ? counters[index].name
                                                                             : nullptr;
}

int kasuri_counters(std::uint64_t* values, int in_row, int rows) {
  if (in_row < 0 || rows < 0 || (values == nullptr && rows != 0)) return -1;
  try {
    const std::vector<worker_counters> all = kasuri::counters();
    const std::size_t given = std::min(all.size(), static_cast<std::size_t>(rows));
    for (std::size_t r = 0; r != given; ++r) {
      *values++ = static_cast<std::uint64_t>(all[r].worker);
      for (std::size_t i = 0; i != static_cast<std::size_t>(in_row); ++i)
        *values++ = i < std::size(counters) ? all[r].*counters[i].value : 0;
    }
    return static_cast<int>(all.size());
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

const char* kasuri_setting_name(int index) {
  const platform::setting* const row = setting_at(index);
  return row == nullptr ? nullptr : row->name.data();  // a literal, so it ends with a zero
}

std::ptrdiff_t kasuri_setting_value(int index, char* text, std::size_t bytes) {
  const platform::setting* const row = setting_at(index);
  if (row == nullptr || (text == nullptr && bytes != 0)) return -1;
  return give(platform::value_text(*row, platform::current_settings()), text, bytes);
}

const char* kasuri_setting_origin(int index) {
  const platform::setting* const row = setting_at(index);
  if (row == nullptr) return nullptr;
  return platform::origin_name(platform::origin_of(platform::current_settings(), *row));
}

std::ptrdiff_t kasuri_setting_accepted(int index, char* text, std::size_t bytes) {
  const platform::setting* const row = setting_at(index);
  if (row == nullptr || (text == nullptr && bytes != 0)) return -1;
  return give(platform::accepted_text(*row), text, bytes);
}
}
