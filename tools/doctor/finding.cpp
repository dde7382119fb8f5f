// SPDX-License-Identifier: Apache-2.0
#include "doctor/finding.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace kasuri::doctor {

const char* name(grade g) {
  constexpr const char* names[] = {"ok", "note", "warning"};
  return names[static_cast<std::size_t>(g)];
}

std::string findings_text(const findings& all) {
  std::string text;
  for (const finding& each : all) {
    char head[64];
    std::snprintf(head, sizeof head, "%-8s %-14s ", name(each.is), each.topic.c_str());
    text += head + each.what + (each.advice.empty() ? "" : "; " + each.advice) + '\n';
  }
  return text;
}

std::string findings_json(const findings& all) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const finding& each : all)
    list.push_back({{"grade", name(each.is)},
                    {"topic", each.topic},
                    {"what", each.what},
                    {"advice", each.advice}});
  const nlohmann::ordered_json object = {{"findings", list}};
  // Paths may hold bytes that are no UTF-8: replaced rather than refused.
  return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  std::string shown = text;
  return shown.ends_with(".0") ? shown.substr(0, shown.size() - 2) : shown;
}

}  // namespace kasuri::doctor
