// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "common/bench.hpp"
#include "openmp/block_matrix.hpp"

/// LU factorisation of a sparse matrix of blocks, checked by A x = L (U x) for a vector x.
namespace bench::sparselu {

using openmp::block_matrix;

/// The factors as the check sees them.
struct view {
  const block_matrix& matrix;
  int blocks() const { return matrix.blocks(); }
  int block() const { return block_matrix::block; }
  bool has(int i, int j) const { return matrix.has(i, j); }
  const double* at(int i, int j) const { return matrix.at(i, j)[0]; }
};

struct problem {
  static constexpr const char* name = "sparselu";
  struct answer {};  ///< the factors stay in the problem

  explicit problem(const arguments& args) : problem(static_cast<int>(args.size_or(48, 12))) {}
  explicit problem(int blocks) : input(blocks), factors(input) {}
  problem rehearsal() const { return problem(std::min(input.blocks(), 8)); }
  void prepare() { factors = input; }

  std::string wrong(const answer&) const {
    return kernels::wrong_factors(view{input}, view{factors});
  }
  std::vector<metric> metrics(double seconds, const answer&) const {
    return {{"time", "s", seconds}};
  }

  block_matrix input;
  block_matrix factors;
};

}  // namespace bench::sparselu
