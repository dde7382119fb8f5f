// SPDX-License-Identifier: Apache-2.0
// OMP_DISPLAY_ENV prints the settings at the start.
// test: nested=no threads=3 env=OMP_DISPLAY_ENV=true output=OPENMP~DISPLAY~ENVIRONMENT~BEGIN
#include "support/check.h"

static void test(void) {
#pragma omp parallel
  CHECK_EQ(omp_get_num_threads(), team_size());
}
