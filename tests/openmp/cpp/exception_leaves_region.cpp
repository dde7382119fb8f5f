// SPDX-License-Identifier: Apache-2.0
// An exception that leaves a region ends the program by std::terminate, whose handler is ours.
// test: nested=no status=5
#include "support/check.h"

#include <exception>

static void test() {
  std::set_terminate([] { _Exit(5); });
#pragma omp parallel
  {
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
      throw 1;
    }
#pragma omp barrier
  }
}
