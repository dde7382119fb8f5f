// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>

#include <utility>

#include "input.hpp"

int main() {
  const std::vector<std::string> lines = make_lines();
  // Count:
  using indices = kasuri::blocked_range<std::size_t>;
  const counts all = kasuri::parallel_reduce(
      indices(0, lines.size()), counts{},
      [&](const indices& part, counts mine) {  // fold
        for (std::size_t i = part.begin(); i != part.end(); ++i) count_words(lines[i], mine);
        return mine;
      },
      [](counts left, const counts& right) {  // reduce
        for (const auto& [word, count] : right) left[word] += count;
        return left;
      });
  // end
  print(all);
}
