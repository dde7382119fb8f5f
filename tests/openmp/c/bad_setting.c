// SPDX-License-Identifier: Apache-2.0
// A variable that says nonsense is reported by its name, and the default holds.
// test: nested=no threads=2 env=OMP_SCHEDULE=sideways,3 output=OMP_SCHEDULE
#include "support/check.h"

static void test(void) {
  omp_sched_t kind;
  int chunk, sum = 0;
  omp_get_schedule(&kind, &chunk);
  unsigned plain = (unsigned)kind & ~(unsigned)omp_sched_monotonic;
  CHECK(plain == omp_sched_dynamic || plain == omp_sched_static);
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
  for (int i = 0; i < 100; i++) {
    sum += i;
  }
  CHECK_EQ(sum, 4950);
}
