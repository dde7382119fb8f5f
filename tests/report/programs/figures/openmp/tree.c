// SPDX-License-Identifier: Apache-2.0
// The tree of bench/bin with OpenMP tasks of some microseconds.
#include "../count.h"

static struct figures bin(uint64_t unit, int n) {
  struct figures used = consume(unit);
  if (n == 0) return used;
  struct figures a, b;
#pragma omp task shared(a) firstprivate(unit, n)
  a = bin(unit, n - 1);
  // A task too: a wait is for all children of its task.
#pragma omp task shared(b) firstprivate(unit, n)
  b = bin(unit, n - 1);
#pragma omp taskwait
  return then(then(used, beside(a, b)), consume(unit));
}

int main(int argc, char** argv) {
  enum { depth = 12 };
  const long n = read_repetitions(argc, argv);
  const struct rate clock = begin_rate();
  const uint64_t unit = ticks_of_ns(clock, 4000);
  struct figures all = {0, 0};
  for (long i = 0; i < n; ++i) {
#pragma omp parallel
#pragma omp single
    all = then(all, bin(unit, depth));
  }
  return print_figures(seconds_of(clock, all.work), seconds_of(clock, all.span));
}
