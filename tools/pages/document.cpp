// SPDX-License-Identifier: Apache-2.0
#include "pages/document.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace kasuri::pages {
namespace {

using nlohmann::json;

constexpr int form_version = 1;

kind kind_named(const std::string& name) {
  constexpr std::pair<const char*, kind> all[] = {
      {"", kind::none},         {"text", kind::text},       {"file", kind::file},
      {"folder", kind::folder}, {"program", kind::program}, {"setting", kind::setting}};
  for (const auto& [text, of] : all)
    if (name == text) return of;
  throw std::runtime_error("kind " + name + ": not known");
}

option option_of(const json& j) {
  return {j.at("names"),   j.at("value"),      kind_named(j.at("kind")),
          j.at("choices"), j.at("repeatable"), j.at("excludes"),
          j.at("needs"),   j.at("help")};
}

argument argument_of(const json& j) {
  return {j.at("name"), kind_named(j.at("kind")), j.at("required"), j.at("repeatable"),
          j.at("help")};
}

command command_of(const json& j) {
  command c{j.at("name"), j.at("description"), j.at("footer"), j.at("ends_in_program"), {}, {}};
  for (const json& each : j.at("options")) c.options.push_back(option_of(each));
  for (const json& each : j.at("arguments")) c.arguments.push_back(argument_of(each));
  return c;
}

setting setting_of(const json& j) {
  return {j.at("name"),     j.at("category"), j.at("default"),
          j.at("accepted"), j.at("choices"),  j.at("meaning")};
}

void add(document& all, const json& j) {
  if (j.at("kasuri_command_line") != form_version) throw std::runtime_error("another form");
  for (const json& each : j.at("commands")) {
    command c = command_of(each);
    const auto there = std::ranges::find(all.commands, c.name, &command::name);
    if (there == all.commands.end()) {
      all.commands.push_back(std::move(c));
    } else {
      c.description = there->description;  // as kasuri --help has it
      *there = std::move(c);
    }
  }
  // The first file is the root's own.
  if (!all.version.empty()) return;
  all.version = j.at("version");
  all.root = command_of(j.at("root"));
  for (const json& each : j.at("settings")) all.settings.push_back(setting_of(each));
}

}  // namespace

document read_document(const std::vector<std::string>& files) {
  document all;
  for (const std::string& name : files) {
    std::ifstream from(name);
    if (!from) throw std::runtime_error(name + ": cannot be read");
    try {
      add(all, json::parse(from));
    } catch (const std::exception& problem) {
      throw std::runtime_error(name + ": no description of a command line: " + problem.what());
    }
  }
  return all;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& each : words) {
    if (!text.empty()) text += between;
    text += each;
  }
  return text;
}

std::string shell_word(std::string_view text, std::string_view quote) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string(quote) : std::string(1, c);
  return word + "'";
}

std::string first_sentence(const std::string& help) {
  const std::size_t end = std::min(help.find(". "), help.find("; "));
  std::string text = help.substr(0, end);
  if (!text.empty() && text.back() == '.') text.pop_back();
  return text;
}

}  // namespace kasuri::pages
