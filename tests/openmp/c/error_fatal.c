// SPDX-License-Identifier: Apache-2.0
// The error directive at execution with severity(fatal): says its message and ends the program.
// test: nested=no threads=1,2 status=failure output=too~late
#include "support/check.h"

static void test(void) {
#pragma omp error at(execution) severity(fatal) message("too late")
  exit(0);
}
