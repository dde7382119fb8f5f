// SPDX-License-Identifier: Apache-2.0
// The subcommands of kasuri-explain, one file each.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace kasuri::explain {

struct subcommand {
  CLI::App* parser;
  std::function<int()> action;
  // Takes the words of a program and its arguments off the command line.
  std::function<void(std::vector<std::string>& words)> take_tail = nullptr;
};

subcommand register_report(CLI::App& root);
subcommand register_predict(CLI::App& root);
/// Looks up addresses of a file: to try the tables of lines by hand.
subcommand register_symbol(CLI::App& root);

/// The `kasuri` command that belongs to this file.
std::string kasuri_command();

/// Takes "OPTIONS [--] PROGRAM ARGS..." apart at the program: what comes behind is the program's.
/// Options of the parser that take a value are skipped with it.
std::vector<std::string> take_program(const CLI::App& parser, std::vector<std::string>& words);

}  // namespace kasuri::explain
