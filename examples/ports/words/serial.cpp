// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

int main() {
  const std::vector<std::string> lines = make_lines();
  counts all;
  for (const std::string& line : lines) count_words(line, all);
  print(all);
}
