// SPDX-License-Identifier: Apache-2.0
// kasuri compare [OPTIONS]
//
// Becomes the runner of the comparative study, a Python program beside the benchmark programs,
// which knows all options. Here it is told where those lie.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "openmp_library.hpp"
#include "program.hpp"

namespace kasuri::command {
namespace {

int compare(const std::vector<std::string>& options) {
  // As installed, then as in the build tree.
  const std::string folder = folder_beside_command(
      {KASURI_LIBEXECDIR_FROM_BINDIR "/kasuri/bench", "../libexec/kasuri/bench"},
      "runner/compare.py");
  if (folder.empty()) {
    std::fputs(
        "kasuri: compare: this Kasuri was built or installed without its benchmarks "
        "(KASURI_BENCH=ON builds them)\n",
        stderr);
    return status_usage;
  }
  // -B: an installed folder may not be for us to write to.
  std::vector<std::string> words = {"python3", "-B", folder + "/runner/compare.py", "--programs",
                                    folder + "/bin"};
  if (const std::string openmp = openmp_folder(); !openmp.empty()) {
    words.insert(words.end(), {"--openmp", openmp});
  }
  words.insert(words.end(), options.begin(), options.end());
  return become(words, "compare", "; it is a Python program");
}

}  // namespace

command register_compare(CLI::App& root) {
  const auto options = std::make_shared<std::vector<std::string>>();
  CLI::App* parser = root.add_subcommand(
      "compare", "Compare task systems on this machine: figures, tables, one page.");
  return {parser, [options] { return compare(*options); },
          [options](std::vector<std::string>& words) {
            options->assign(words.begin() + 1, words.end());
            words.resize(1);
          }};
}

}  // namespace kasuri::command
