// SPDX-License-Identifier: Apache-2.0
// The error directive at execution with severity(warning): says its message and goes on.
// test: nested=no threads=1,2 output=careful~now
#include "support/check.h"

static void test(void) {
  int after = 0;
#pragma omp error at(execution) severity(warning) message("careful now")
  after++;
  CHECK_EQ(after, 1);
}
