// SPDX-License-Identifier: Apache-2.0
// The sparse LU factorisation in OpenMP: worksharing loops, tasks with a taskwait between the
// steps, and tasks ordered by dependences alone.

#include "apps/common/openmp_system.hpp"
#include "apps/sparselu/problem.hpp"

namespace {

using sparselu::problem;

void by_loops(problem& p) {
  const int n = p.blocks();
#pragma omp parallel
  for (int k = 0; k < n; ++k) {
#pragma omp single
    p.factorise(k);
#pragma omp for schedule(dynamic) nowait
    for (int j = k + 1; j < n; ++j) {
      if (p.has(k, j)) p.solve_lower(k, j);
    }
#pragma omp for schedule(dynamic)
    for (int i = k + 1; i < n; ++i) {
      if (p.has(i, k)) p.solve_upper(i, k);
    }
#pragma omp for schedule(dynamic)
    for (int i = k + 1; i < n; ++i) {
      for (int j = k + 1; j < n && p.has(i, k); ++j) {
        if (p.has(k, j)) p.update(i, j, k);
      }
    }
  }
}

void solve_by_tasks(problem& p, int k, int other) {
  const int with_affinity = p.affinity() ? 1 : 0;
  if (p.has(k, other)) {
    [[maybe_unused]] double* const out = p.at(k, other);
#pragma omp task firstprivate(other, k) shared(p) \
    affinity(iterator(int one = 0 : with_affinity) : out[one])
    p.solve_lower(k, other);
  }
  if (p.has(other, k)) {
    [[maybe_unused]] double* const out = p.at(other, k);
#pragma omp task firstprivate(other, k) shared(p) \
    affinity(iterator(int one = 0 : with_affinity) : out[one])
    p.solve_upper(other, k);
  }
}

/// The task allocates a block that is filled in, unless the affinity clause must name it before.
void update_by_tasks(problem& p, int k) {
  for (int i = k + 1; i < p.blocks(); ++i) {
    for (int j = k + 1; j < p.blocks() && p.has(i, k); ++j) {
      if (!p.has(k, j)) continue;
      if (p.affinity()) {
        [[maybe_unused]] double* const out = p.fill_in(i, j);
#pragma omp task firstprivate(i, j, k) shared(p) affinity(out[0])
        p.update(i, j, k);
      } else {
#pragma omp task firstprivate(i, j, k) shared(p)
        p.update(i, j, k);
      }
    }
  }
}

void by_tasks(problem& p) {
  for (int k = 0; k < p.blocks(); ++k) {
    p.factorise(k);
    for (int other = k + 1; other < p.blocks(); ++other) solve_by_tasks(p, k, other);
#pragma omp taskwait
    update_by_tasks(p, k);
#pragma omp taskwait
  }
}

/// The first element of a block stands for it.
void depend_solve(problem& p, int k, int other) {
  [[maybe_unused]] const double* const diagonal = p.at(k, k);
  const int with_affinity = p.affinity() ? 1 : 0;
  if (p.has(k, other)) {
    [[maybe_unused]] double* const right = p.at(k, other);
#pragma omp task firstprivate(other, k) shared(p) depend(in : diagonal[0]) \
    depend(inout : right[0]) affinity(iterator(int one = 0 : with_affinity) : right[one])
    p.solve_lower(k, other);
  }
  if (p.has(other, k)) {
    [[maybe_unused]] double* const below = p.at(other, k);
#pragma omp task firstprivate(other, k) shared(p) depend(in : diagonal[0]) \
    depend(inout : below[0]) affinity(iterator(int one = 0 : with_affinity) : below[one])
    p.solve_upper(other, k);
  }
}

/// A block that is filled in must have its place when the task is made, for the runtime to know it.
void depend_update(problem& p, int i, int j, int k) {
  [[maybe_unused]] const double* const row = p.at(i, k);
  [[maybe_unused]] const double* const column = p.at(k, j);
  [[maybe_unused]] double* const inner = p.fill_in(i, j);
  const int with_affinity = p.affinity() ? 1 : 0;
#pragma omp task firstprivate(i, j, k) shared(p) depend(in : row[0], column[0]) \
    depend(inout : inner[0]) affinity(iterator(int one = 0 : with_affinity) : inner[one])
  p.update(i, j, k);
}

void by_dependences(problem& p) {
  const int n = p.blocks();
  for (int k = 0; k < n; ++k) {
    [[maybe_unused]] double* const diagonal = p.at(k, k);
    const int with_affinity = p.affinity() ? 1 : 0;
#pragma omp task firstprivate(k) shared(p) depend(inout : diagonal[0]) \
    affinity(iterator(int one = 0 : with_affinity) : diagonal[one])
    p.factorise(k);
    for (int other = k + 1; other < n; ++other) depend_solve(p, k, other);
    for (int i = k + 1; i < n; ++i) {
      for (int j = k + 1; j < n && p.has(i, k); ++j) {
        if (p.has(k, j)) depend_update(p, i, j, k);
      }
    }
  }
#pragma omp taskwait
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run<problem>(
      argc, argv, apps::openmp_system(),
      {{"for", by_loops, false}, {"task", by_tasks, true}, {"depend", by_dependences, true}}, true);
}
