// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "openmp/row_sums.hpp"

/// A square matrix of square blocks, many of them absent, and the four steps of its LU
/// factorisation without pivoting (Ayguade et al., "A Proposal for Task Parallelism in OpenMP",
/// IWOMP 2007, and the BOTS and KASTORS suites).
namespace bench::openmp {

class block_matrix {
 public:
  static constexpr int block = 32;  ///< rows and columns of a block
  using values = double[block][block];

  explicit block_matrix(int blocks) : n_(blocks), at_(square(blocks)) { fill(); }
  block_matrix(const block_matrix& other) : n_(other.n_), at_(square(n_)) {
    for (std::size_t i = 0; i < at_.size(); ++i) {
      if (other.at_[i]) at_[i] = std::make_unique<content>(*other.at_[i]);
    }
  }
  block_matrix& operator=(const block_matrix& other) {
    block_matrix copy(other);
    n_ = copy.n_;
    at_.swap(copy.at_);
    return *this;
  }

  int blocks() const { return n_; }
  bool has(int i, int j) const { return at_[place(i, j)] != nullptr; }
  values& at(int i, int j) { return at_[place(i, j)]->value; }
  const values& at(int i, int j) const { return at_[place(i, j)]->value; }
  /// Makes an absent block one of zeros.
  values& fill_in(int i, int j) {
    auto& slot = at_[place(i, j)];
    if (!slot) slot = std::make_unique<content>();
    return slot->value;
  }

 private:
  struct content {
    values value{};
  };

  static std::size_t square(int n) {
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  }
  std::size_t place(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(n_) + static_cast<std::size_t>(j);
  }

  /// Three diagonals and a coarse grid of blocks; the diagonal outweighs its row.
  void fill() {
    unsigned state = 1;
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < n_; ++j) {
        const bool present = std::abs(i - j) <= 1 || (i % 3 == 0 && j % 3 == 0) || (i + j) % 7 == 0;
        if (!present) continue;
        values& b = fill_in(i, j);
        for (auto& row : b) {
          for (double& v : row) v = (state = state * 1664525 + 1013904223) / 4294967296.0 - 0.5;
        }
        for (int d = 0; i == j && d < block; ++d) b[d][d] += block * n_;
      }
    }
  }

  int n_;
  std::vector<std::unique_ptr<content>> at_;
};

/// Factorises a block of the diagonal in place.
inline void factorise(block_matrix::values& d) {
  constexpr int n = block_matrix::block;
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) {
      d[i][k] /= d[k][k];
      const double factor = d[i][k];
#pragma omp simd
      for (int j = k + 1; j < n; ++j) d[i][j] -= factor * d[k][j];
    }
  }
}

/// A block right of the diagonal's: by the inverse of its lower part.
inline void solve_lower(const block_matrix::values& d, block_matrix::values& right) {
  constexpr int n = block_matrix::block;
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) {
      const double factor = d[i][k];
#pragma omp simd
      for (int j = 0; j < n; ++j) right[i][j] -= factor * right[k][j];
    }
  }
}

/// A block below the diagonal's: by the inverse of its upper part.
inline void solve_upper(const block_matrix::values& d, block_matrix::values& below) {
  constexpr int n = block_matrix::block;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      below[i][k] /= d[k][k];
      const double factor = below[i][k];
#pragma omp simd
      for (int j = k + 1; j < n; ++j) below[i][j] -= factor * d[k][j];
    }
  }
}

/// A block right and below: less the product of the one in its row and the one in its column.
inline void update(const block_matrix::values& row, const block_matrix::values& column,
                   block_matrix::values& inner) {
  constexpr int n = block_matrix::block;
  for (int i = 0; i < n; ++i) {
    const double* const factor = row[i];
    for (int k = 0; k < n; k += 4) {
      add_rows(inner[i], {-factor[k], -factor[k + 1], -factor[k + 2], -factor[k + 3]},
               {column[k], column[k + 1], column[k + 2], column[k + 3]}, n);
    }
  }
}

}  // namespace bench::openmp
