// SPDX-License-Identifier: Apache-2.0
// A hard pause where the library makes the copies of threadprivate variables.
// test: compilers=clang-19 flags=-fnoopenmp-use-tls threads=1,4 nested=no
#include "support/check.h"

static int counter = 7;
#pragma omp threadprivate(counter)

static void pause_between(int kind, bool keeps) {
#pragma omp parallel num_threads(5)
  counter = 100 + omp_get_thread_num();
  CHECK_EQ(omp_pause_resource_all((omp_pause_resource_t)kind), 0);
#pragma omp parallel num_threads(5)
  {
    const int me = omp_get_thread_num();
    CHECK_EQ(counter, keeps || me == 0 ? 100 + me : 7);
  }
}

static void test(void) {
  omp_set_dynamic(0);
  pause_between(omp_pause_soft, true);
  pause_between(omp_pause_hard, false);
  pause_between(omp_pause_hard, false);
}
