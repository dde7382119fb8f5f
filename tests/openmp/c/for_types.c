// SPDX-License-Identifier: Apache-2.0
// for over every type of loop variable, up and down, with odd steps and at the ends of the types.
#include "support/check.h"

#include <limits.h>
#include <stdint.h>

#define PRAGMA(text) _Pragma(#text)

// Sums f(i) over the loop once serially and once per schedule; counts iterations too.
// A macro, as C has no templates.
#define LOOP_UNDER(schedule_text, type, from, condition, step)       \
  {                                                                  \
    uint64_t sum = 0, count = 0;                                     \
    PRAGMA(omp parallel for schedule_text reduction(+ : sum, count)) \
    for (type i = from; condition; step) {                           \
      sum += mix((uint64_t)i);                                       \
      count++;                                                       \
    }                                                                \
    CHECK(sum == wanted_sum);                                        \
    CHECK_EQ(count, wanted_count);                                   \
  }

#define LOOP(type, from, condition, step)                                 \
  {                                                                       \
    uint64_t wanted_sum = 0, wanted_count = 0;                            \
    for (type i = from; condition; step) {                                \
      wanted_sum += mix((uint64_t)i);                                     \
      wanted_count++;                                                     \
    }                                                                     \
    LOOP_UNDER(, type, from, condition, step)                             \
    LOOP_UNDER(schedule(static, 3), type, from, condition, step)          \
    LOOP_UNDER(schedule(dynamic), type, from, condition, step)            \
    LOOP_UNDER(schedule(dynamic, 4), type, from, condition, step)         \
    LOOP_UNDER(schedule(guided, 2), type, from, condition, step)          \
    LOOP_UNDER(schedule(runtime), type, from, condition, step)            \
    LOOP_UNDER(schedule(dynamic, 2) ordered, type, from, condition, step) \
    LOOP_UNDER(schedule(static) ordered, type, from, condition, step)     \
  }

static uint64_t mix(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15u;
  return x ^ x >> 29;
}

// GCC 12 computes the number of iterations and the starts of chunks in the variable's own type, and
// takes a step down of an unsigned type of up to 32 bits for a huge step up: hence these ranges.
static void narrow_types(void) {
  LOOP(signed char, -20, i < 20, i++)
  LOOP(signed char, 20, i > -20, i--)
  LOOP(unsigned char, 0, i < 200, i++)
  LOOP(short, -300, i <= 300, i += 11)
  LOOP(unsigned short, 60000, i < 65000, i += 100)
}

static void int_types(void) {
  LOOP(int, 0, i < 1, i++)
  LOOP(int, 0, i < 100, i++)
  LOOP(int, 0, i <= 100, ++i)
  LOOP(int, 100, i > 0, i--)
  LOOP(int, 100, i >= 0, --i)
  LOOP(int, -50, i < 51, i += 7)
  LOOP(int, 50, i > -51, i = i - 7)
  LOOP(int, 3, i != 33, i++)
  LOOP(int, INT_MIN, i < INT_MIN + 100, i += 9)
  LOOP(int, INT_MAX - 100, i < INT_MAX - 8, i += 9)
  LOOP(int, INT_MIN, i < -300000000, i += 200000000)
  LOOP(int, INT_MAX, i > 300000000, i -= 200000000)
  LOOP(unsigned, 0, i < 100, i += 3)
  LOOP(unsigned, 4000000000u, i < 4000000100u, i++)
  LOOP(unsigned, 2000000000u, i < 4000000000u, i += 300000000u)
}

static void long_types(void) {
  LOOP(long, 0, i < 77, i++)
  LOOP(long, -3000000000, i < 3000000000, i += 100000000)
  LOOP(long, LONG_MAX - 50, i < LONG_MAX - 3, i += 2)
  LOOP(long, LONG_MIN + 50, i > LONG_MIN + 3, i -= 2)
  LOOP(long, LONG_MIN, i < -LONG_MAX / 8, i += LONG_MAX / 20)
  LOOP(long, LONG_MAX, i > LONG_MAX / 8, i -= LONG_MAX / 20)
  LOOP(unsigned long, 0, i < 100, i += 3)
  LOOP(unsigned long, ULONG_MAX - 50, i < ULONG_MAX - 3, i++)
  LOOP(unsigned long, ULONG_MAX - 3, i > ULONG_MAX - 50, i--)
  LOOP(unsigned long, 0, i < ULONG_MAX - ULONG_MAX / 10, i += ULONG_MAX / 30)
  LOOP(unsigned long, ULONG_MAX, i > ULONG_MAX / 10, i -= ULONG_MAX / 30)
  LOOP(unsigned long long, 10, i <= 100, i += 3)
  LOOP(unsigned long long, ULLONG_MAX / 2 - 20, i < ULLONG_MAX / 2 + 20, i++)
#ifdef __clang__
  LOOP(unsigned char, 200, i > 3, i -= 3)
  LOOP(unsigned, 100u, i > 5u, i -= 5)
#endif
  LOOP(size_t, 0, i < 33, i++)
}

static void pointers(void) {
  int values[120];
  long sum = 0;
  for (int i = 0; i < 120; i++) {
    values[i] = i;
  }
#pragma omp parallel for schedule(dynamic, 7) reduction(+ : sum)
  for (int* at = values; at < values + 120; at += 2) {
    sum += *at;
  }
  CHECK_EQ(sum, 59 * 60);
#pragma omp parallel for reduction(+ : sum)
  for (int* at = values + 119; at >= values + 60; at--) {
    sum += *at;
  }
  CHECK_EQ(sum, 59 * 60 + (60 + 119) * 30);
}

static void empty_loops(void) {
  int ran = 0;
  for (int end = -2; end <= 0; end++) {
#pragma omp parallel
    {
#pragma omp for
      for (int i = 0; i < end; i++) {
        ran = 1;
      }
#pragma omp for schedule(dynamic)
      for (int i = 0; i < end; i++) {
        ran = 1;
      }
#pragma omp for schedule(guided) nowait
      for (unsigned long i = 5; i < (unsigned long)(5 + end); i += 2) {
        ran = 1;
      }
#pragma omp for schedule(runtime) ordered
      for (long i = end; i > 0; i--) {
        ran = 1;
      }
#pragma omp for collapse(2) schedule(static, 2)
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < end; j++) {
          ran = 1;
        }
      }
    }
  }
  CHECK_EQ(ran, 0);
}

// The bounds are evaluated once by a member at most, never per iteration.
static void changed_bounds(void) {
  int end = 40, count = 0;
#pragma omp parallel for reduction(+ : count) firstprivate(end) schedule(dynamic)
  for (int i = 0; i < end; i++) {
    end = 3;
    count++;
  }
  CHECK_EQ(count, 40);
}

static void test(void) {
  omp_set_schedule(omp_sched_dynamic, 3);
  narrow_types();
  int_types();
  long_types();
  pointers();
  empty_loops();
  changed_bounds();
}
