// SPDX-License-Identifier: Apache-2.0
// Tasks of 100 us that name one variable as their output and so run one after the other. In the
// repaired twin each names a cell of its own.
#include "../program.h"

static uint64_t compute(long i) {
  uint64_t x = (uint64_t)i;
  SPIN_US(x, 100);
  return x;
}

static void all_in_one(uint64_t* cells, long n) {
  for (long i = 0; i < n; ++i) {
#pragma omp task depend(inout : cells[0])  // planted: dependences
    cells[i] = compute(i);
  }
}

static void each_its_own(uint64_t* cells, long n) {
  for (long i = 0; i < n; ++i) {
#pragma omp task depend(inout : cells[i])
    cells[i] = compute(i);
  }
}

int main(int argc, char** argv) {
  const struct program p = read_arguments(argc, argv);
  const long n = scaled(p, 10000);
  uint64_t* cells = calloc((size_t)n, sizeof *cells);
  if (cells == NULL) return 1;
#pragma omp parallel
#pragma omp single
  {
    if (p.repaired)
      each_its_own(cells, n);
    else
      all_in_one(cells, n);
  }
  uint64_t sum = 0;
  for (long i = 0; i < n; ++i) sum += cells[i];
  free(cells);
  return print_checksum(sum);
}
