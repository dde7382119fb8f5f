// SPDX-License-Identifier: Apache-2.0
// One thread writes arrays first, so that all their pages lie on its NUMA node; then all threads
// sweep over them. In the repaired twin each thread first writes what it works on. There is
// something to see on several nodes only.
#include "../program.h"

static void sweep(double* a, const double* b, long n) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) a[i] = a[i] * 0.5 + b[i];
}

static void fill(double* a, double* b, long n) {
  for (long i = 0; i < n; ++i) a[i] = b[i] = 1.0;  // planted: first_touch
}

static void fill_by_all(double* a, double* b, long n) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) a[i] = b[i] = 1.0;
}

int main(int argc, char** argv) {
  const struct program p = read_arguments(argc, argv);
  const long n = scaled(p, 16L << 20);
  double* a = malloc((size_t)n * sizeof *a);
  double* b = malloc((size_t)n * sizeof *b);
  if (a == NULL || b == NULL) return 1;
  if (p.repaired)
    fill_by_all(a, b, n);
  else
    fill(a, b, n);
  for (int turn = 0; turn != 60; ++turn) sweep(a, b, n);
  uint64_t sum = 0;
  for (long i = 0; i < n; i += 4099) sum += (uint64_t)(a[i] * 1e6);
  free(a);
  free(b);
  return print_checksum(sum);
}
