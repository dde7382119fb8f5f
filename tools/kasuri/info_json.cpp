// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "info.hpp"
#include "platform/settings/settings_text.hpp"

namespace kasuri::command {
namespace {

using json = nlohmann::ordered_json;

json cpus_json(const machine_report& report) {
  json quota;  // null: no quota
  if (report.quota) {
    quota = {{"cpus", report.quota->cpus()}, {"file", report.quota->file}};
  }
  return {{"present", report.present_cpus},
          {"affinity", report.affinity_cpus},
          {"usable", report.usable_cpus},
          {"quota", quota}};
}

json topology_json(const platform::topology& machine) {
  json nodes = json::array();
  for (const platform::numa_node& node : machine.numa_nodes) {
    nodes.push_back({{"os_index", node.os_index},
                     {"memory_bytes", node.memory_bytes},
                     {"memory_only", node.memory_only},
                     {"allowed", node.allowed}});
  }
  json pus = json::array();
  for (const platform::pu& unit : machine.pus) {
    pus.push_back({{"os_index", unit.os_index},
                   {"core", unit.core},
                   {"l3", unit.l3},
                   {"numa_node", unit.numa_node},
                   {"package", unit.package}});
  }
  return {{"is_this_machine", machine.is_this_machine},
          {"has_structure", machine.has_structure},
          {"numa_nodes", nodes},
          {"pus", pus}};
}

json settings_json(const platform::settings& settings) {
  json values = json::array();
  for (const platform::setting& row : platform::settings_table()) {
    values.push_back({{"name", row.name},
                      {"value", platform::value_text(row, settings)},
                      {"origin", platform::origin_name(platform::origin_of(settings, row))}});
  }
  return values;
}

}  // namespace

std::string report_json(const machine_report& report) {
  const platform::features& features = report.features;
  json build = json::object();
  for (const build_fact& each : build_facts()) build[each.name] = each.value;
  const json object = {{"version", KASURI_VERSION},
                       {"build", build},
                       {"cpus", cpus_json(report)},
                       {"topology", topology_json(report.topology)},
                       {"features",
                        {{"membarrier", features.membarrier},
                         {"fsgsbase", features.fsgsbase},
                         {"guard_install", features.guard_install},
                         {"huge_pages", features.huge_pages}}},
                       {"settings", settings_json(report.settings)}};
  // Paths and names may hold bytes that are no UTF-8: replaced rather than refused.
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace kasuri::command
