// SPDX-License-Identifier: Apache-2.0
// Tasks of 10 us, each created behind 1 us of its creator's.
#include "../count.h"

enum { tasks = 1000 };

static struct figures flat(uint64_t unit) {
  static struct figures each[tasks];
  struct figures creator = {0, 0};
  for (int k = 0; k < tasks; ++k) {
    const uint64_t start = ticks();
    consume(unit);
#pragma omp task firstprivate(k, unit)
    {
      struct figures mine = {0, 0};
      for (int i = 0; i < 10; ++i) mine = then(mine, consume(unit));
      each[k] = mine;
    }
    creator = then(creator, since(start, unit));
  }
#pragma omp taskwait
  struct figures longest = {0, 0};
  for (int k = 0; k < tasks; ++k) longest = beside(longest, each[k]);
  return then(creator, longest);
}

int main(int argc, char** argv) {
  const long n = read_repetitions(argc, argv);
  const struct rate clock = begin_rate();
  const uint64_t unit = ticks_of_ns(clock, 1000);
  struct figures all = {0, 0};
  for (long i = 0; i < n; ++i) {
#pragma omp parallel
#pragma omp single
    all = then(all, flat(unit));
  }
  return print_figures(seconds_of(clock, all.work), seconds_of(clock, all.span));
}
