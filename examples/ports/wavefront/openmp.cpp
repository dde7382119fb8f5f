// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

int main() {
  edit_table table;
  // Graph:
  char ended[blocks + 1][blocks + 1] = {};  // addresses for the clauses, never read
#pragma omp parallel
#pragma omp single
  for (int i = 0; i != blocks; ++i)
    for (int j = 0; j != blocks; ++j) {
#pragma omp task depend(in : ended[i][j + 1], ended[i + 1][j]) depend(out : ended[i + 1][j + 1])
      table.fill(i, j);
    }
  // end
  static_cast<void>(ended);
  table.print();
}
