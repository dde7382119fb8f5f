// SPDX-License-Identifier: Apache-2.0
// reduction on for and sections, with every schedule, nowait, task modifier and inscan.
#include "support/check.h"

static void with_schedules(void) {
  long total = 0;
  double product = 1;
  int least = 1000, most = -1000;
#pragma omp parallel
  {
#pragma omp for reduction(+ : total)
    for (int i = 0; i < 100; i++) {
      total += i;
    }
    CHECK_EQ(total, 4950);
#pragma omp barrier
#pragma omp for reduction(+ : total) schedule(dynamic, 3) nowait
    for (int i = 0; i < 100; i++) {
      total += i;
    }
#pragma omp barrier
    CHECK_EQ(total, 9900);
#pragma omp for reduction(* : product) schedule(guided)
    for (int i = 0; i < 20; i++) {
      product *= 2;
    }
    CHECK(product == 1048576);
#pragma omp for reduction(min : least) reduction(max : most) schedule(static, 1)
    for (int i = 0; i < 101; i++) {
      int value = (i * 37) % 101;
      least = value < least ? value : least;
      most = value > most ? value : most;
    }
    CHECK_EQ(least, 0);
    CHECK_EQ(most, 100);
  }
}

static void combined_form(void) {
  for (int round = 0; round < 10; round++) {
    int sum = round, both = 1;
#pragma omp parallel for reduction(+ : sum) reduction(&& : both) schedule(dynamic)
    for (int i = 0; i < 30; i++) {
      sum += i;
      both = both && i != 40;
    }
    CHECK_EQ(sum, round + 435);
    CHECK(both);
  }
}

static void in_sections(void) {
  int sum = 1, any = 0;
#pragma omp parallel sections reduction(+ : sum) reduction(| : any)
  {
#pragma omp section
    {
      sum += 2;
      any |= 1;
    }
#pragma omp section
    {
      sum += 3;
      any |= 2;
    }
#pragma omp section
    any |= 8;
  }
  CHECK_EQ(sum, 6);
  CHECK_EQ(any, 11);
}

static void array_sections(void) {
  int bins[16] = {0}, *shifted = bins;
#pragma omp parallel
  {
#pragma omp for reduction(+ : bins) schedule(dynamic, 5)
    for (int i = 0; i < 160; i++) {
      bins[i % 16]++;
    }
#pragma omp for reduction(+ : shifted[4 : 8]) schedule(static)
    for (int i = 0; i < 80; i++) {
      shifted[4 + i % 8] += 2;
    }
  }
  for (int i = 0; i < 16; i++) {
    CHECK_EQ(bins[i], i >= 4 && i < 12 ? 30 : 10);
  }
}

static void task_modifier(void) {
  int sum = 0, tasks = 0;
#pragma omp parallel reduction(task, + : sum)
  {
#pragma omp task in_reduction(+ : sum)
    sum += 2;
    sum += 1;
  }
  CHECK_EQ(sum, 3 * team_size());
  sum = 0;
#pragma omp parallel
#pragma omp for reduction(task, + : sum, tasks) schedule(dynamic)
  for (int i = 0; i < 20; i++) {
    for (int j = 0; j < 3; j++) {
#pragma omp task in_reduction(+ : sum, tasks) firstprivate(i, j)
      {
        sum += i * j;
        tasks++;
      }
    }
  }
  CHECK_EQ(sum, 3 * 190);
  CHECK_EQ(tasks, 60);
#pragma omp parallel sections reduction(task, + : tasks)
  {
#pragma omp section
#pragma omp task in_reduction(+ : tasks)
    tasks++;
#pragma omp section
#pragma omp task in_reduction(+ : tasks)
    tasks += 5;
  }
  CHECK_EQ(tasks, 66);
}

// Clang 19 forgets the value from before the loop, and gives each thread a buffer of its own when
// the loop is not combined with parallel.
#ifdef __clang__
enum { initial_sum = 0 };
#else
enum { initial_sum = 10 };
#endif

static void inclusive_scan(void) {
  int values[150], prefix[150], sum = 0;
  for (int i = 0; i < 150; i++) {
    values[i] = (i * 7) % 11;
  }
  sum = initial_sum;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < 150; i++) {
    sum += values[i];
#pragma omp scan inclusive(sum)
    prefix[i] = sum;
  }
  int expected = initial_sum;
  for (int i = 0; i < 150; i++) {
    expected += values[i];
    CHECK_EQ(prefix[i], expected);
  }
  CHECK_EQ(sum, expected);
}

static void exclusive_scan(void) {
  int prefix[97], most[97], sum = 0, highest = -1;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < 97; i++) {
    prefix[i] = sum;
#pragma omp scan exclusive(sum)
    sum += i;
  }
#pragma omp parallel for reduction(inscan, max : highest)
  for (int i = 0; i < 97; i++) {
    highest = (i * 31) % 97 > highest ? (i * 31) % 97 : highest;
#pragma omp scan inclusive(highest)
    most[i] = highest;
  }
  int expected = 0, expected_most = -1;
  for (int i = 0; i < 97; i++) {
    int value = (i * 31) % 97;
    expected_most = value > expected_most ? value : expected_most;
    CHECK_EQ(prefix[i], expected);
    CHECK_EQ(most[i], expected_most);
    expected += i;
  }
  CHECK_EQ(sum, expected);
}

#ifndef __clang__
static void scan_in_a_region(void) {
  int prefix[97], sum = 5;
#pragma omp parallel
  for (int round = 0; round < 3; round++) {
#pragma omp for reduction(inscan, + : sum)
    for (int i = 0; i < 97; i++) {
      prefix[i] = sum;
#pragma omp scan exclusive(sum)
      sum += i;
    }
  }
  for (int i = 0; i < 97; i++) {
    CHECK_EQ(prefix[i], 5 + 2 * 48 * 97 + i * (i - 1) / 2);
  }
  CHECK_EQ(sum, 5 + 3 * 48 * 97);
}
#else
static void scan_in_a_region(void) {}
#endif

static void simd_scan(void) {
  int sum = 0, prefix[64];
#pragma omp simd reduction(inscan, + : sum)
  for (int i = 0; i < 64; i++) {
    sum += i;
#pragma omp scan inclusive(sum)
    prefix[i] = sum;
  }
  CHECK_EQ(prefix[63], 2016);
  sum = initial_sum;
#pragma omp parallel for simd reduction(inscan, + : sum)
  for (int i = 0; i < 64; i++) {
    prefix[i] = sum;
#pragma omp scan exclusive(sum)
    sum += i;
  }
  CHECK_EQ(prefix[0], initial_sum);
  CHECK_EQ(sum, initial_sum + 2016);
}

static void test(void) {
  with_schedules();
  combined_form();
  in_sections();
  array_sections();
  task_modifier();
  inclusive_scan();
  exclusive_scan();
  scan_in_a_region();
  simd_scan();
}
