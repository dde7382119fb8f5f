// SPDX-License-Identifier: Apache-2.0
// kasuri-explain: what `kasuri report` and `kasuri predict` become.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "explain.hpp"

namespace kasuri::explain {
namespace {

constexpr int status_usage = 2;

int run(const std::vector<std::string>& line) {
  CLI::App root("Says why a program does not scale.", "kasuri");
  root.require_subcommand(1);
  const subcommand all[] = {register_report(root), register_predict(root), register_symbol(root)};
  std::vector<std::string> words = line;
  for (const subcommand& each : all)
    if (each.take_tail && !words.empty() && words.front() == each.parser->get_name())
      each.take_tail(words);
  std::ranges::reverse(words);  // the parser takes them from the end
  try {
    root.parse(std::move(words));
  } catch (const CLI::Success& request) {  // --help
    return root.exit(request);
  } catch (const CLI::ParseError& error) {
    const auto parsed = root.get_subcommands();
    const std::string name = parsed.empty() ? "" : parsed.front()->get_name();
    const std::string what = error.what();
    std::fprintf(stderr, "kasuri: %s: %s; see kasuri %s --help\n", name.c_str(),
                 what.substr(0, what.find('\n')).c_str(), name.c_str());
    return status_usage;
  }
  for (const subcommand& each : all)
    if (each.parser->parsed()) return each.action();
  return status_usage;
}

}  // namespace
}  // namespace kasuri::explain

int main(int argc, char** argv) { return kasuri::explain::run({argv + 1, argv + argc}); }
