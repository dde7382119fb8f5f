// SPDX-License-Identifier: Apache-2.0
// The knowledge of `kasuri info`, and the three forms in which it tells.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "platform/cpu/features.hpp"
#include "platform/cpu/quota.hpp"
#include "platform/cpu/topology.hpp"
#include "platform/settings/settings.hpp"

namespace kasuri::command {

/// How this Kasuri was configured, by words that are the same wherever it is built.
struct build_fact {
  const char* name;
  const char* value;
};
std::span<const build_fact> build_facts();

struct machine_report {
  int present_cpus;
  int affinity_cpus;
  int usable_cpus;
  std::optional<platform::cpu_quota> quota;
  const platform::topology& topology;
  const platform::settings& settings;
  platform::features features;
};

/// For people.
std::string report_text(const machine_report& report);

/// For programs: one JSON object.
std::string report_json(const machine_report& report);

/// docs/reference/settings.md, from the table of settings alone.
std::string settings_markdown();

}  // namespace kasuri::command
