// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "apps/kernels/row_sums.hpp"

/// The four steps of the LU factorisation without pivoting of a matrix of square blocks (Ayguade et
/// al., "A Proposal for Task Parallelism in OpenMP", IWOMP 2007, and the BOTS and KASTORS suites).
///
/// A block has n rows of n numbers, n a multiple of 4, row by row. `Size` is int, or an integral
/// constant where the compiler shall know n.
namespace kernels {

/// Factorises a block of the diagonal in place.
template <class Size>
void factorise(double* d, Size size) {
  const int n = size;
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) {
      d[i * n + k] /= d[k * n + k];
      const double factor = d[i * n + k];
#pragma omp simd
      for (int j = k + 1; j < n; ++j) d[i * n + j] -= factor * d[k * n + j];
    }
  }
}

/// A block right of the diagonal's: by the inverse of its lower part.
template <class Size>
void solve_lower(const double* d, double* right, Size size) {
  const int n = size;
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) {
      const double factor = d[i * n + k];
#pragma omp simd
      for (int j = 0; j < n; ++j) right[i * n + j] -= factor * right[k * n + j];
    }
  }
}

/// A block below the diagonal's: by the inverse of its upper part.
template <class Size>
void solve_upper(const double* d, double* below, Size size) {
  const int n = size;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      below[i * n + k] /= d[k * n + k];
      const double factor = below[i * n + k];
#pragma omp simd
      for (int j = k + 1; j < n; ++j) below[i * n + j] -= factor * d[k * n + j];
    }
  }
}

/// A block right and below: less the product of the one in its row and the one in its column.
template <class Size>
void update(const double* row, const double* column, double* inner, Size size) {
  const int n = size;
  for (int i = 0; i < n; ++i) {
    const double* const factor = row + i * n;
    for (int k = 0; k < n; k += 4) {
      const double* const from = column + k * n;
      add_rows(inner + i * n, {-factor[k], -factor[k + 1], -factor[k + 2], -factor[k + 3]},
               {from, from + n, from + 2 * n, from + 3 * n}, n);
    }
  }
}

// What follows checks factors. A matrix has blocks() of them in a row, each of block() rows, and
// has(i, j) and at(i, j).

namespace detail {

/// Calls f(block, x of its columns, y of its rows, i, j) for each block there is.
template <class Matrix, class F>
std::vector<double> by_blocks(const Matrix& a, const std::vector<double>& x, const F& f) {
  std::vector<double> y(x.size());
  const auto block = static_cast<std::size_t>(a.block());
  for (int i = 0; i < a.blocks(); ++i) {
    for (int j = 0; j < a.blocks(); ++j) {
      if (a.has(i, j)) {
        f(a.at(i, j), &x[static_cast<std::size_t>(j) * block],
          &y[static_cast<std::size_t>(i) * block], i, j);
      }
    }
  }
  return y;
}

template <class Matrix>
std::vector<double> product(const Matrix& a, const std::vector<double>& x) {
  const int n = a.block();
  return by_blocks(a, x, [n](const double* b, const double* from, double* to, int, int) {
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) to[r] += b[r * n + c] * from[c];
    }
  });
}

/// By the upper or the lower (unit) triangular factor.
template <class Matrix>
std::vector<double> triangle_product(const Matrix& lu, bool upper, const std::vector<double>& x) {
  const int n = lu.block();
  return by_blocks(lu, x, [=](const double* b, const double* from, double* to, int i, int j) {
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) {
        const int row = i * n + r;
        const int column = j * n + c;
        if (upper ? row <= column : row > column) to[r] += b[r * n + c] * from[c];
      }
      if (!upper && i == j) to[r] += from[r];
    }
  });
}

}  // namespace detail

/// Whether L (U x) = A x for a vector x; empty, or what is wrong.
template <class Matrix>
std::string wrong_factors(const Matrix& a, const Matrix& lu) {
  std::vector<double> x(static_cast<std::size_t>(a.blocks()) * static_cast<std::size_t>(a.block()));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + static_cast<double>(i % 7);
  const std::vector<double> expected = detail::product(a, x);
  const std::vector<double> found =
      detail::triangle_product(lu, false, detail::triangle_product(lu, true, x));
  double error = 0;
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error = std::max(error, std::abs(found[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  if (error <= 1e-10 * largest) return "";
  return "the product of the factors is off by " + std::to_string(error / largest);
}

}  // namespace kernels
