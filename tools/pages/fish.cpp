// SPDX-License-Identifier: Apache-2.0
// Completion for fish: one `complete` for each command and option.
#include "pages/document.hpp"

namespace kasuri::pages {
namespace {

std::string fish_quoted(std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled += c == '\\' ? std::string("\\\\") : std::string(1, c);
  return shell_word(doubled, "\\'");
}

/// The words of `complete` for a value.
std::string value_words(kind k, const std::vector<std::string>& choices) {
  if (!choices.empty()) return " -x -a " + fish_quoted(joined(choices, " "));
  switch (k) {
    case kind::none:
      return "";
    case kind::file:
      return " -r -F";
    case kind::folder:
      return " -x -a '(__fish_complete_directories)'";
    case kind::program:
      return " -r -F -a '(complete -C (commandline -ct))'";
    case kind::setting:
      return " -x -a '(__kasuri_settings)'";
    case kind::text:
      return " -x";
  }
  return "";
}

std::string option_line(const std::string& condition, const option& o) {
  std::string line = "complete -c kasuri" + condition;
  for (const std::string& name : o.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return line + value_words(o.of_value, o.choices) + " -d " + fish_quoted(first_sentence(o.help)) +
         "\n";
}

std::string command_lines(const command& c) {
  const std::string condition = " -n '__fish_seen_subcommand_from " + c.name + "'";
  std::string lines = "complete -c kasuri -n __fish_use_subcommand -a " + c.name + " -d " +
                      fish_quoted(first_sentence(c.description)) + "\n";
  for (const option& each : c.options) lines += option_line(condition, each);
  if (!c.arguments.empty() && c.arguments.front().of == kind::file)
    lines += "complete -c kasuri" + condition + " -F\n";
  if (c.ends_in_program)
    lines += "complete -c kasuri" + condition + " -x -a '(__kasuri_program)'\n";
  return lines;
}

std::string settings_words(const document& all) {
  std::string words;
  for (const setting& each : all.settings) {
    if (each.category == "internal") continue;
    if (each.choices.empty()) words += "    " + each.name + "=\n";
    for (const std::string& value : each.choices) words += "    " + each.name + "=" + value + "\n";
  }
  std::string list;
  for (const char c : words) list += c == '\n' ? std::string(" \\\n") : std::string(1, c);
  return "function __kasuri_settings\n  printf '%s\\n' \\\n" + list.substr(0, list.size() - 3) +
         "\nend\n\n";
}

}  // namespace

std::string fish_completion(const document& all) {
  std::string text = "# Completion for kasuri " + all.version +
                     ", made of the tables of the command when it was built.\n\n" +
                     settings_words(all);
  text +=
      "# The program of kasuri run, and behind it what that program takes.\n"
      "function __kasuri_program\n"
      "  __fish_complete_subcommand --fcs-skip=2 2>/dev/null; or complete -C (commandline -ct)\n"
      "end\n\ncomplete -c kasuri -f\n";
  for (const option& each : all.root.options)
    text += option_line(" -n __fish_use_subcommand", each);
  for (const command& each : all.commands) text += command_lines(each);
  return text;
}

}  // namespace kasuri::pages
