// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

/// The inner loop of dense products, written so that both compilers make the same of it: what is
/// compared are their runtimes.
namespace kernels {

/// to[j] += factors[0] * rows[0][j] + ... + factors[3] * rows[3][j] for 0 <= j < n; `to` is none of
/// the rows.
inline void add_rows(double* __restrict to, const std::array<double, 4>& factors,
                     const std::array<const double*, 4>& rows, int n) {
  const auto [f0, f1, f2, f3] = factors;
  const auto [r0, r1, r2, r3] = rows;
  for (int j = 0; j < n; ++j) to[j] += f0 * r0[j] + f1 * r1[j] + f2 * r2[j] + f3 * r3[j];
}

}  // namespace kernels
