// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "runtimes_report.hpp"

namespace kasuri::command {

std::string runtimes_text(const runtimes_report& report) {
  std::string text = "kasuri " KASURI_VERSION "\n";
  text += report.process != 0
              ? "Process   " + std::to_string(report.process) + "  " + report.program + "\n"
              : "Program   " + report.program + "\n";
  text += "Kasuri    " + (report.library.empty() ? "not loaded" : report.library) + "\n";
  if (report.found.empty())
    text += std::string("Runtimes  none that ") +
            (report.process != 0 ? "are loaded" : "can be seen from outside") + "\n";
  else
    text += report.process != 0 ? "Runtimes that are loaded\n" : "Runtimes that it would load\n";
  for (const found_runtime& each : report.found) {
    text += "  " + each.name + (each.version.empty() ? "" : " " + each.version) + "  " + each.file +
            "\n";
    if (!each.served.empty()) text += "    on the pool   " + each.served + "\n";
    if (!each.itself.empty()) text += "    left to it    " + each.itself + "\n";
  }
  if (!report.complaints.empty()) text += "Could not be read\n";
  for (const std::string& each : report.complaints) text += "  " + each + "\n";
  if (!report.note.empty()) text += "Note      " + report.note + "\n";
  return text;
}

std::string runtimes_json(const runtimes_report& report) {
  using json = nlohmann::ordered_json;
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? json() : json(text);
  };
  json found = json::array();
  for (const found_runtime& each : report.found)
    found.push_back({{"name", each.name},
                     {"version", text_or_null(each.version)},
                     {"file", each.file},
                     {"on_the_pool", text_or_null(each.served)},
                     {"left_to_it", text_or_null(each.itself)}});
  const json object = {{"version", KASURI_VERSION},
                       {"program", report.program},
                       {"process", report.process == 0 ? json() : json(report.process)},
                       {"library", text_or_null(report.library)},
                       {"runtimes", found},
                       {"unreadable", report.complaints}};
  // Paths may hold bytes that are no UTF-8: replaced rather than refused.
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace kasuri::command
