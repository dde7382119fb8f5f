// SPDX-License-Identifier: Apache-2.0
// taskloop: each iteration once, grainsize, num_tasks, nogroup, reductions, data, collapse, simd.
#include "support/check.h"

#include <limits.h>

enum { length = 103 };

#define PRAGMA(text) _Pragma(#text)

// Runs the loop, returns in how many pieces it was cut; least and most are their lengths.
struct cut {
  int pieces, least, most, total;
};

static struct cut measure(const int* piece, int count) {
  struct cut cut = {0, INT_MAX, 0, count};
  int size = 0;
  for (int i = 0; i < count; i++) {
    size++;
    if (i + 1 == count || piece[i + 1]) {
      cut.pieces++;
      cut.least = size < cut.least ? size : cut.least;
      cut.most = size > cut.most ? size : cut.most;
      size = 0;
    }
  }
  return cut;
}

// A macro, because the clause is text. A firstprivate copy is fresh in each task: an iteration that
// sees it unchanged begins a piece.
#define CUT(name, clause)                             \
  static struct cut name(int amount) {                \
    int piece[length], seen[length] = {0}, fresh = 1; \
    PRAGMA(omp parallel)                              \
    PRAGMA(omp single)                                \
    PRAGMA(omp taskloop firstprivate(fresh) clause)   \
    for (int i = 0; i < length; i++) {                \
      piece[i] = fresh;                               \
      fresh = 0;                                      \
      seen[i]++;                                      \
    }                                                 \
    for (int i = 0; i < length; i++) {                \
      CHECK_EQ(seen[i], 1);                           \
    }                                                 \
    return measure(piece, length);                    \
  }

CUT(plain, )
CUT(by_grainsize, grainsize(amount))
CUT(by_num_tasks, num_tasks(amount))
CUT(by_strict_grainsize, grainsize(strict : amount))
CUT(by_strict_num_tasks, num_tasks(strict : amount))

static void pieces(void) {
  CHECK(plain(0).pieces >= 1);
  for (int amount = 1; amount <= 200; amount = amount * 2 + 1) {
    struct cut cut = by_grainsize(amount);
    int least = amount < length ? amount : length;
    CHECK(cut.least >= least && cut.most < 2 * amount);
    cut = by_strict_grainsize(amount);
#ifndef __clang__  // Clang 19 forgets the word strict
    CHECK_EQ(cut.pieces, (length + amount - 1) / amount);
    CHECK_EQ(cut.most, least);
#endif
    cut = by_num_tasks(amount);
    CHECK_EQ(cut.pieces, amount < length ? amount : length);
    CHECK(cut.most - cut.least <= 1);
    cut = by_strict_num_tasks(amount);
    CHECK_EQ(cut.pieces, amount < length ? amount : length);
    CHECK(cut.most - cut.least <= 1);
  }
}

static void types_and_steps(void) {
  unsigned long long sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(3) shared(sum)
    for (int i = 100; i > 0; i -= 7) {
#pragma omp atomic
      sum += i;
    }
#pragma omp taskloop num_tasks(4) shared(sum)
    for (unsigned long long i = ULLONG_MAX - 30; i < ULLONG_MAX - 2; i += 3) {
#pragma omp atomic
      sum += ULLONG_MAX - i;
    }
#pragma omp taskloop shared(sum)
    for (long i = -40; i <= 40; i += 2) {
#pragma omp atomic
      sum += i + 40;
    }
#pragma omp taskloop shared(sum)
    for (int i = 5; i < 5; i++) {
#pragma omp atomic
      sum += 1000000;
    }
  }
  CHECK_EQ(sum, (100 + 93 + 86 + 79 + 72 + 65 + 58 + 51 + 44 + 37 + 30 + 23 + 16 + 9 + 2) +
                    (30 + 27 + 24 + 21 + 18 + 15 + 12 + 9 + 6 + 3) + 41 * 40);
}

static void data_clauses(void) {
  int last = -1, first = 50, scratch = 9, i, total = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop lastprivate(last, i) firstprivate(first) private(scratch) shared(total) \
    grainsize(7)
    for (i = 0; i < 60; i++) {
      scratch = i;
      last = first + scratch;
#pragma omp atomic
      total++;
    }
    CHECK_EQ(last, 109);
    CHECK_EQ(i, 60);
  }
  CHECK_EQ(scratch, 9);
  CHECK_EQ(total, 60);
}

