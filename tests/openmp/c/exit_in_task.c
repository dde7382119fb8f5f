// SPDX-License-Identifier: Apache-2.0
// exit() from a task while other tasks wait to be run.
// test: nested=no status=9
#include "support/check.h"

static void test(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 200; i++) {
#pragma omp task firstprivate(i)
    if (i == 100) {
      exit(9);
    }
  }
}
