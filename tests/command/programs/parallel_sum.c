// SPDX-License-Identifier: Apache-2.0
// An OpenMP program: prints a sum, and how many threads it would use by default.
#include <omp.h>
#include <stdio.h>

int main(void) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
  for (int i = 1; i <= 1000; ++i) {
    sum += i;
  }
  printf("sum %ld, %d threads by default\n", sum, omp_get_max_threads());
  return 0;
}
