// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "description.hpp"
#include "platform/settings/nearest_name.hpp"
#include "profile/watch/start.hpp"

/// The commands are not what KASURI_PROFILE means.
bool kasuri::profile::is_subject() noexcept { return false; }

namespace kasuri::command {
namespace {

using words = std::vector<std::string>;

// The subcommand on the command line, or the root.
const CLI::App& chosen_parser(const CLI::App& root) {
  const auto parsed = root.get_subcommands();
  return parsed.empty() ? root : *parsed.front();
}

// The words that are accepted in the place of `word`: names of options or of subcommands.
words known_names(const CLI::App& parser, bool option) {
  words names;
  if (option) {
    for (const CLI::Option* each : parser.get_options()) {
      for (const std::string& name : each->get_lnames()) {
        names.push_back("--" + name);
      }
    }
  } else {
    for (const CLI::App* each : parser.get_subcommands(nullptr)) {
      names.push_back(each->get_name());
    }
  }
  return names;
}

std::string unknown_word(const CLI::App& root, const std::string& word) {
  const CLI::App& parser = chosen_parser(root);
  const bool option = word.starts_with('-');
  const words known = known_names(parser, option);
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view near = platform::nearest_name(word, names);
  const char* kind = option ? "unknown option " : "unexpected argument ";
  const std::string line = (&parser == &root && !option ? "unknown command " : kind) + word;
  return near.empty() ? line : line + " (did you mean " + std::string(near) + "?)";
}

// The parser says "--workers: 1 required N missing" of an option without its value, and "stats was
// given a disallowed flag override" of a flag with one.
std::string mismatch(const std::string& message) {
  if (message.starts_with("--")) {
    return message.substr(0, message.find(':')) + " needs a value";
  }
  return "--" + message.substr(0, message.find(' ')) + " takes no value";
}

// A value that looks like an option is one whose value was forgotten: a file of that name is never
// meant.
void refuse_options_as_values(CLI::App& parser) {
  for (CLI::Option* option : parser.get_options()) {
    if (option->get_positional() || option->get_items_expected_max() == 0) continue;
    option->check([option](const std::string& value) {
      if (value.starts_with("--")) throw CLI::ArgumentMismatch(option->get_name() + ": no value");
      return std::string();
    });
  }
}

// One line: where, what, and where help is to be found.
int report_usage_error(const CLI::App& root, const std::string& message) {
  const CLI::App& parser = chosen_parser(root);
  const std::string name = &parser == &root ? "" : parser.get_name();
  const std::string first_line = message.substr(0, message.find('\n'));
  std::fprintf(stderr, "kasuri: %s%s; see kasuri %s--help\n",
               name.empty() ? "" : (name + ": ").c_str(), first_line.c_str(),
               name.empty() ? "" : (name + " ").c_str());
  return status_usage;
}

// The one that is named, which is quicker; else all, to be listed and to look for what may be
// meant.
std::vector<command> register_commands(CLI::App& root, std::span<const named_command> all,
                                       const std::string& name) {
  const auto asked = std::ranges::find(all, std::string_view(name), &named_command::name);
  if (asked != all.end()) {
    return {asked->enter(root)};
  }
  std::vector<command> commands;
  for (const named_command& each : all) {
    commands.push_back(each.enter(root));
  }
  return commands;
}

}  // namespace

int run_command_line(std::span<const named_command> all, words line) {
  CLI::App root(
      "Kasuri, a task-parallel runtime for tasks of C++, C and Fortran, and for OpenMP programs as "
      "they are.",
      "kasuri");
  const std::vector<command> commands =
      register_commands(root, all, line.empty() ? "" : line.front());
  root.footer(
      "With a program that was compiled with -fopenmp, or that uses Kasuri's tasks:\n"
      "  kasuri run ./prog args       run it on Kasuri\n"
      "  kasuri report ./prog args    ... and say what limits it, and where");
  root.require_subcommand(0, 1);
  root.set_version_flag("--version", "kasuri " KASURI_VERSION, "Print the version.");
  if (line == words{description_word}) {
    std::fputs(description_json(root, commands).c_str(), stdout);
    return std::fflush(stdout) == 0 ? status_ok : 1;
  }
  for (const command& each : commands) {
    refuse_options_as_values(*each.parser);
    if (each.take_tail && !line.empty() && line.front() == each.parser->get_name()) {
      each.take_tail(line);
    }
  }
  std::ranges::reverse(line);  // the parser takes words from the end
  try {
    root.parse(std::move(line));
  } catch (const CLI::Success& request) {  // --help and --version
    return root.exit(request);
  } catch (const CLI::ExtrasError&) {
    return report_usage_error(root, unknown_word(root, root.remaining(true).front()));
  } catch (const CLI::ArgumentMismatch& error) {
    return report_usage_error(root, mismatch(error.what()));
  } catch (const CLI::ParseError& error) {
    return report_usage_error(root, error.what());
  }
  for (const command& each : commands) {
    if (each.parser->parsed()) {
      return each.action();
    }
  }
  return report_usage_error(root, "no command given");
}

}  // namespace kasuri::command
