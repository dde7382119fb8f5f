// SPDX-License-Identifier: Apache-2.0
// Iterations of 25 us that spend 20 of them in a critical section. The repaired twin has a
// reduction.
#include "../program.h"

static uint64_t with_critical(long n) {
  uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 16)
  for (long i = 0; i < n; ++i) {
    uint64_t x = (uint64_t)i;
    SPIN_US(x, 5);
#pragma omp critical(add_up)  // planted: lock
    {
      SPIN_US(x, 20);
      sum += x;
    }
  }
  return sum;
}

static uint64_t with_reduction(long n) {
  uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : sum)
  for (long i = 0; i < n; ++i) {
    uint64_t x = (uint64_t)i;
    SPIN_US(x, 25);
    sum += x;
  }
  return sum;
}

int main(int argc, char** argv) {
  const struct program p = read_arguments(argc, argv);
  const long n = scaled(p, 50000);
  return print_checksum(p.repaired ? with_reduction(n) : with_critical(n));
}
