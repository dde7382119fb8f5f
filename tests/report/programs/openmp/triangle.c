// SPDX-License-Identifier: Apache-2.0
// A triangular loop dealt out in equal halves of the index: the last thread has the long rows.
#include "../program.h"

static uint64_t row(long i) {
  uint64_t x = (uint64_t)i;
  SPIN_US(x, i);
  return x;
}

// slow:
static uint64_t triangle(long rows) {
  uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)  // planted: imbalance
  for (long i = 0; i < rows; ++i) sum += row(i);
  return sum;
}
// end

static uint64_t triangle_on_demand(long rows) {
  uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : sum)
  for (long i = 0; i < rows; ++i) sum += row(i);
  return sum;
}

int main(int argc, char** argv) {
  const struct program p = read_arguments(argc, argv);
  uint64_t sum = 0;
  for (long turn = 0; turn != scaled(p, 25); ++turn)
    sum += p.repaired ? triangle_on_demand(400) : triangle(400);
  return print_checksum(sum);
}
