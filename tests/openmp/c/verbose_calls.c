// SPDX-License-Identifier: Apache-2.0
// With KASURI_VERBOSE arguments that are not accepted are told of.
// test: nested=no threads=2 env=KASURI_VERBOSE=on output=omp_set_num_threads(0)
#include "support/check.h"

static void test(void) {
  if (getenv("TEST_STOCK") != NULL) {
    puts("omp_set_num_threads(0)");
  }
  omp_set_num_threads(0);
  CHECK_EQ(omp_get_max_threads(), 1);
}
