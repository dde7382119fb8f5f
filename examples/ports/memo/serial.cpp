// SPDX-License-Identifier: Apache-2.0
// Tables that are filled when they are first asked for.
#include "input.hpp"

int main() {
  std::vector<std::uint32_t> made[tables];
  std::vector<std::uint32_t> answers(queries);
  for (int q = 0; q != queries; ++q) {
    std::vector<std::uint32_t>& table = made[table_of(q)];
    if (table.empty()) {
      table.resize(table_size);
      for (int i = 0; i != table_size; ++i) table[i] = entry(table_of(q), i);
    }
    answers[q] = table[index_of(q)];
  }
  print(answers);
}
