// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/program.hpp"

/// Poisson's equation -(u_xx + u_yy) = f on the unit square by Jacobi's method, as KASTORS has it
/// (Virouleau et al., "Evaluation of OpenMP Dependent Tasks with the KASTORS Benchmark Suite",
/// IWOMP 2014): each iteration copies the estimate, and computes the next one from the copy, both
/// block by block. Its solution is sin(pi x y).
namespace jacobi {

/// A square of numbers, row by row, in pages of its own.
class field {
 public:
  field(int n, const apps::setting& where)
      : n_(n),
        pages_(where.array(static_cast<std::size_t>(n) * row_bytes())),
        data_(pages_.as<double>()) {}
  double* row(int i) { return data_ + static_cast<std::size_t>(i) * static_cast<std::size_t>(n_); }
  const double* row(int i) const {
    return data_ + static_cast<std::size_t>(i) * static_cast<std::size_t>(n_);
  }
  std::size_t row_bytes() const { return static_cast<std::size_t>(n_) * sizeof(double); }

 private:
  int n_;
  apps::memory pages_;
  double* data_;
};

enum kind { copying, estimating };

class problem {
 public:
  static constexpr const char* name = "jacobi";
  static constexpr bool whole_arrays = true;
  /// 1-D blocks of rows over the nodes; rows of blocks in turn; who touches first: a shared loop,
  /// tasks (as KASTORS fills its arrays) or one thread.
  static std::vector<std::string> distributions() {
    return {"blocked", "cyclic", "first-touch", "tasks", "serial"};
  }
  static std::vector<std::string> kinds() { return {"copy", "estimate"}; }

  struct options {
    int size = 2048;
    int block = 256;
    int iterations = 10;
    static constexpr int most_blocks = 8192;  ///< in a row

    void declare(apps::arguments& all) {
      all.number("--size", size, 2, 65536, "rows and columns, those of the border included");
      all.number("--block", block, 1, 65536, "rows and columns of a block; divides the size");
      all.number("--iterations", iterations, 0, 1000000, "iterations");
    }
    std::string wrong() const {
      if (size % block == 0 && size / block <= most_blocks) return "";
      return "--block=" + std::to_string(block) + ": accepted: a divisor of the size " +
             std::to_string(size) + ", of which it is no less than 1/" +
             std::to_string(most_blocks);
    }
  };

  problem(const options& chosen, const apps::setting& where)
      : chosen_(chosen),
        where_(where),
        u_(chosen.size, where),
        unew_(chosen.size, where),
        f_(chosen.size, where) {
    for (field* each : {&u_, &unew_, &f_}) place(*each);
    where_.touch(blocks(), [this](int i) { fill(u_, unew_, f_, i); });
  }

  std::string describe() const {
    const std::string n = std::to_string(chosen_.size);
    return n + " x " + n + ", blocks of " + std::to_string(chosen_.block) + ", " +
           std::to_string(chosen_.iterations) + " iterations";
  }
  std::size_t most_tasks() const {
    const auto n = static_cast<std::size_t>(blocks());
    return 2 * n * n * static_cast<std::size_t>(chosen_.iterations);
  }

  int blocks() const { return chosen_.size / chosen_.block; }
  int iterations() const { return chosen_.iterations; }
  bool affinity() const { return where_.affinity; }
  /// First cell of a block, which stands for it in dependences.
  double* u(int i, int j) { return cell(u_, i, j); }
  double* unew(int i, int j) { return cell(unew_, i, j); }
  double* f(int i, int j) { return cell(f_, i, j); }

  /// The task that copies a block of the estimate.
  void copy(int i, int j) {
    log.note(copying, block_of(u_, i, j));
    copy_block(u_, unew_, i, j);
  }
  /// The task that computes a block of the next estimate.
  void estimate(int i, int j) {
    log.note(estimating, block_of(unew_, i, j));
    estimate_block(u_, unew_, f_, i, j);
  }

