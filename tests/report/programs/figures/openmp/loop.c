// SPDX-License-Identifier: Apache-2.0
// Static loops whose second half has twice the work of the first: a member's path is what it ran.
#include <omp.h>

#include "../count.h"

enum { most_members = 64, iterations = 40 };

int main(int argc, char** argv) {
  const long n = read_repetitions(argc, argv);
  const struct rate clock = begin_rate();
  const uint64_t unit = ticks_of_ns(clock, 10000);
  struct figures all = {0, 0};
  for (long i = 0; i < n; ++i) {
    struct figures of_member[most_members] = {{0, 0}};
#pragma omp parallel num_threads(omp_get_max_threads() < most_members ? omp_get_max_threads() \
                                                                      : most_members)
    {
      struct figures mine = {0, 0};
#pragma omp for schedule(static)
      for (int k = 0; k < iterations; ++k) {
        mine = then(mine, consume(unit));
        if (k >= iterations / 2) mine = then(mine, consume(unit));
      }
      of_member[omp_get_thread_num()] = mine;
    }
    struct figures sides = {0, 0};
    for (int k = 0; k < most_members; ++k) sides = beside(sides, of_member[k]);
    all = then(all, sides);
  }
  return print_figures(seconds_of(clock, all.work), seconds_of(clock, all.span));
}
