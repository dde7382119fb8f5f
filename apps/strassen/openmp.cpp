// SPDX-License-Identifier: Apache-2.0
// Strassen's product in OpenMP: the seven products of the first level shared out by a loop, a task
// each at every level, and tasks for sums, products and results ordered by dependences.

#include "apps/common/openmp_system.hpp"
#include "apps/strassen/problem.hpp"

namespace {

using namespace strassen;

void by_loop(problem& p) {
  const node all = p.root();
  if (!p.forks(all)) return serial(all.a, all.b, all.c, p.leaf());
  const temporaries t(all.c.n / 2);
  const auto quarters = sums(all.a, all.b, t);
  const auto seven = products(all.a, all.b, all.c, t);
  const auto ends = results(all.c, t);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int row = 0; row < all.c.n / 2; ++row) add_rows(quarters, row);
#pragma omp for schedule(dynamic, 1)
    for (std::size_t k = 0; k < seven.size(); ++k) {
      const node made = problem::child(all, seven[k], k);
      p.note_product(made);
      serial(made.a, made.b, made.c, p.leaf());
    }
#pragma omp for schedule(static)
    for (int row = 0; row < all.c.n / 2; ++row) add_rows(ends, row);
  }
}

/// Sums are the parent's, as in BOTS.
void by_tasks(problem& p, const node& at) {
  if (!p.forks(at)) return serial(at.a, at.b, at.c, p.leaf());
  const int with_affinity = p.affinity() ? 1 : 0;
  const temporaries t(at.c.n / 2);
  for (const sum& each : sums(at.a, at.b, t)) kernels::add(each.x, each.y, each.sign, each.to);
  const auto seven = products(at.a, at.b, at.c, t);
  for (std::size_t k = 0; k < seven.size(); ++k) {
    const node made = problem::child(at, seven[k], k);
    [[maybe_unused]] const double* const out = made.c.data;
#pragma omp task untied firstprivate(made) shared(p) \
    affinity(iterator(int one = 0 : with_affinity) : out[one])
    {
      p.note_product(made);
      by_tasks(p, made);
    }
  }
#pragma omp taskwait
  for (const sum& each : results(at.c, t)) kernels::add(each.x, each.y, each.sign, each.to);
}

/// The first cell of a square stands for it; quarters of A and B are there when this begins.
void depend_add(problem& p, const node& at, const sum& s) {
  [[maybe_unused]] const double* const x = s.x.data;
  [[maybe_unused]] const double* const y = s.y.data;
  [[maybe_unused]] double* const to = s.to.data;
  const int with_affinity = p.affinity() ? 1 : 0;
#pragma omp task firstprivate(s) shared(p, at) depend(in : x[0], y[0]) depend(out : to[0]) \
    affinity(iterator(int one = 0 : with_affinity) : to[one])
  p.add(at, s);
}

void by_dependences(problem& p, const node& at);

void depend_product(problem& p, const node& made) {
  [[maybe_unused]] const double* const x = made.a.data;
  [[maybe_unused]] const double* const y = made.b.data;
  [[maybe_unused]] double* const to = made.c.data;
  const int with_affinity = p.affinity() ? 1 : 0;
#pragma omp task untied firstprivate(made) shared(p) depend(in : x[0], y[0]) depend(out : to[0]) \
    affinity(iterator(int one = 0 : with_affinity) : to[one])
  {
    p.note_product(made);
    by_dependences(p, made);
  }
}

/// Each adds a square to another, or subtracts its result from one.
void depend_finish(problem& p, const node& at, const sum& s, bool in_temporary) {
  [[maybe_unused]] const double* const x = s.x.data;
  [[maybe_unused]] const double* const y = s.y.data;
  [[maybe_unused]] double* const to = s.to.data;
  const int with_affinity = p.affinity() ? 1 : 0;
#pragma omp task firstprivate(s, in_temporary) shared(p, at) depend(in : x[0], y[0]) \
    depend(inout : to[0]) affinity(iterator(int one = 0 : with_affinity) : to[one])
  p.finish(at, s, in_temporary);
}

void by_dependences(problem& p, const node& at) {
  if (!p.forks(at)) return serial(at.a, at.b, at.c, p.leaf());
  const temporaries t(at.c.n / 2);
  for (const sum& each : sums(at.a, at.b, t)) depend_add(p, at, each);
  const auto seven = products(at.a, at.b, at.c, t);
  for (std::size_t k = 0; k < seven.size(); ++k) {
    depend_product(p, problem::child(at, seven[k], k));
  }
  const auto ends = results(at.c, t);
  for (std::size_t k = 0; k < ends.size(); ++k) depend_finish(p, at, ends[k], k == in_m6);
#pragma omp taskwait
}

}  // namespace

int main(int argc, char** argv) {
  return apps::run<problem>(argc, argv, apps::openmp_system(),
                            {{"for", by_loop, false},
                             {"task", [](problem& p) { by_tasks(p, p.root()); }, true},
                             {"depend", [](problem& p) { by_dependences(p, p.root()); }, true}},
                            true);
}
