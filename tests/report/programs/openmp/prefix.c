// SPDX-License-Identifier: Apache-2.0
// One thread prepares what the team works on: 70 % of the time, on any number of threads.
#include <omp.h>

#include "../program.h"

static void prepare(uint64_t* cells, long n) {
  for (long i = 0; i < n; ++i) SPIN_US(cells[i], 100);  // planted: serial
}

static void prepare_by_all(uint64_t* cells, long n) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) SPIN_US(cells[i], 100);
}

static void step(uint64_t* cells, long n) {
  const long us = 43L * omp_get_max_threads();
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) SPIN_US(cells[i], us);
}

int main(int argc, char** argv) {
  const struct program p = read_arguments(argc, argv);
  const long n = 500;
  uint64_t* cells = calloc((size_t)n, sizeof *cells);
  if (cells == NULL) return 1;
  for (long turn = 0; turn != scaled(p, 20); ++turn) {
    if (p.repaired)
      prepare_by_all(cells, n);
    else
      prepare(cells, n);
    step(cells, n);
  }
  uint64_t sum = 0;
  for (long i = 0; i < n; ++i) sum += cells[i] * (uint64_t)(i + 1);
  free(cells);
  return print_checksum(sum);
}
