// SPDX-License-Identifier: Apache-2.0
// Thousands of regions, of changing sizes, flat and nested, with nothing left over between them.
#include "support/check.h"

static void changing_sizes(void) {
  int total = 0, wanted = 0;
  for (int round = 0; round < 300; round++) {
    int size = (round * 7) % 9 + 1;
#pragma omp parallel num_threads(size) reduction(+ : total)
    {
      CHECK_EQ(omp_get_num_threads(), size);
      total++;
    }
    wanted += size;
  }
  CHECK_EQ(total, wanted);
}

static void short_regions(void) {
  int count = 0;
  for (int round = 0; round < 1000; round++) {
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
      count++;
    }
  }
  CHECK_EQ(count, 2000);
}

static void nested_regions(void) {
  int count = 0;
  omp_set_max_active_levels(base_level() + 2);
  for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(2) reduction(+ : count)
    for (int inner = 1; inner <= 4; inner++) {
#pragma omp parallel num_threads(inner) reduction(+ : count)
      count++;
    }
  }
  CHECK_EQ(count, 20 * 2 * 10);
}

// One construct of each kind in each region.
static void every_construct(void) {
  int sum = 0;
  for (int round = 0; round < 50; round++) {
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for schedule(dynamic) nowait
      for (int i = 0; i < 4; i++) {
        sum++;
      }
#pragma omp single nowait
      sum++;
#pragma omp sections nowait
      {
#pragma omp section
        sum++;
      }
#pragma omp critical
      {
      }
    }
  }
  CHECK_EQ(sum, 50 * 6);
}

static void empty_regions(void) {
  for (int round = 0; round < 100; round++) {
#pragma omp parallel
    {
    }
  }
}

static void test(void) {
  changing_sizes();
  short_regions();
  nested_regions();
  every_construct();
  empty_regions();
}