  /// Bit for bit, since no value depends on the order of blocks.
  std::string wrong() {
    field u(chosen_.size, where_);
    field expected(chosen_.size, where_);
    field right(chosen_.size, where_);
    for (int i = 0; i < blocks(); ++i) fill(u, expected, right, i);
    for (int t = 0; t < chosen_.iterations; ++t) {
      for_each([&](int i, int j) { copy_block(u, expected, i, j); });
      for_each([&](int i, int j) { estimate_block(u, expected, right, i, j); });
    }
    for (int r = 0; r < chosen_.size; ++r) {
      if (std::memcmp(expected.row(r), unew_.row(r), unew_.row_bytes()) != 0) {
        return "row " + std::to_string(r) + " differs from the serial one";
      }
    }
    std::printf("off the exact solution by %.6g (root mean square)\n", off());
    return "";
  }

  /// g(i, j) for all blocks, row by row.
  template <class G>
  void for_each(const G& g) const {
    for (int i = 0; i < blocks(); ++i) {
      for (int j = 0; j < blocks(); ++j) g(i, j);
    }
  }

  apps::task_log log;

 private:
  double step() const { return 1.0 / (chosen_.size - 1); }
  static double solution(double x, double y) { return std::sin(std::numbers::pi * x * y); }

  double* cell(field& a, int i, int j) const {
    return a.row(i * chosen_.block) + j * chosen_.block;
  }
  apps::output block_of(field& a, int i, int j) const {
    const auto bytes = static_cast<std::size_t>(chosen_.block) * sizeof(double);
    return {cell(a, i, j), chosen_.block, bytes, a.row_bytes()};
  }

  void place(field& a) const {
    const std::size_t bytes = static_cast<std::size_t>(chosen_.block) * a.row_bytes();
    for (int i = 0; i < blocks(); ++i) {
      const double* const first = a.row(i * chosen_.block);
      if (where_.distribution == "blocked") {
        apps::place(first, bytes, apps::blocked_node(where_.nodes, i, blocks()));
      } else if (where_.distribution == "cyclic") {
        apps::place(first, bytes, apps::cyclic_node(where_.nodes, i, 1));
      }
    }
  }

  bool is_border(int i) const { return i == 0 || i == chosen_.size - 1; }

  /// A row of blocks of all three: f holds the values of the border, and where the right side is
  /// zero the first estimate is.
  void fill(field& u, field& unew, field& f, int block_row) const {
    constexpr double pi = std::numbers::pi;
    for (int i = block_row * chosen_.block; i < (block_row + 1) * chosen_.block; ++i) {
      for (int j = 0; j < chosen_.size; ++j) {
        const double x = i * step();
        const double y = j * step();
        const bool border = is_border(i) || is_border(j);
        const double value = solution(x, y);
        f.row(i)[j] = border ? value : pi * pi * (x * x + y * y) * value;
        unew.row(i)[j] = border ? value : 0;
        u.row(i)[j] = 0;
      }
    }
  }

  void copy_block(field& to, const field& from, int i, int j) const {
    const auto bytes = static_cast<std::size_t>(chosen_.block) * sizeof(double);
    for (int r = i * chosen_.block; r < (i + 1) * chosen_.block; ++r) {
      std::memcpy(to.row(r) + j * chosen_.block, from.row(r) + j * chosen_.block, bytes);
    }
  }

  void estimate_block(const field& u, field& to, const field& f, int i, int j) const {
    const int first = std::max(j * chosen_.block, 1);
    const int last = std::min((j + 1) * chosen_.block, chosen_.size - 1);
    const double area = step() * step();
    for (int r = i * chosen_.block; r < (i + 1) * chosen_.block; ++r) {
      if (is_border(r)) continue;  // keeps its values
      const double* const above = u.row(r - 1);
      const double* const here = u.row(r);
      const double* const below = u.row(r + 1);
      const double* const right = f.row(r);
      double* const out = to.row(r);
#pragma omp simd
      for (int c = first; c < last; ++c) {
        out[c] = 0.25 * (above[c] + below[c] + here[c - 1] + here[c + 1] + area * right[c]);
      }
    }
  }

  /// Root mean square of what the estimate is off.
  double off() const {
    double sum = 0;
    for (int i = 0; i < chosen_.size; ++i) {
      for (int j = 0; j < chosen_.size; ++j) {
        const double error = unew_.row(i)[j] - solution(i * step(), j * step());
        sum += error * error;
      }
    }
    return std::sqrt(sum) / chosen_.size;
  }

  options chosen_;
  apps::setting where_;
  field u_;
  field unew_;
  field f_;
};

}  // namespace jacobi
