// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "apps/common/placement.hpp"

namespace sparselu {

/// A square matrix of square blocks, many of them absent; each block has pages of its own. Which
/// are there at first is BOTS's rule (Duran et al., "Barcelona OpenMP Tasks Suite", ICPP 2009):
/// columns of even index hold most of them.
class block_matrix {
 public:
  /// Where the pages of a new block shall lie; by default where it is touched first.
  using placing = std::function<void(const double* block, std::size_t bytes, int column)>;

  block_matrix(int blocks, int block, placing place)
      : blocks_(blocks),
        block_(block),
        place_(std::move(place)),
        at_(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(blocks)) {}

  int blocks() const { return blocks_; }
  int block() const { return block_; }
  std::size_t bytes() const {
    return static_cast<std::size_t>(block_) * static_cast<std::size_t>(block_) * sizeof(double);
  }
  bool has(int i, int j) const { return static_cast<bool>(at_[place(i, j)]); }
  double* at(int i, int j) const { return at_[place(i, j)].as<double>(); }

  /// Makes an absent block one of zeros, which nobody has touched.
  double* fill_in(int i, int j) {
    apps::memory& slot = at_[place(i, j)];
    if (!slot) {
      slot = apps::memory(bytes());
      if (place_) place_(slot.as<double>(), bytes(), j);
    }
    return slot.as<double>();
  }

  /// The blocks of the problem in one column. The diagonal outweighs its row.
  void fill_column(int j) {
    for (int i = 0; i < blocks_; ++i) {
      if (!is_given(i, j)) continue;
      double* const values = fill_in(i, j);
      auto state = static_cast<std::uint32_t>(i * blocks_ + j + 1);
      const int count = block_ * block_;
      for (int k = 0; k < count; ++k) {
        values[k] = (state = state * 1664525 + 1013904223) / 4294967296.0 - 0.5;
      }
      for (int d = 0; i == j && d < block_; ++d) values[d * block_ + d] += block_ * blocks_;
    }
  }

  bool equals(const block_matrix& other) const {
    for (int i = 0; i < blocks_; ++i) {
      for (int j = 0; j < blocks_; ++j) {
        if (has(i, j) != other.has(i, j)) return false;
        if (has(i, j) && std::memcmp(at(i, j), other.at(i, j), bytes()) != 0) return false;
      }
    }
    return true;
  }

  static bool is_given(int i, int j) {
    if (i - j <= 1 && j - i <= 1) return true;
    if (i % 2 == 1 || j % 2 == 1) return false;
    return i < j ? i % 3 == 0 : j % 3 == 0;
  }

 private:
  std::size_t place(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(blocks_) +
           static_cast<std::size_t>(j);
  }

  int blocks_;
  int block_;
  placing place_;
  std::vector<apps::memory> at_;
};

}  // namespace sparselu
