// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/bench.hpp"
#include "openmp/block_matrix.hpp"

/// LU factorisation of a sparse matrix of blocks, checked by A x = L (U x) for a vector x.
namespace bench::sparselu {

using openmp::block_matrix;
inline constexpr int block = block_matrix::block;
using column = std::vector<double>;

namespace detail {

inline void add_product(const block_matrix::values& a, const double* x, double* y) {
  for (int i = 0; i < block; ++i) {
    for (int j = 0; j < block; ++j) y[i] += a[i][j] * x[j];
  }
}

inline column product(const block_matrix& a, const column& x) {
  column y(x.size());
  for (int i = 0; i < a.blocks(); ++i) {
    for (int j = 0; j < a.blocks(); ++j) {
      if (a.has(i, j)) add_product(a.at(i, j), &x[static_cast<std::size_t>(j) * block],
                                   &y[static_cast<std::size_t>(i) * block]);
    }
  }
  return y;
}

/// The part of a block that belongs to the upper or the lower (unit) triangular factor.
inline void add_triangle(const block_matrix& lu, bool upper, int i, int j, const double* x,
                         double* y) {
  for (int r = 0; r < block; ++r) {
    for (int c = 0; c < block; ++c) {
      const int row = i * block + r;
      const int col = j * block + c;
      if (upper ? row <= col : row > col) y[r] += lu.at(i, j)[r][c] * x[c];
    }
    if (!upper && i == j) y[r] += x[r];
  }
}

inline column triangle_product(const block_matrix& lu, bool upper, const column& x) {
  column y(x.size());
  for (int i = 0; i < lu.blocks(); ++i) {
    for (int j = 0; j < lu.blocks(); ++j) {
      if (lu.has(i, j)) add_triangle(lu, upper, i, j, &x[static_cast<std::size_t>(j) * block],
                                     &y[static_cast<std::size_t>(i) * block]);
    }
  }
  return y;
}

}  // namespace detail

struct problem {
  static constexpr const char* name = "sparselu";
  struct answer {};  ///< the factors stay in the problem

  explicit problem(const arguments& args) : problem(static_cast<int>(args.size_or(48, 12))) {}
  explicit problem(int blocks) : input(blocks), factors(input) {}
  problem rehearsal() const { return problem(std::min(input.blocks(), 8)); }
  void prepare() { factors = input; }

  std::string wrong(const answer&) const {
    column x(static_cast<std::size_t>(input.blocks()) * block);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + static_cast<double>(i % 7);
    const column expected = detail::product(input, x);
    const column upper = detail::triangle_product(factors, true, x);
    const column found = detail::triangle_product(factors, false, upper);
    double error = 0;
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      error = std::max(error, std::abs(found[i] - expected[i]));
      largest = std::max(largest, std::abs(expected[i]));
    }
    return error <= 1e-10 * largest ? "" : "the product of the factors is off by " +
                                               std::to_string(error / largest);
  }
  std::vector<metric> metrics(double seconds, const answer&) const {
    return {{"time", "s", seconds}};
  }

  block_matrix input;
  block_matrix factors;
};

}  // namespace bench::sparselu
