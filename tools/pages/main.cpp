// SPDX-License-Identifier: Apache-2.0
// kasuri_pages FOLDER DESCRIPTION...
//
// Writes manual pages and shell completion below the folder, as share/ of an installation has them.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "pages/document.hpp"

namespace {

namespace pages = kasuri::pages;
namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream to(file);
  to << text;
  to.close();
  if (!to) throw std::runtime_error(file.string() + ": cannot be written");
}

void write_all(const fs::path& share, const pages::document& all) {
  write(share / "man/man1/kasuri.1", pages::manual(all));
  for (const pages::command& each : all.commands)
    write(share / "man/man1" / ("kasuri-" + each.name + ".1"), pages::manual(all, each));
  write(share / "man/man7/kasuri.7", pages::settings_manual(all));
  write(share / "bash-completion/completions/kasuri", pages::bash_completion(all));
  write(share / "zsh/site-functions/_kasuri", pages::zsh_completion(all));
  write(share / "fish/vendor_completions.d/kasuri.fish", pages::fish_completion(all));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: kasuri_pages FOLDER DESCRIPTION...\n", stderr);
    return 2;
  }
  try {
    write_all(argv[1], pages::read_document({argv + 2, argv + argc}));
    return 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "kasuri_pages: %s\n", problem.what());
    return 1;
  }
}
