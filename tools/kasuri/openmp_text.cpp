// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <map>

#include "openmp_report.hpp"

namespace kasuri::command {
namespace {

constexpr std::size_t line_width = 100;
constexpr std::size_t shown_users = 8;

std::size_t count_provided(const openmp_report& report) {
  return static_cast<std::size_t>(std::ranges::count_if(
      report.symbols,
      [](const openmp_symbol& each) { return std::string_view(each.state) == "provided"; }));
}

std::string subject_text(const openmp_subject& subject) {
  std::string text;
  for (const std::string& script : subject.scripts) {
    text += "Script    " + script + "\n";
  }
  text += "Program   " + subject.program + "\n";
  for (const std::string& folder : subject.python_folders) {
    text += "Modules   " + folder + "\n";
  }
  for (const std::string& folder : subject.module_folders) {
    text += "Modules   " + folder + "\n";
  }
  return text;
}

std::string runtime_text(const openmp_runtime& runtime) {
  std::string text = "  " + runtime.name;
  text += runtime.file.empty() ? "  (not found)" : "  " + runtime.kind + "  " + runtime.file;
  text += "\n";
  const std::size_t shown = std::min(runtime.users.size(), shown_users);
  for (std::size_t i = 0; i < shown; ++i) {
    text += "    for " + runtime.users[i] + "\n";
  }
  if (shown < runtime.users.size()) {
    text += "    and " + std::to_string(runtime.users.size() - shown) + " more; --json has all\n";
  }
  return text;
}

// One paragraph a version, in columns.
std::string symbols_text(const openmp_report& report, bool provided) {
  std::map<std::string, std::string> paragraphs;
  std::map<std::string, std::size_t> widths;
  for (const openmp_symbol& each : report.symbols) {
    if ((std::string_view(each.state) == "provided") != provided) {
      continue;
    }
    const std::string head = each.node.empty() ? "(no version)" : each.node;
    const std::string word = provided ? each.name : each.name + " (" + each.state + ")";
    std::size_t& width = widths[head];
    if (width == 0 || width + 1 + word.size() > line_width) {
      char start[64];
      std::snprintf(start, sizeof start, "%s  %-13.32s", width == 0 ? "" : "\n",
                    width == 0 ? head.c_str() : "");
      paragraphs[head] += start;
      width = 15;
    }
    paragraphs[head] += " " + word;
    width += 1 + word.size();
  }
  std::string text;
  for (const auto& [head, paragraph] : paragraphs) {
    text += paragraph + "\n";
  }
  return text;
}

std::string list_text(const char* head, const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& each : list) {
    text += std::string("  ") + each + "\n";
  }
  return list.empty() ? "" : std::string(head) + "\n" + text;
}

}  // namespace

std::string openmp_verdict(const openmp_report& report) {
  const std::string of_all = std::to_string(report.symbols.size());
  if (!report.linked_in.empty()) {
    return "an OpenMP runtime is linked into " + report.linked_in.front() +
           ": kasuri run cannot replace it";
  }
  if (!report.missing_nodes.empty()) {
    return "kasuri run cannot serve it: Kasuri has no version " + report.missing_nodes.front();
  }
  if (report.symbols.empty()) {
    return report.runtimes.empty() ? "no OpenMP that can be seen from outside: nothing to replace"
                                   : "no OpenMP symbol is imported: nothing to replace";
  }
  if (all_provided(report)) {
    return "kasuri run gives it Kasuri: all " + of_all + " symbols are provided";
  }
  return "kasuri run serves it in part: " +
         std::to_string(report.symbols.size() - count_provided(report)) + " of " + of_all +
         " symbols are not provided";
}

std::string openmp_text(const openmp_report& report) {
  std::string text = "kasuri " KASURI_VERSION "\n" + subject_text(report.subject);
  text += report.runtimes.empty() ? "" : "OpenMP runtimes that it would load\n";
  for (const openmp_runtime& each : report.runtimes) {
    text += runtime_text(each);
  }
  if (!report.symbols.empty()) {
    text += "Symbols of OpenMP that it imports, provided by " + report.provider + "\n";
    text += symbols_text(report, true);
  }
  if (const std::string missing = symbols_text(report, false); !missing.empty()) {
    text += "Not provided\n" + missing;
  }
  text += list_text("Versions not provided", report.missing_nodes);
  text += list_text("With a runtime linked in", report.linked_in);
  text += list_text("Could not be read", report.complaints);
  if (report.loads_by_path) {
    text +=
        "Note      what it loads by path while it runs (dlopen) is not seen here; name the folder "
        "of "
        "such modules: --folder DIR\n";
  }
  return text + "Verdict   " + openmp_verdict(report) + "\n";
}

}  // namespace kasuri::command
