// SPDX-License-Identifier: Apache-2.0
// for: private, firstprivate, lastprivate (conditional too), linear, collapse, nowait, order, if.
#include "support/check.h"

// libomp's dynamic schedule loses every second last value.
static bool last_value_lost(void) {
  return known_bug("libomp", "lastprivate with schedule(dynamic) leaves the old value behind");
}

static void lastprivate_plain(void) {
  int last = -1, copy = 5, element[3] = {0};
#pragma omp parallel num_threads(3)
  {
#pragma omp for lastprivate(last, element) firstprivate(copy) schedule(dynamic, 3)
    for (int i = 0; i < 50; i++) {
      last = i * 2;
      element[1] = i;
      copy += i;
    }
    CHECK(last == 98 || last_value_lost());  // after the barrier everybody sees it
    CHECK(element[1] == 49 || last_value_lost());
    CHECK_EQ(copy, 5);
#pragma omp barrier
#pragma omp for lastprivate(last) schedule(static, 1)
    for (int i = 30; i > 0; i--) {
      last = i;
    }
    CHECK_EQ(last, 1);
#pragma omp barrier
#pragma omp for firstprivate(last) lastprivate(last) schedule(guided)
    for (int i = 0; i < 20; i++) {
      last = i == 19 ? 1000 : last + 1;
    }
    CHECK_EQ(last, 1000);
  }
  int counter;
#pragma omp parallel for lastprivate(counter)
  for (counter = 0; counter < 17; counter += 5) {
  }
  CHECK_EQ(counter, 20);
}

#ifndef __clang__  // Clang 19 keeps the value in a global variable, which it never resets
static void lastprivate_conditional(void) {
  int found = -1, value = -7;
#pragma omp parallel for lastprivate(conditional : found, value) schedule(dynamic)
  for (int i = 0; i < 100; i++) {
    if (i % 37 == 0) {
      found = i;
    }
    if (i > 1000) {
      value = i;
    }
  }
  CHECK_EQ(found, 74);
  CHECK_EQ(value, -7);
#pragma omp parallel
#pragma omp for lastprivate(conditional : found) schedule(static, 4)
  for (int i = 99; i >= 0; i--) {
    if (i > 20 && i % 10 == 0) {
      found = i;
    }
  }
  CHECK_EQ(found, 30);
}

#else
static void lastprivate_conditional(void) {}
#endif

static void linear_clause(void) {
  int step = 3, index = 10, array[64] = {0}, bad = 0;
#pragma omp parallel for linear(index : step) reduction(+ : bad) schedule(dynamic, 2)
  for (int i = 0; i < 20; i++) {
    bad += index != 10 + 3 * i;
    array[i] = index;
    index += step;
  }
  CHECK_EQ(bad, 0);
  CHECK_EQ(index, 70);
  CHECK_EQ(array[19], 67);
  int* at = array;
#pragma omp parallel for linear(at) schedule(static, 3)
  for (int i = 0; i < 64; i++) {
    *at = i;
    at++;
  }
  CHECK(at == array + 64);
  for (int i = 0; i < 64; i++) {
    CHECK_EQ(array[i], i);
  }
}

static void collapse_rectangles(void) {
  int seen[4][5][6] = {{{0}}}, i, j, k;
#pragma omp parallel for collapse(3) schedule(dynamic, 7) lastprivate(i, j, k)
  for (i = 0; i < 4; i++) {
    for (j = 8; j > -2; j -= 2) {
      for (k = 0; k < 6; k++) {
        seen[i][j / 2][k]++;
      }
    }
  }
  CHECK((i == 4 && j == -2 && k == 6) || last_value_lost());
  for (int at = 0; at < 120; at++) {
    CHECK_EQ((&seen[0][0][0])[at], 1);
  }
  long sum = 0;
#pragma omp parallel for collapse(2) schedule(guided) reduction(+ : sum)
  for (unsigned long long a = 1; a <= 30; a += 4) {
    for (signed char b = 20; b > 0; b--) {
      sum += (long)a * b;
    }
  }
  CHECK_EQ(sum, (1 + 5 + 9 + 13 + 17 + 21 + 25 + 29) * 210L);
}

static void collapse_triangles(void) {
  int seen[20][20] = {{0}};
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 20; i++) {
    for (int j = i; j < 20; j++) {
      seen[i][j]++;
    }
  }
#pragma omp parallel for collapse(2)
  for (int i = 19; i >= 0; i--) {
    for (int j = 0; j < i; j++) {
      seen[i][j]++;
    }
  }
  for (int at = 0; at < 400; at++) {
    CHECK_EQ((&seen[0][0])[at], 1);
  }
}

// With nowait members run ahead: several loops are open at once. More of them than any ring holds.
static void many_loops_without_wait(void) {
  enum { loops = 40, length = 16 };
  int counts[loops] = {0};
#pragma omp parallel
  {
    for (int at = 0; at < loops; at++) {
#pragma omp for schedule(dynamic) nowait
      for (int i = 0; i < length; i++) {
#pragma omp atomic
        counts[at]++;
      }
    }
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < 5; i++) {
    }
  }
  for (int at = 0; at < loops; at++) {
    CHECK_EQ(counts[at], length);
  }
}

// Member 0 of a team of two arrives two loops late; the other may not wait for it.
static void nowait_does_not_wait(void) {
  int passed = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_num_threads() == 2 && omp_get_thread_num() == 0) {
      while (atomic_get(&passed) == 0) {
#pragma omp taskyield
      }
    }
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 4; i++) {
    }
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 4; i++) {
    }
    atomic_set(&passed, 1);
  }
  CHECK_EQ(passed, 1);
}

static void order_concurrent(void) {
  int twice[100], plain[100];
#pragma omp parallel
  {
#pragma omp for order(concurrent)
    for (int i = 0; i < 100; i++) {
      twice[i] = 2 * i;
    }
#pragma omp for order(reproducible : concurrent) schedule(dynamic, 3) nowait
    for (int i = 0; i < 100; i++) {
      plain[i] = i;
    }
#pragma omp loop bind(parallel)
    for (int i = 0; i < 100; i++) {
      twice[i] += 1;
    }
  }
  for (int i = 0; i < 100; i++) {
    CHECK_EQ(twice[i], 2 * i + 1);
    CHECK_EQ(plain[i], i);
  }
}

static void simd_forms(void) {
  float values[200], other[200], sum = 0;
  int last = 0;
  for (int i = 0; i < 200; i++) {
    values[i] = (float)i;
    other[i] = 1;
  }
#pragma omp parallel for simd schedule(simd : dynamic, 8) reduction(+ : sum) lastprivate(last) \
    safelen(16) simdlen(4)
  for (int i = 0; i < 200; i++) {
    values[i] += other[i];
    sum += values[i];
    last = i;
  }
  CHECK(sum == 20100);
  CHECK(last == 199 || last_value_lost());
#pragma omp simd reduction(+ : sum) if (simd : last > 5) nontemporal(other)
  for (int i = 0; i < 200; i++) {
    sum += other[i];
  }
  CHECK(sum == 20300);
}

static void test(void) {
  lastprivate_plain();
  lastprivate_conditional();
  linear_clause();
  collapse_rectangles();
  collapse_triangles();
  many_loops_without_wait();
  nowait_does_not_wait();
  order_concurrent();
  simd_forms();
}
