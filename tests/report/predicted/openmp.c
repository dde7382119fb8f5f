// SPDX-License-Identifier: Apache-2.0
// OpenMP programs for predict_table.py: openmp.c WAY [PERCENT]. Work is counted, so that it is the
// same on any number of threads.

#include <omp.h>

#include "../programs/program.h"

static uint64_t seeds[4096];

static void spin(int i, long us) {
  uint64_t x = seeds[i & 4095] + (uint64_t)i;
  SPIN_US(x, us);
  seeds[i & 4095] = x;
}

static void even(long rounds) {
  for (long k = 0; k < rounds; ++k) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 200; ++i) spin(i, 100);
  }
}

static void rising(long rounds) {
  for (long k = 0; k < rounds; ++k) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 200; ++i) spin(i, i);
  }
}

static void rising_dynamic(long rounds) {
  for (long k = 0; k < rounds; ++k) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 200; ++i) spin(i, i);
  }
}

static void rising_guided(long rounds) {
  for (long k = 0; k < rounds; ++k) {
#pragma omp parallel for schedule(guided)
    for (int i = 200; i > 0; --i) spin(i, i);
  }
}

static void one_long(long rounds) {
  for (long k = 0; k < rounds; ++k) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 64; ++i) spin(i, i == 0 ? 4000 : 125);
  }
}

static void locked(long rounds) {
  for (long k = 0; k < rounds; ++k) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 400; ++i) {
      spin(i, 20);
#pragma omp critical
      spin(4095, 30);
    }
  }
}

static void phases(long rounds) {
#pragma omp parallel
  for (long k = 0; k < rounds; ++k) {
#pragma omp for schedule(static)
    for (int i = 0; i < 40; ++i) spin(i, 100);
#pragma omp single
    spin(0, 1000);
#pragma omp for schedule(dynamic, 4)
    for (int i = 0; i < 100; ++i) spin(i, 50);
  }
}

static void halve(int from, int to) {
  if (to - from == 1) {
    spin(from, 100);
    return;
  }
#pragma omp task firstprivate(from, to)
  halve(from, (from + to) / 2);
#pragma omp task firstprivate(from, to)
  halve((from + to) / 2, to);
#pragma omp taskwait
}

static void tasks(long rounds) {
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < rounds; ++k) halve(0, 200);
}

static void flat_tasks(long rounds) {
  for (long k = 0; k < rounds; ++k) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 200; ++i) {
#pragma omp task firstprivate(i)
      spin(i, 100);
    }
  }
}

// Blocks of a matrix, each behind its upper and its left one.
static void wavefront(long rounds) {
  static char done[17][17];
  for (long k = 0; k < rounds; ++k) {
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= 16; ++i)
      for (int j = 1; j <= 16; ++j) {
#pragma omp task depend(in : done[i - 1][j], done[i][j - 1]) depend(out : done[i][j]) \
    firstprivate(i, j)
        spin(16 * i + j, 80);
      }
  }
}

// Two chains beside each other, of which one is as long as three of the other.
static void chains(long rounds) {
  static char a, b;
  for (long k = 0; k < rounds; ++k) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 50; ++i) {
#pragma omp task depend(inout : a) firstprivate(i)
      spin(i, 300);
#pragma omp task depend(inout : b) firstprivate(i)
      spin(i + 64, 100);
    }
  }
}

static const struct {
  const char* name;
  void (*run)(long rounds);
} ways[] = {{"even", even},
            {"rising", rising},
            {"rising_dynamic", rising_dynamic},
            {"locked", locked},
            {"rising_guided", rising_guided},
            {"one_long", one_long},
            {"phases", phases},
            {"tasks", tasks},
            {"chains", chains},
            {"flat_tasks", flat_tasks},
            {"wavefront", wavefront}};

int main(int argc, char** argv) {
  const struct program p = {false, argc > 2 ? atol(argv[2]) : 100};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    if (argc < 2 || strcmp(argv[1], ways[i].name) != 0) continue;
    ways[i].run(scaled(p, 30));
    uint64_t sum = 0;
    for (int k = 0; k < 4096; ++k) sum += seeds[k];
    printf("%016" PRIx64 "\n", sum);
    return 0;
  }
  fprintf(stderr, "%s: the first argument is \"%s\"; accepted:", argv[0], argc > 1 ? argv[1] : "");
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) fprintf(stderr, " %s", ways[i].name);
  fprintf(stderr, "\n");
  return 2;
}
