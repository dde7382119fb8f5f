// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "explain.hpp"

namespace kasuri::explain {

std::string kasuri_command() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path own = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* relative : {"kasuri", KASURI_BINDIR_FROM_LIBEXECDIR "/kasuri"}) {
    const fs::path file = fs::weakly_canonical(own / relative, error);
    if (!error && fs::is_regular_file(file, error)) return file.string();
  }
  return "kasuri";
}

std::vector<std::string> take_program(const CLI::App& parser, std::vector<std::string>& words) {
  auto word = words.begin() + 1;
  while (word != words.end() && word->starts_with('-') && *word != "--") {
    const CLI::Option* option = parser.get_option_no_throw(*word);
    const bool value_follows = option != nullptr && option->get_items_expected_max() > 0;
    word += value_follows && words.end() - word > 1 ? 2 : 1;
  }
  const bool separated = word != words.end() && *word == "--";
  std::vector<std::string> program(word + (separated ? 1 : 0), words.end());
  words.erase(word, words.end());
  return program;
}

}  // namespace kasuri::explain
