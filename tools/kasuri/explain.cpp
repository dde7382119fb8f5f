// SPDX-License-Identifier: Apache-2.0
// The commands of the program kasuri-explain, which knows their options.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "program.hpp"

namespace kasuri::command {
namespace {

int explain(const std::string& subcommand, const std::vector<std::string>& options) {
  // As installed, then as in the build tree.
  const char* const program = "kasuri-explain";
  const std::string folder = folder_beside_command(
      {KASURI_LIBEXECDIR_FROM_BINDIR "/kasuri", "../libexec/kasuri"}, program);
  if (folder.empty()) {
    std::fprintf(stderr, "kasuri: %s: the program %s was not installed with this command\n",
                 subcommand.c_str(), program);
    return status_usage;
  }
  std::vector<std::string> words = {folder + '/' + program, subcommand};
  words.insert(words.end(), options.begin(), options.end());
  return become(words, subcommand.c_str());
}

command register_explained(CLI::App& root, const char* name, const char* description) {
  const auto options = std::make_shared<std::vector<std::string>>();
  CLI::App* parser = root.add_subcommand(name, description);
  return {parser, [options, name] { return explain(name, *options); },
          [options](std::vector<std::string>& words) {
            options->assign(words.begin() + 1, words.end());
            words.resize(1);
          }};
}

}  // namespace

command become_predict(CLI::App& root) {
  return register_explained(root, "predict", "Say how fast a program would be on another machine.");
}

command become_report(CLI::App& root) {
  return register_explained(root, "report", "Run a program and say what limits it, and where.");
}

command become_symbol(CLI::App& root) {
  return register_explained(root, "symbol",
                            "Show the places of the source for addresses in a program or library.");
}

}  // namespace kasuri::command
