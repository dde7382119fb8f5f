// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "openmp_report.hpp"

namespace kasuri::command {

std::string openmp_json(const openmp_report& report) {
  using json = nlohmann::ordered_json;
  json runtimes = json::array();
  for (const openmp_runtime& each : report.runtimes) {
    const json file = each.file.empty() ? json() : json(each.file);
    const json kind = each.kind.empty() ? json() : json(each.kind);
    runtimes.push_back(
        {{"name", each.name}, {"file", file}, {"kind", kind}, {"users", each.users}});
  }
  json symbols = json::array();
  for (const openmp_symbol& each : report.symbols) {
    const json node = each.node.empty() ? json() : json(each.node);
    symbols.push_back({{"name", each.name}, {"version", node}, {"state", each.state}});
  }
  const json object = {{"version", KASURI_VERSION},
                       {"program", report.subject.program},
                       {"scripts", report.subject.scripts},
                       {"python_folders", report.subject.python_folders},
                       {"module_folders", report.subject.module_folders},
                       {"loads_by_path", report.loads_by_path},
                       {"provider", report.provider},
                       {"runtimes", runtimes},
                       {"symbols", symbols},
                       {"missing_versions", report.missing_nodes},
                       {"linked_in", report.linked_in},
                       {"unreadable", report.complaints},
                       {"all_provided", all_provided(report)},
                       {"verdict", openmp_verdict(report)}};
  // Paths and names may hold bytes that are no UTF-8: replaced rather than refused.
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace kasuri::command
