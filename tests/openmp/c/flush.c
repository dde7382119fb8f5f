// SPDX-License-Identifier: Apache-2.0
// flush, as far as a program can see it.
#include "support/check.h"

static void flush_publishes(void) {
  int flag = 0, data = 0, seen = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      data = 42;
#pragma omp flush release
#pragma omp atomic write
      flag = 1;
    }
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
      int here = 0;
      while (here == 0) {
#pragma omp atomic read
        here = flag;
      }
#pragma omp flush acquire
      seen = data;
    }
  }
  CHECK_EQ(seen, 42);
#pragma omp flush
#pragma omp flush(seen)
#pragma omp flush acq_rel
#ifndef __clang__  // Clang 19 does not know it
#pragma omp flush seq_cst
#endif
}

static void test(void) { flush_publishes(); }
