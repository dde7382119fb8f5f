// SPDX-License-Identifier: Apache-2.0
// OMP_DISPLAY_AFFINITY prints a line for each member of the first region, in the format set.
// test: nested=no threads=3,4 env=OMP_DISPLAY_AFFINITY=true
// test: env=OMP_AFFINITY_FORMAT=member=%n,level=%L output=member=0,level=1
#include "support/check.h"

static void test(void) {
#pragma omp parallel
  CHECK(omp_get_num_threads() >= 1);
}
