// SPDX-License-Identifier: Apache-2.0
// What the Python programs of this folder call, as they would call a library of a wheel.
#include "../program.h"

uint64_t spin(uint64_t seed, long us);
uint64_t even_region(uint64_t seed, long us);
uint64_t uneven_region(uint64_t seed, long rows, bool on_demand);

/// On the calling thread alone.
uint64_t spin(uint64_t seed, long us) {
  SPIN_US(seed, us);
  return seed;
}

/// So much work in all, in 32 equal pieces.
uint64_t even_region(uint64_t seed, long us) {
  uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long i = 0; i < 32; ++i) {
    uint64_t x = seed + (uint64_t)i;
    SPIN_US(x, us / 32);
    sum += x;
  }
  return sum;
}

/// Rows of a triangle, in halves or as the threads ask for them.
uint64_t uneven_region(uint64_t seed, long rows, bool on_demand) {
  uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    if (on_demand) {
#pragma omp for schedule(dynamic, 4)
      for (long i = 0; i < rows; ++i) sum += spin(seed + (uint64_t)i, i);
    } else {
#pragma omp for schedule(static)
      for (long i = 0; i < rows; ++i) sum += spin(seed + (uint64_t)i, i);
    }
  }
  return sum;
}
