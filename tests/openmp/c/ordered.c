// SPDX-License-Identifier: Apache-2.0
// ordered, with threads and simd, and doacross loops: depend(source) and depend(sink).
#include "support/check.h"

#define PRAGMA(text) _Pragma(#text)

enum { length = 50 };

// A macro, because the schedule is text.
#define IN_ORDER(function, schedule_text)                                   \
  static void function(void) {                                              \
    int order[length], next = 0;                                            \
    PRAGMA(omp parallel for ordered schedule_text)                          \
    for (int i = 0; i < length; i++) {                                      \
      if (i % 7 != 3) { /* an iteration may leave out its ordered region */ \
        PRAGMA(omp ordered)                                                 \
        order[next++] = i;                                                  \
      }                                                                     \
    }                                                                       \
    int at = 0;                                                             \
    for (int i = 0; i < length; i++) {                                      \
      if (i % 7 != 3) {                                                     \
        CHECK_EQ(order[at], i);                                             \
        at++;                                                               \
      }                                                                     \
    }                                                                       \
    CHECK_EQ(next, at);                                                     \
  }

IN_ORDER(plain, )
IN_ORDER(static_1, schedule(static, 1))
IN_ORDER(static_5, schedule(static, 5))
IN_ORDER(dynamic_1, schedule(dynamic))
IN_ORDER(dynamic_4, schedule(dynamic, 4))
IN_ORDER(guided_2, schedule(guided, 2))
IN_ORDER(runtime, schedule(runtime))
IN_ORDER(automatic, schedule(auto))

static void downwards_and_wide(void) {
  int next = 0;
  unsigned long long order[50];
#pragma omp parallel for ordered schedule(dynamic, 2)
  for (unsigned long long i = 50; i > 0; i--) {
#pragma omp ordered
    order[next++] = i;
  }
  for (int i = 0; i < 50; i++) {
    CHECK_EQ(order[i], 50 - i);
  }
  next = 0;
#pragma omp parallel for ordered collapse(2) schedule(static, 3)
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 10; j++) {
#pragma omp ordered threads
      order[next++] = (unsigned long long)(i * 10 + j);
    }
  }
  for (int i = 0; i < 50; i++) {
    CHECK_EQ(order[i], i);
  }
}

static void two_loops(void) {
  int sum = 0, trace[60], next = 0;
#pragma omp parallel
  {
    for (int round = 0; round < 3; round++) {
#pragma omp for ordered schedule(dynamic) nowait
      for (int i = 0; i < 20; i++) {
        int square = i * i;
#pragma omp ordered
        {
          sum += square;
          trace[round * 20 + i] = next++ % 20;
        }
      }
#pragma omp barrier
    }
  }
  CHECK_EQ(sum, 3 * 2470);
  for (int i = 0; i < 60; i++) {
    CHECK_EQ(trace[i], i % 20);
  }
}

static void ordered_simd(void) {
  int order[64], next = 0;
#pragma omp simd
  for (int i = 0; i < 64; i++) {
#pragma omp ordered simd
    order[next++] = i;
  }
  CHECK_EQ(order[63], 63);
#ifndef __clang__  // Clang 19 vectorises this loop and forgets the order of the threads
  next = 0;
#pragma omp parallel for simd ordered schedule(static, 4)
  for (int i = 0; i < 64; i++) {
#pragma omp ordered threads simd
    order[next++] = 2 * i;
  }
  for (int i = 0; i < 64; i++) {
    CHECK_EQ(order[i], 2 * i);
  }
#endif
}

// A macro, because the schedule is text: each element needs the two before it.
#define CHAIN(function, schedule_text)                              \
  static void function(void) {                                      \
    unsigned values[length] = {1, 1};                               \
    PRAGMA(omp parallel for ordered(1) schedule_text)               \
    for (int i = 2; i < length; i++) {                              \
      PRAGMA(omp ordered depend(sink : i - 1) depend(sink : i - 2)) \
      values[i] = values[i - 1] + 3 * values[i - 2];                \
      PRAGMA(omp ordered depend(source))                            \
    }                                                               \
    for (int i = 2; i < length; i++) {                              \
      CHECK(values[i] == values[i - 1] + 3 * values[i - 2]);        \
      CHECK(values[i] != 0);                                        \
    }                                                               \
  }

CHAIN(chain, )
CHAIN(chain_static_1, schedule(static, 1))
CHAIN(chain_static_9, schedule(static, 9))
CHAIN(chain_dynamic, schedule(dynamic, 3))
CHAIN(chain_guided, schedule(guided))
CHAIN(chain_runtime, schedule(runtime))

