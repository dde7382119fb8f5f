// SPDX-License-Identifier: Apache-2.0
#include "sparselu/kernel.hpp"

namespace bench::sparselu::kernel {

void factorise(values& d) { openmp::factorise(d); }
void solve_lower(const values& d, values& right) { openmp::solve_lower(d, right); }
void solve_upper(const values& d, values& below) { openmp::solve_upper(d, below); }
void update(const values& row, const values& column, values& inner) {
  openmp::update(row, column, inner);
}

}  // namespace bench::sparselu::kernel
