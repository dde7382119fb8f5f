// SPDX-License-Identifier: Apache-2.0
// kasuri report, kasuri predict: a program of their own, which reads debug information. `kasuri
// run` is started before each program and is to be small.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "program.hpp"

namespace kasuri::command {
namespace {

constexpr const char* program_name = "kasuri-explain";

int explain(const char* subcommand, const std::vector<std::string>& arguments) {
  const std::string folder =
      folder_beside_command({".", KASURI_LIBEXECDIR_FROM_BINDIR "/kasuri"}, program_name);
  if (folder.empty()) {
    std::fprintf(stderr, "kasuri: %s: this Kasuri was built or installed without %s\n", subcommand,
                 program_name);
    return status_not_found;
  }
  std::vector<std::string> words{folder + '/' + program_name, subcommand};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return become(words, subcommand);
}

command register_part(CLI::App& root, const char* name, const char* description) {
  const auto arguments = std::make_shared<std::vector<std::string>>();
  CLI::App* const parser = root.add_subcommand(name, description);
  parser->set_help_flag();  // that program has the help
  return {parser, [name, arguments] { return explain(name, *arguments); },
          [arguments](std::vector<std::string>& words) {
            arguments->assign(words.begin() + 1, words.end());
            words.resize(1);
          }};
}

}  // namespace

command register_report(CLI::App& root) {
  return register_part(root, "report", "Run a program and say what limits it, and where.");
}

command register_predict(CLI::App& root) {
  return register_part(root, "predict", "Say how fast a program would be on another machine.");
}

}  // namespace kasuri::command
