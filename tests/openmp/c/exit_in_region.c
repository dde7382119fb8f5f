// SPDX-License-Identifier: Apache-2.0
// exit() by a member while the others compute or wait: handlers run, the status is the program's.
// test: nested=no status=7 output=handler~ran
#include "support/check.h"

#include <unistd.h>

static void handler(void) {
  static const char text[] = "handler ran\n";
  ssize_t written = write(1, text, sizeof text - 1);
  (void)written;
}

static void test(void) {
  atexit(handler);
#pragma omp parallel
  {
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
      exit(7);
    }
#pragma omp barrier
  }
}