static void wavefront(void) {
  enum { rows = 8, columns = 9 };
  long grid[rows][columns];
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      grid[i][j] = 1;
    }
  }
#pragma omp parallel for ordered(2) schedule(dynamic)
  for (int i = 1; i < rows; i++) {
    for (int j = 1; j < columns; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      grid[i][j] = grid[i - 1][j] + grid[i][j - 1];
#pragma omp ordered depend(source)
    }
  }
  for (int i = 1; i < rows; i++) {
    for (int j = 1; j < columns; j++) {
      CHECK_EQ(grid[i][j], grid[i - 1][j] + grid[i][j - 1]);
    }
  }
  CHECK_EQ(grid[rows - 1][columns - 1], 6435);
}

// A step of two, downwards, and an unsigned variable, whose way down GCC 12 takes for one up.
static void odd_steps(void) {
  int done[60] = {0}, bad = 0;
#pragma omp parallel for ordered(1) schedule(static, 2) reduction(+ : bad)
  for (long i = 58; i > 1; i -= 2) {
#pragma omp ordered depend(sink : i + 4)
    bad += i + 4 <= 58 && done[i + 4] != 1;
    done[i] = 1;
#pragma omp ordered depend(source)
  }
  CHECK_EQ(bad, 0);
#pragma omp parallel for ordered(1) schedule(static, 2) reduction(+ : bad)
  for (unsigned long i = 5; i < 58; i += 2) {
#pragma omp ordered depend(sink : i - 4)
    bad += i >= 9 && done[i - 4] != 2;
    done[i] = 2;
#pragma omp ordered depend(source)
  }
  CHECK_EQ(bad, 0);
}

// A sink that lies outside the loop is no dependence. Clang passes the number of iterations where
// libomp expects the number of the last one, so libomp waits for an iteration that never comes.
static void sinks_outside(void) {
  int grid[8][8] = {{0}}, bad = 0;
  if (known_bug("libomp", "doacross waits for a sink just outside the iteration space")) {
    return;
  }
#pragma omp parallel for ordered(2) schedule(dynamic) reduction(+ : bad)
  for (long i = 0; i < 8; i++) {
    for (long j = 0; j < 8; j++) {
#pragma omp ordered depend(sink : i - 1, j + 1)
      bad += i > 0 && j < 7 && grid[i - 1][j + 1] != 1;
      grid[i][j] = 1;
#pragma omp ordered depend(source)
    }
  }
  CHECK_EQ(bad, 0);
#pragma omp parallel for ordered(2) collapse(2) schedule(static, 2) reduction(+ : bad)
  for (long i = 0; i < 8; i++) {
    for (long j = 0; j < 8; j++) {
#pragma omp ordered depend(sink : i - 1, j + 1)
      bad += i > 0 && j < 7 && grid[i - 1][j + 1] != 2;
      grid[i][j] = 2;
#pragma omp ordered depend(source)
    }
  }
  CHECK_EQ(bad, 0);
}

static void collapsed_doacross(void) {
  int grid[8][8] = {{0}}, bad = 0;
#pragma omp parallel for ordered(2) collapse(2) schedule(dynamic, 2) reduction(+ : bad)
  for (long i = 0; i < 8; i++) {
    for (long j = 0; j < 8; j++) {
#pragma omp ordered depend(sink : i - 1, j)
      bad += i > 0 && grid[i - 1][j] != 1;
      grid[i][j] = 1;
#pragma omp ordered depend(source)
    }
  }
  CHECK_EQ(bad, 0);
}

static void several_doacross_loops(void) {
  int last[12] = {0};
#pragma omp parallel
  for (int round = 0; round < 12; round++) {
#pragma omp for ordered(1) schedule(dynamic) nowait
    for (int i = 1; i < 10; i++) {
#pragma omp ordered depend(sink : i - 1)
      last[round] += i == last[round] + 1;
#pragma omp ordered depend(source)
    }
  }
  for (int round = 0; round < 12; round++) {
    CHECK_EQ(last[round], 9);
  }
}

static void test(void) {
  omp_set_schedule(omp_sched_dynamic, 2);
  plain(), static_1(), static_5(), dynamic_1(), dynamic_4(), guided_2(), runtime(), automatic();
  downwards_and_wide();
  two_loops();
  ordered_simd();
  chain(), chain_static_1(), chain_static_9(), chain_dynamic(), chain_guided(), chain_runtime();
  wavefront();
  odd_steps();
  sinks_outside();
  collapsed_doacross();
  several_doacross_loops();
}