static void reductions(void) {
  int sum = 1, tasks = 0, bins[8] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(+ : sum, bins) grainsize(5)
    for (int i = 0; i < 80; i++) {
      sum += i;
      bins[i % 8]++;
    }
    CHECK_EQ(sum, 3161);
#pragma omp taskgroup task_reduction(+ : tasks)
    {
#pragma omp task in_reduction(+ : tasks)
      tasks += 1000;
#pragma omp taskloop in_reduction(+ : tasks) num_tasks(6)
      for (int i = 0; i < 30; i++) {
        tasks++;
      }
#pragma omp taskloop in_reduction(+ : tasks) nogroup
      for (int i = 0; i < 30; i++) {
        tasks++;
      }
    }
    CHECK_EQ(tasks, 1060);
  }
  for (int i = 0; i < 8; i++) {
    CHECK_EQ(bins[i], 10);
  }
}

static void nogroup_and_if(void) {
  int count = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop nogroup num_tasks(10)
    for (int i = 0; i < 50; i++) {
#pragma omp atomic
      count++;
    }
#pragma omp taskwait
    CHECK_EQ(count, 50);
    int me = omp_get_thread_num();
#pragma omp taskloop if (0) num_tasks(5)
    for (int i = 0; i < 50; i++) {
      CHECK_EQ(omp_get_thread_num(), me);
#pragma omp atomic
      count++;
    }
    CHECK_EQ(count, 100);
#pragma omp taskloop final(1) num_tasks(5) untied mergeable priority(2)
    for (int i = 0; i < 50; i++) {
      CHECK(omp_in_final());
#pragma omp atomic
      count++;
    }
    CHECK_EQ(count, 150);
  }
}

// Every member meets the construct: each makes tasks for all iterations.
static void by_every_member(void) {
  int count = 0;
#pragma omp parallel
  {
#pragma omp taskloop num_tasks(4)
    for (int i = 0; i < 20; i++) {
#pragma omp atomic
      count++;
    }
  }
  CHECK_EQ(count, 20 * team_size());
}

static void collapse_and_simd(void) {
  int grid[10][12] = {{0}}, sum = 0;
  float values[100] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop collapse(2) grainsize(11)
    for (int i = 0; i < 10; i++) {
      for (int j = 0; j < 12; j++) {
        grid[i][j]++;
      }
    }
#pragma omp taskloop simd grainsize(9) reduction(+ : sum)
    for (int i = 0; i < 100; i++) {
      values[i] = (float)i;
      sum += i;
    }
  }
  for (int i = 0; i < 120; i++) {
    CHECK_EQ((&grid[0][0])[i], 1);
  }
  CHECK_EQ(sum, 4950);
  CHECK(values[99] == 99);
}

static void combined_constructs(void) {
  int count = 0, sum = 0;
  float values[64] = {0};
#ifndef __clang__  // Clang 19 makes nothing of masked taskloop and parallel master taskloop simd
#pragma omp parallel masked taskloop num_tasks(8) reduction(+ : sum)
  for (int i = 0; i < 40; i++) {
    sum += i;
  }
  CHECK_EQ(sum, 780);
#pragma omp parallel
#pragma omp masked taskloop grainsize(3) shared(count)
  for (int i = 0; i < 40; i++) {
#pragma omp atomic
    count++;
  }
  CHECK_EQ(count, 40);
#pragma omp parallel master taskloop simd
  for (int i = 0; i < 64; i++) {
    values[i] += 1;
  }
  CHECK(values[63] == 1);
#endif
#pragma omp parallel master taskloop num_tasks(3) reduction(+ : sum)
  for (int i = 0; i < 40; i++) {
    sum += i;
  }
  CHECK_EQ(sum % 780, 0);
#pragma omp parallel
#pragma omp master taskloop simd
  for (int i = 0; i < 64; i++) {
    values[i] += 2;
  }
  CHECK(values[63] >= 2);
}

static void nested_taskloops(void) {
  int count = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 8; i++) {
#pragma omp taskloop grainsize(2)
    for (int j = 0; j < 10; j++) {
#pragma omp task
      {
#pragma omp atomic
        count++;
      }
    }
  }
  CHECK_EQ(count, 80);
}

static void test(void) {
  pieces();
  types_and_steps();
  data_clauses();
  reductions();
  nogroup_and_if();
  by_every_member();
  collapse_and_simd();
  combined_constructs();
  nested_taskloops();
}
