// SPDX-License-Identifier: Apache-2.0
// An OpenMP program as any other: a loop, tasks and nested regions. Prints for each the seconds it
// took and whether its result was right. Nothing in it knows of Kasuri.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { cells = 100000, sweeps = 300, tree = 23, members = 14400 };

// loop:
static double smooth(double* now, double* next) {
  for (int sweep = 0; sweep < sweeps; ++sweep) {
#pragma omp parallel for
    for (int i = 0; i < cells; ++i) {
      next[i] = (now[(i + cells - 1) % cells] + now[i] + now[(i + 1) % cells]) / 3;
    }
    double* const swap = now;
    now = next;
    next = swap;
  }
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < cells; ++i) {
    sum += now[i];
  }
  return sum;
}
// end

// tasks:
static long fib(int n) {
  if (n < 2) {
    return n;
  }
  long a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
// end

// nested:
static long count_members(void) {
  long count = 0;
#pragma omp parallel for num_threads(2) schedule(static) reduction(+ : count)
  for (int i = 0; i < members / 36; ++i) {
#pragma omp parallel num_threads(36) reduction(+ : count)
    count += omp_get_level() == 2 && omp_get_num_threads() == 36;
  }
  return count;
}
// end

static int report(const char* name, double start, int right) {
  printf("%s %.3f %s\n", name, omp_get_wtime() - start, right ? "right" : "WRONG");
  return right ? 0 : 1;
}

static int run_loop(void) {
  double* const fields = malloc(2 * cells * sizeof *fields);
  if (fields == NULL) {
    return 1;
  }
  for (int i = 0; i < cells; ++i) {
    fields[i] = i % 100 == 0 ? 1 : 0;
  }
  const double start = omp_get_wtime();
  const double sum = smooth(fields, fields + cells);
  free(fields);
  // Smoothing moves what is there and loses nothing.
  return report("loop", start, sum > cells / 100 - 1e-6 && sum < cells / 100 + 1e-6);
}

static int run_tasks(void) {
  const double start = omp_get_wtime();
  long result = 0;
#pragma omp parallel
#pragma omp single
  result = fib(tree);
  return report("tasks", start, result == 28657);
}

static int run_nested(void) {
  omp_set_max_active_levels(2);
  const double start = omp_get_wtime();
  return report("nested", start, count_members() == members);
}

int main(void) {
  const int wrong = run_loop() + run_tasks() + run_nested();
  return wrong == 0 ? 0 : 1;
}
