// SPDX-License-Identifier: Apache-2.0
// LU factorisation of a sparse matrix of blocks: worksharing loops, tasks with a taskwait between
// the steps, and tasks ordered by dependences alone.

#include <algorithm>

#include "openmp/block_matrix.hpp"
#include "openmp/runtime.hpp"
#include "sparselu/problem.hpp"

namespace {

using namespace bench;
using openmp::block_matrix;

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

struct problem : bench::sparselu::problem {
  static constexpr const char* name = "openmp-sparselu";

  using bench::sparselu::problem::problem;
  problem rehearsal() const { return problem(std::min(input.blocks(), 8)); }
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
