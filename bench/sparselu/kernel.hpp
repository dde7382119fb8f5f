// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "openmp/block_matrix.hpp"

// The four steps on blocks: compiled once, the same code at the same place in a cache line for
// every system.
namespace bench::sparselu::kernel {

using values = openmp::block_matrix::values;

void factorise(values& d);
void solve_lower(const values& d, values& right);
void solve_upper(const values& d, values& below);
void update(const values& row, const values& column, values& inner);

}  // namespace bench::sparselu::kernel
