// SPDX-License-Identifier: Apache-2.0
// Completion for zsh: one call of _arguments for each command.
#include "pages/document.hpp"

namespace kasuri::pages {
namespace {

/// Text inside the brackets of a specification of _arguments, or behind one of its colons.
std::string inside(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string action(kind k, const std::vector<std::string>& choices) {
  if (!choices.empty()) return "(" + joined(choices, " ") + ")";
  switch (k) {
    case kind::file:
      return "_files";
    case kind::folder:
      return "_files -/";
    case kind::program:
      return "_command_names -e";
    case kind::setting:
      return "_kasuri_settings";
    default:
      return " ";
  }
}

std::string option_line(const option& o) {
  std::string all;
  for (const std::string& name : o.names) {
    const std::string excluded = o.repeatable ? ""
                                              : "(" + joined(o.names, " ") +
                                                    (o.excludes.empty() ? "" : " ") +
                                                    joined(o.excludes, " ") + ")";
    std::string text = excluded + (o.repeatable ? "*" : "") + name;
    if (o.of_value != kind::none && name.starts_with("--")) text += "=";
    text += "[" + inside(first_sentence(o.help)) + "]";
    if (o.of_value != kind::none)
      text += ":" + inside(o.value) + ":" + action(o.of_value, o.choices);
    all += " \\\n    " + shell_word(text);
  }
  return all;
}

std::string arguments_lines(const command& c) {
  std::string lines;
  for (const argument& each : c.arguments)
    lines += " \\\n    " + shell_word((each.repeatable ? "*:" : ":") + inside(each.name) + ":" +
                                      action(each.of, {}));
  if (c.ends_in_program)
    lines += " \\\n    '(-)1:program:_command_names -e' \\\n    '*::arguments:_normal'";
  return lines;
}

std::string command_function(const command& c) {
  std::string text = "_kasuri_" + c.name + "() {\n  _arguments -S";
  for (const option& each : c.options) text += option_line(each);
  return text + arguments_lines(c) + "\n}\n\n";
}

std::string settings_function(const document& all) {
  std::string names, rows;
  for (const setting& each : all.settings) {
    if (each.category == "internal") continue;
    names += (names.empty() ? "" : " ") + each.name;
    if (!each.choices.empty())
      rows += "      " + each.name + ") compadd -- " + joined(each.choices, " ") + " ;;\n";
  }
  return "_kasuri_settings() {\n  if compset -P '*='; then\n    case ${${IPREFIX%=}##*=} in\n" +
         rows + "    esac\n  else\n    compadd -S = -- " + names + "\n  fi\n}\n\n";
}

}  // namespace

std::string zsh_completion(const document& all) {
  std::string text = "#compdef kasuri\n# Completion for kasuri " + all.version +
                     ", made of the tables of the command when it was built.\n\n" +
                     settings_function(all);
  std::string list;
  for (const command& each : all.commands) {
    text += command_function(each);
    list += "    " + shell_word(each.name + ":" + first_sentence(each.description)) + "\n";
  }
  text +=
      "_kasuri() {\n  local -a commands=(\n" + list + "  )\n  local state line\n  _arguments -C";
  for (const option& each : all.root.options) text += option_line(each);
  return text +
         " \\\n    '1:command:->command' \\\n    '*::options:->options'\n"
         "  case $state in\n"
         "    command) _describe command commands ;;\n"
         "    options) (( $+functions[_kasuri_$line[1]] )) && _kasuri_$line[1] ;;\n"
         "  esac\n}\n\n_kasuri \"$@\"\n";
}

}  // namespace kasuri::pages
