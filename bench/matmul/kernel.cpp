// SPDX-License-Identifier: Apache-2.0
#include "matmul/kernel.hpp"

#include <algorithm>

namespace bench::matmul::kernel {

// The innermost loop runs along rows of B and C.
void multiply(std::size_t n, const double* a, const double* b, double* c, std::size_t row,
              std::size_t column, std::size_t height, std::size_t width, std::size_t block) {
  for (std::size_t k0 = 0; k0 < n; k0 += block) {
    const std::size_t k1 = std::min(n, k0 + block);
    for (std::size_t i = row; i < row + height; ++i) {
      double* const out = &c[i * n + column];
      for (std::size_t k = k0; k < k1; ++k) {
        const double factor = a[i * n + k];
        const double* const in = &b[k * n + column];
        for (std::size_t j = 0; j < width; ++j) out[j] += factor * in[j];
      }
    }
  }
}

}  // namespace bench::matmul::kernel
