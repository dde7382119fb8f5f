// SPDX-License-Identifier: Apache-2.0
#include "take_program.hpp"

namespace kasuri::command {

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

}  // namespace kasuri::command
