// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "apps/kernels/row_sums.hpp"

/// Dense square matrices, row by row, and parts of them.
namespace kernels {

/// A square part of a matrix.
struct square {
  double* data;
  std::size_t stride;  ///< numbers from one row to the next
  int n;

  double* row(int i) const { return data + static_cast<std::size_t>(i) * stride; }
  /// A quarter, by its row and column of quarters.
  square quarter(int i, int j) const {
    const int half = n / 2;
    return {row(i * half) + j * half, stride, half};
  }
};

/// c = a b, as it is defined; n is a multiple of 4.
inline void multiply(const square& a, const square& b, const square& c) {
  for (int i = 0; i < c.n; ++i) {
    std::fill_n(c.row(i), c.n, 0.0);
    const double* const factor = a.row(i);
    for (int k = 0; k < c.n; k += 4) {
      add_rows(c.row(i), {factor[k], factor[k + 1], factor[k + 2], factor[k + 3]},
               {b.row(k), b.row(k + 1), b.row(k + 2), b.row(k + 3)}, c.n);
    }
  }
}

/// to = a + sign * b in one row
inline void add_row(const square& a, const square& b, double sign, const square& to, int i) {
  const double* const x = a.row(i);
  const double* const y = b.row(i);
  double* const sum = to.row(i);
#pragma omp simd
  for (int j = 0; j < to.n; ++j) sum[j] = x[j] + sign * y[j];
}

/// to = a + sign * b; `to` may be one of them
inline void add(const square& a, const square& b, double sign, const square& to) {
  for (int i = 0; i < to.n; ++i) add_row(a, b, sign, to, i);
}

}  // namespace kernels
