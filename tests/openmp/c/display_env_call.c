// SPDX-License-Identifier: Apache-2.0
// omp_display_env prints the settings when it is called.
// test: nested=no threads=3 output=OPENMP~DISPLAY~ENVIRONMENT~BEGIN
#include "support/check.h"

static void test(void) { omp_display_env(0); }
