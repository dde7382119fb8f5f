// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "apps/kernels/lu.hpp"

/// A square matrix of square blocks, many of them absent, and the four steps of its LU
/// factorisation.
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

/// The steps, for blocks of a size that the compiler knows.
inline constexpr std::integral_constant<int, block_matrix::block> block_size;

inline void factorise(block_matrix::values& d) { kernels::factorise(d[0], block_size); }
inline void solve_lower(const block_matrix::values& d, block_matrix::values& right) {
  kernels::solve_lower(d[0], right[0], block_size);
}
inline void solve_upper(const block_matrix::values& d, block_matrix::values& below) {
  kernels::solve_upper(d[0], below[0], block_size);
}
inline void update(const block_matrix::values& row, const block_matrix::values& column,
                   block_matrix::values& inner) {
  kernels::update(row[0], column[0], inner[0], block_size);
}

}  // namespace bench::openmp
