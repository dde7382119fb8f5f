// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "common/bench.hpp"
#include "matmul/kernel.hpp"

/// C = A B for square matrices of doubles, blocked: a rectangle of C is halved along its longer
/// side until a block is left, and the halves are tasks.
namespace bench::matmul {

inline constexpr std::size_t block = 64;

struct rectangle {
  std::size_t row;
  std::size_t column;
  std::size_t height;
  std::size_t width;

  bool is_block() const { return height <= block && width <= block; }

  /// Two halves along the longer side, cut at a multiple of the block.
  std::pair<rectangle, rectangle> halves() const {
    const std::size_t longer = std::max(height, width);
    const std::size_t cut = (longer / 2 + block - 1) / block * block;
    if (height == longer) {
      return {{row, column, cut, width}, {row + cut, column, height - cut, width}};
    }
    return {{row, column, height, cut}, {row, column + cut, height, width - cut}};
  }
};

struct problem {
  static constexpr const char* name = "matmul";
  struct answer {};  ///< the product stays in the problem

  explicit problem(const arguments& args)
      : problem(static_cast<std::size_t>(args.size_or(1024, 256))) {}
  explicit problem(std::size_t size) : n(size), a(n * n), b(n * n), c(n * n) {
    for (std::size_t i = 0; i < n * n; ++i) {
      a[i] = static_cast<double>(i * 7 % 11) - 5;
      b[i] = static_cast<double>(i * 5 % 13) - 6;
    }
  }

  problem rehearsal() const { return problem(std::min<std::size_t>(n, 128)); }
  void prepare() { std::fill(c.begin(), c.end(), 0.0); }

  /// C x = A (B x) for a fixed x; whole numbers, so that no rounding is to be forgiven.
  std::string wrong(const answer&) const {
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<double>(i % 5) + 1;
    return times(c, x) == times(a, times(b, x)) ? "" : "the product is not A B";
  }
  std::vector<metric> metrics(double seconds, const answer&) const {
    const double operations = 2.0 * std::pow(static_cast<double>(n), 3);
    return {{"time", "s", seconds}, {"rate", "GFLOP/s", operations / seconds * 1e-9}};
  }

  rectangle whole() const { return {0, 0, n, n}; }

  /// One block of C.
  void multiply_block(const rectangle& r) {
    kernel::multiply(n, a.data(), b.data(), c.data(), r.row, r.column, r.height, r.width, block);
  }

  std::size_t n;
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> c;

 private:
  std::vector<double> times(const std::vector<double>& matrix, const std::vector<double>& x) const {
    std::vector<double> result(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) result[i] += matrix[i * n + j] * x[j];
    }
    return result;
  }
};

}  // namespace bench::matmul
