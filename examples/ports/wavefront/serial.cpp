// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

int main() {
  edit_table table;
  for (int i = 0; i != blocks; ++i)
    for (int j = 0; j != blocks; ++j) table.fill(i, j);
  table.print();
}
