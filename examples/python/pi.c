// SPDX-License-Identifier: Apache-2.0
// A module of somebody's, compiled with -fopenmp, which knows nothing of Kasuri.
#include <omp.h>

double pi(int steps);
double pi(int steps) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < steps; i++) {
    const double x = (i + 0.5) / steps;
    sum += 4 / (1 + x * x);
  }
  return sum / steps;
}

int members(void);
int members(void) {
  int count = 0;
#pragma omp parallel reduction(+ : count)
  count++;
  return count;
}
