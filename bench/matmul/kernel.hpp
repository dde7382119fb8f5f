// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// The loops of a leaf: compiled once, the same code at the same place in a cache line for every
// system.
namespace bench::matmul::kernel {

/// Adds to rows [row, row + height) and columns [column, column + width) of C those of A B; n by n,
/// by rows; `block` rows of B at a time.
void multiply(std::size_t n, const double* a, const double* b, double* c, std::size_t row,
              std::size_t column, std::size_t height, std::size_t width, std::size_t block);

}  // namespace bench::matmul::kernel
