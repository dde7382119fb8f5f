// SPDX-License-Identifier: Apache-2.0
// target with in_reduction, at once and deferred, beside tasks of the same reductions.
// test: compilers=gcc
#include "support/check.h"

static void test(void) {
  for (int turn = 0; turn < 20; turn++) {
    long sum = 3, parts[4] = {0};
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum, parts)
    for (int i = 0; i < 20; i++) {
#pragma omp target in_reduction(+ : sum) nowait firstprivate(i)
      sum += i;
#pragma omp target in_reduction(+ : parts)
      parts[i % 4] += i;
#pragma omp task in_reduction(+ : sum)
      sum += 1000;
#pragma omp target parallel in_reduction(+ : sum) num_threads(2)
      {
#pragma omp atomic
        sum += 1;
      }
    }
    CHECK_EQ(sum, 3 + 190 + 20 * 1000 + 20 * 2);
    for (int k = 0; k < 4; k++) {
      CHECK_EQ(parts[k], 5 * k + 40);
    }
  }
}
