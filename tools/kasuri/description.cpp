// SPDX-License-Identifier: Apache-2.0
#include "description.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platform/settings/settings_text.hpp"

namespace kasuri::command {
namespace {

using json = nlohmann::ordered_json;

constexpr int form_version = 1;

// "N" of "N:INT in [1 - 4096]", which the parser makes of a name and a check.
std::string value_name(const CLI::Option& option) {
  const std::string whole = option.get_type_name();
  return whole.substr(0, whole.find(':'));
}

std::string range_of(const CLI::Option& option) {
  const std::string whole = option.get_type_name();
  const std::size_t open = whole.find(" in ["), between = whole.find(" - ", open);
  if (open == std::string::npos || between == std::string::npos) return "";
  const std::size_t least = open + 5;
  return " [" + whole.substr(least, between - least) + " to " +
         whole.substr(between + 3, whole.find(']', between) - between - 3) + "]";
}

// The sort of a value, by its name: a shell can look for files.
std::string kind_of(const std::string& value) {
  if (value == "FILE" || value == "OUT" || value == "PROFILE") return "file";
  if (value == "DIR") return "folder";
  if (value == "PROGRAM") return "program";
  return value == "NAME=VALUE" ? "setting" : "text";
}

bool is_repeatable(const CLI::Option& option) {
  return option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll ||
         option.get_items_expected_max() > 1;
}

std::vector<std::string> long_names(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* each : options) names.push_back("--" + each->get_lnames().front());
  std::ranges::sort(names);  // the parser has them by their addresses
  return names;
}

json option_json(const CLI::Option& option, const command* owner) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  std::vector<std::string> choices;
  for (const std::string& name : names)
    if (owner != nullptr && owner->choices.contains(name)) choices = owner->choices.at(name);
  const bool takes_value = option.get_items_expected_max() > 0;
  const std::string value = takes_value ? value_name(option) : "";
  return {{"names", names},
          {"value", value},
          {"kind", takes_value ? kind_of(value) : ""},
          {"choices", choices},
          {"repeatable", takes_value && is_repeatable(option)},
          {"excludes", long_names(option.get_excludes())},
          {"needs", long_names(option.get_needs())},
          {"help", option.get_description() + range_of(option)}};
}

json argument_json(const CLI::Option& option) {
  std::string name = option.get_single_name();
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return {{"name", name},
          {"kind", kind_of(name)},
          {"required", option.get_required()},
          {"repeatable", is_repeatable(option)},
          {"help", option.get_description()}};
}

json parser_json(const CLI::App& parser, const command* owner) {
  json options = json::array(), arguments = json::array();
  for (const CLI::Option* each : parser.get_options()) {
    if (each->get_positional())
      arguments.push_back(argument_json(*each));
    else if (!each->get_group().empty())  // else it is hidden
      options.push_back(option_json(*each, owner));
  }
  return {{"name", parser.get_name()},
          {"description", parser.get_description()},
          {"footer", parser.get_footer()},
          {"ends_in_program", owner != nullptr && owner->ends_in_program},
          {"options", options},
          {"arguments", arguments}};
}

json settings_json() {
  json rows = json::array();
  for (const platform::setting& row : platform::settings_table())
    rows.push_back({{"name", row.name},
                    {"category", row.category},
                    {"default", row.default_text},
                    {"accepted", platform::accepted_text(row)},
                    {"choices", platform::choices_of(row)},
                    {"meaning", row.sentence}});
  return rows;
}

}  // namespace

std::string description_json(const CLI::App& root, std::span<const command> commands) {
  json described = json::array();
  for (const command& each : commands) described.push_back(parser_json(*each.parser, &each));
  const json object = {{"kasuri_command_line", form_version},
                       {"version", KASURI_VERSION},
                       {"root", parser_json(root, nullptr)},
                       {"commands", described},
                       {"settings", settings_json()}};
  return object.dump(1) + "\n";
}

}  // namespace kasuri::command
