// SPDX-License-Identifier: Apache-2.0
// LU factorisation of a sparse matrix of blocks: worksharing loops, tasks with a taskwait between
// the steps, and tasks ordered by dependences alone. Checked by A x = L (U x) for a vector x.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "openmp/block_matrix.hpp"
#include "openmp/resized.hpp"
#include "openmp/runtime.hpp"

namespace {

using namespace bench;
using openmp::block_matrix;
constexpr int block = block_matrix::block;
using column = std::vector<double>;

void add_product(const block_matrix::values& a, const double* x, double* y) {
  for (int i = 0; i < block; ++i) {
    for (int j = 0; j < block; ++j) y[i] += a[i][j] * x[j];
  }
}

column product(const block_matrix& a, const column& x) {
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
void add_triangle(const block_matrix& lu, bool upper, int i, int j, const double* x, double* y) {
  for (int r = 0; r < block; ++r) {
    for (int c = 0; c < block; ++c) {
      const int row = i * block + r;
      const int col = j * block + c;
      if (upper ? row <= col : row > col) y[r] += lu.at(i, j)[r][c] * x[c];
    }
    if (!upper && i == j) y[r] += x[r];
  }
}

column triangle_product(const block_matrix& lu, bool upper, const column& x) {
  column y(x.size());
  for (int i = 0; i < lu.blocks(); ++i) {
    for (int j = 0; j < lu.blocks(); ++j) {
      if (lu.has(i, j)) add_triangle(lu, upper, i, j, &x[static_cast<std::size_t>(j) * block],
                                     &y[static_cast<std::size_t>(i) * block]);
    }
  }
  return y;
}

void by_loops(block_matrix& a) {
  const int n = a.blocks();
#pragma omp parallel
  for (int k = 0; k < n; ++k) {
#pragma omp single
    openmp::factorise(a.at(k, k));
#pragma omp for schedule(dynamic) nowait
    for (int j = k + 1; j < n; ++j) {
      if (a.has(k, j)) openmp::solve_lower(a.at(k, k), a.at(k, j));
    }
#pragma omp for schedule(dynamic)
    for (int i = k + 1; i < n; ++i) {
      if (a.has(i, k)) openmp::solve_upper(a.at(k, k), a.at(i, k));
    }
#pragma omp for schedule(dynamic)
    for (int i = k + 1; i < n; ++i) {
      for (int j = k + 1; j < n && a.has(i, k); ++j) {
        if (a.has(k, j)) openmp::update(a.at(i, k), a.at(k, j), a.fill_in(i, j));
      }
    }
  }
}

void update_by_tasks(block_matrix& a, int k) {
  for (int i = k + 1; i < a.blocks(); ++i) {
    for (int j = k + 1; j < a.blocks() && a.has(i, k); ++j) {
      if (!a.has(k, j)) continue;
#pragma omp task firstprivate(i, j, k) shared(a)
      openmp::update(a.at(i, k), a.at(k, j), a.fill_in(i, j));
    }
  }
}

void by_tasks(block_matrix& a) {
  const int n = a.blocks();
  for (int k = 0; k < n; ++k) {
    openmp::factorise(a.at(k, k));
    for (int other = k + 1; other < n; ++other) {
      if (a.has(k, other)) {
#pragma omp task firstprivate(other, k) shared(a)
        openmp::solve_lower(a.at(k, k), a.at(k, other));
      }
      if (a.has(other, k)) {
#pragma omp task firstprivate(other, k) shared(a)
        openmp::solve_upper(a.at(k, k), a.at(other, k));
      }
    }
#pragma omp taskwait
    update_by_tasks(a, k);
#pragma omp taskwait
  }
}

/// The first element of a block stands for it.
void update_by_dependences(block_matrix& a, int k) {
  for (int i = k + 1; i < a.blocks(); ++i) {
    for (int j = k + 1; j < a.blocks() && a.has(i, k); ++j) {
      if (!a.has(k, j)) continue;
      auto* const row = &a.at(i, k);
      auto* const col = &a.at(k, j);
      auto* const inner = &a.fill_in(i, j);  // known to the producer before the task runs
#pragma omp task depend(in : row[0][0][0], col[0][0][0]) depend(inout : inner[0][0][0])
      openmp::update(*row, *col, *inner);
    }
  }
}

void by_dependences(block_matrix& a) {
  for (int k = 0; k < a.blocks(); ++k) {
    auto* const diagonal = &a.at(k, k);
#pragma omp task depend(inout : diagonal[0][0][0])
    openmp::factorise(*diagonal);
    for (int other = k + 1; other < a.blocks(); ++other) {
      if (a.has(k, other)) {
        auto* const right = &a.at(k, other);
#pragma omp task depend(in : diagonal[0][0][0]) depend(inout : right[0][0][0])
        openmp::solve_lower(*diagonal, *right);
      }
      if (a.has(other, k)) {
        auto* const below = &a.at(other, k);
#pragma omp task depend(in : diagonal[0][0][0]) depend(inout : below[0][0][0])
        openmp::solve_upper(*diagonal, *below);
      }
    }
    update_by_dependences(a, k);
  }
#pragma omp taskwait
}

struct problem {
  static constexpr const char* name = "openmp-sparselu";
  struct answer {};

  explicit problem(const arguments& args) : problem(static_cast<int>(args.size_or(48, 12))) {}
  explicit problem(int blocks) : input(blocks), factors(input) {}
  problem rehearsal() const { return problem(std::min(input.blocks(), 8)); }
  void prepare() { factors = input; }

  std::string wrong(const answer&) const {
    column x(static_cast<std::size_t>(input.blocks()) * block);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + static_cast<double>(i % 7);
    const column expected = product(input, x);
    const column found = triangle_product(factors, false, triangle_product(factors, true, x));
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
    return openmp::only_time(seconds);
  }

  block_matrix input;
  block_matrix factors;
};

problem::answer in_tasks(problem& p, void (*factorise)(block_matrix&)) {
  return openmp::in_single([&] {
    factorise(p.factors);
    return problem::answer{};
  });
}

}  // namespace

int main(int argc, char** argv) {
  return openmp::run<problem>(argc, argv,
                              {{"for",
                                [](problem& p) {
                                  by_loops(p.factors);
                                  return problem::answer{};
                                }},
                               {"task", [](problem& p) { return in_tasks(p, by_tasks); }},
                               {"depend", [](problem& p) { return in_tasks(p, by_dependences); }}});
}
