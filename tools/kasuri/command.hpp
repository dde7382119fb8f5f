// SPDX-License-Identifier: Apache-2.0
// A subcommand of `kasuri`: one file each, made known to main() by a registration function. To add
// one, write its file, declare its registration function here and name it in main.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kasuri::command {

struct command {
  CLI::App* parser;             // its options, as a subcommand of the root parser
  std::function<int()> action;  // runs it after parsing; returns the exit status
  // Where the command line ends in words that are not for the parser: takes them off.
  std::function<void(std::vector<std::string>& words)> take_tail = nullptr;
  bool ends_in_program = false;  // those words are a program and its arguments
  // The values of an option, where they are few and known: what shells offer.
  std::map<std::string, std::vector<std::string>> choices = {};
};

inline constexpr int status_ok = 0;
inline constexpr int status_usage = 2;      // bad options or values
inline constexpr int status_refused = 125;  // ... of `kasuri run` as a part of another command
inline constexpr int status_not_executable = 126;  // as a shell has it
inline constexpr int status_not_found = 127;

/// Compares task systems on this machine.
command register_compare(CLI::App& root);

/// Looks for what slows programs down or stops them on this machine.
command register_doctor(CLI::App& root);

/// Shows the machine and the settings as the runtime sees them.
command register_info(CLI::App& root);

/// Says how fast a recorded program would be on another machine.
command become_predict(CLI::App& root);

/// Runs a program and says what limits it.
command become_report(CLI::App& root);

/// Runs a program with settings given as options.
command register_run(CLI::App& root);

/// Simulates the policies on virtual workers.
command register_simulate(CLI::App& root);

/// Prints the places of addresses, by the program kasuri-explain.
command become_symbol(CLI::App& root);

/// Turns a recording into a document for a trace viewer, or sums it up.
command register_trace(CLI::App& root);

/// Prints the version.
command register_version(CLI::App& root);

}  // namespace kasuri::command
