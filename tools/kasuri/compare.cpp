// SPDX-License-Identifier: Apache-2.0
// kasuri compare [OPTIONS]
//
// Becomes the runner of the comparative study, a Python program beside the benchmark programs,
// which knows all options. Here it is told where those lie.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "openmp_library.hpp"

namespace kasuri::command {
namespace {

namespace fs = std::filesystem;

// The same in the build tree and where it is installed; empty where there is none.
std::string study_folder() {
  std::error_code error;
  const fs::path own = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* relative : {KASURI_LIBEXECDIR_FROM_BINDIR "/kasuri/bench",
                               "../libexec/kasuri/bench"}) {
    const fs::path folder = (own / relative).lexically_normal();
    if (!own.empty() && fs::is_regular_file(folder / "runner/compare.py", error)) {
      return folder.string();
    }
  }
  return "";
}

// Returns only if Python could not be started.
int become(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));  // execvp does not write to them
  }
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  std::fprintf(stderr, "kasuri: compare: %s: %s; it is a Python program\n", arguments[0],
               std::strerror(errno));
  return errno == ENOENT ? status_not_found : status_not_executable;
}

int compare(const std::vector<std::string>& options) {
  const std::string folder = study_folder();
  if (folder.empty()) {
    std::fputs("kasuri: compare: this Kasuri was built or installed without its benchmarks "
               "(KASURI_BENCH=ON builds them)\n", stderr);
    return status_usage;
  }
  // -B: an installed folder may not be for us to write to.
  std::vector<std::string> words = {"python3", "-B", folder + "/runner/compare.py", "--programs",
                                    folder + "/bin"};
  if (const std::string openmp = openmp_folder(); !openmp.empty()) {
    words.insert(words.end(), {"--openmp", openmp});
  }
  words.insert(words.end(), options.begin(), options.end());
  return become(words);
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
