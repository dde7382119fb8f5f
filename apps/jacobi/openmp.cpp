// SPDX-License-Identifier: Apache-2.0
// Jacobi's method in OpenMP: worksharing loops, tasks with a wait after each phase, and tasks
// ordered by dependences alone.

#include "apps/common/openmp_system.hpp"
#include "apps/jacobi/problem.hpp"

namespace {

using jacobi::problem;

void by_loop(problem& p) {
  const int n = p.blocks();
#pragma omp parallel
  for (int t = 0; t < p.iterations(); ++t) {
#pragma omp for collapse(2) schedule(static)
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) p.copy(i, j);
    }
#pragma omp for collapse(2) schedule(static)
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) p.estimate(i, j);
    }
  }
}

// Functions of their own make the tasks: inside a lambda a task would share the lambda's copy of
// the reference, which is gone when the task runs.

void task_copy(problem& p, int i, int j) {
  [[maybe_unused]] double* const out = p.u(i, j);
  const int with_affinity = p.affinity() ? 1 : 0;
#pragma omp task firstprivate(i, j) shared(p) affinity(iterator(int k = 0 : with_affinity) : out[k])
  p.copy(i, j);
}

void task_estimate(problem& p, int i, int j) {
  [[maybe_unused]] double* const out = p.unew(i, j);
  const int with_affinity = p.affinity() ? 1 : 0;
#pragma omp task firstprivate(i, j) shared(p) affinity(iterator(int k = 0 : with_affinity) : out[k])
  p.estimate(i, j);
}

void by_tasks(problem& p) {
  for (int t = 0; t < p.iterations(); ++t) {
    p.for_each([&p](int i, int j) { task_copy(p, i, j); });
#pragma omp taskwait
    p.for_each([&p](int i, int j) { task_estimate(p, i, j); });
#pragma omp taskwait
  }
}

void depend_copy(problem& p, int i, int j) {
  [[maybe_unused]] const double* const from = p.unew(i, j);
  [[maybe_unused]] double* const out = p.u(i, j);
  const int with_affinity = p.affinity() ? 1 : 0;
#pragma omp task firstprivate(i, j) shared(p) depend(in : from[0]) depend(out : out[0]) \
    affinity(iterator(int k = 0 : with_affinity) : out[k])
  p.copy(i, j);
}

/// At the border a block stands in for the neighbour that it lacks.
void depend_estimate(problem& p, int i, int j) {
  const int last = p.blocks() - 1;
  [[maybe_unused]] const double* const here = p.u(i, j);
  [[maybe_unused]] const double* const above = p.u(i > 0 ? i - 1 : i, j);
  [[maybe_unused]] const double* const below = p.u(i < last ? i + 1 : i, j);
  [[maybe_unused]] const double* const left = p.u(i, j > 0 ? j - 1 : j);
  [[maybe_unused]] const double* const right = p.u(i, j < last ? j + 1 : j);
  [[maybe_unused]] const double* const f = p.f(i, j);
  [[maybe_unused]] double* const out = p.unew(i, j);
  const int with_affinity = p.affinity() ? 1 : 0;
#pragma omp task firstprivate(i, j) shared(p) depend(out : out[0])    \
    depend(in : f[0], here[0], above[0], below[0], left[0], right[0]) \
    affinity(iterator(int k = 0 : with_affinity) : out[k])
  p.estimate(i, j);
}

void by_dependences(problem& p) {
  for (int t = 0; t < p.iterations(); ++t) {
    p.for_each([&p](int i, int j) { depend_copy(p, i, j); });
    p.for_each([&p](int i, int j) { depend_estimate(p, i, j); });
  }
#pragma omp taskwait
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run<problem>(
      argc, argv, apps::openmp_system(),
      {{"for", by_loop, false}, {"task", by_tasks, true}, {"depend", by_dependences, true}}, true);
}
