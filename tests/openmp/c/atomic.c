// SPDX-License-Identifier: Apache-2.0
// atomic: read, write, update, capture, compare in all forms, over all types, with all orders.
#include "support/check.h"

#include <complex.h>
#include <stdint.h>

#define PRAGMA(text) _Pragma(#text)

// A macro, as C has no templates. Every member updates each variable a few times; totals are exact.
#define COUNTING(name, type)                                \
  static void count_##name(void) {                          \
    type up = 0, down = 120, twice = 1, read = 0, kept = 0; \
    PRAGMA(omp parallel num_threads(4) private(read))       \
    for (int i = 0; i < 5; i++) {                           \
      PRAGMA(omp atomic)                                    \
      up++;                                                 \
      PRAGMA(omp atomic update)                             \
      up = up + 1;                                          \
      PRAGMA(omp atomic)                                    \
      up += 2;                                              \
      PRAGMA(omp atomic)                                    \
      down -= 3;                                            \
      PRAGMA(omp atomic)                                    \
      down = 100 - down;                                    \
      PRAGMA(omp atomic)                                    \
      twice *= 1;                                           \
      PRAGMA(omp atomic)                                    \
      twice /= 1;                                           \
      PRAGMA(omp atomic read)                               \
      read = up;                                            \
      CHECK(read >= 4 && read <= 80);                       \
      PRAGMA(omp atomic write)                              \
      kept = 7;                                             \
    }                                                       \
    CHECK(up == 80);                                        \
    CHECK(twice == 1);                                      \
    CHECK(kept == 7);                                       \
    CHECK(down == down);                                    \
  }

COUNTING(char, signed char)
COUNTING(uchar, unsigned char)
COUNTING(short, short)
COUNTING(ushort, unsigned short)
COUNTING(int, int)
COUNTING(unsigned, unsigned)
COUNTING(long, long)
COUNTING(ulong, unsigned long)
COUNTING(int128, __int128)
COUNTING(float, float)
COUNTING(double, double)
COUNTING(ldouble, long double)

// Each value captured exactly once: old and new, before and after.
#define CAPTURING(name, type)                                                \
  static void capture_##name(void) {                                         \
    type counter = 0;                                                        \
    char seen[101] = {0};                                                    \
    PRAGMA(omp parallel num_threads(4))                                      \
    for (int i = 0; i < 5; i++) {                                            \
      type a, b, c, d, e;                                                    \
      PRAGMA(omp atomic capture)                                             \
      a = counter++;                                                         \
      PRAGMA(omp atomic capture)                                             \
      b = ++counter;                                                         \
      PRAGMA(omp atomic capture) {                                           \
        c = counter;                                                         \
        counter += 1;                                                        \
      }                                                                      \
      PRAGMA(omp atomic capture) {                                           \
        counter = counter + 1;                                               \
        d = counter;                                                         \
      }                                                                      \
      PRAGMA(omp atomic capture)                                             \
      e = counter += 1;                                                      \
      const int values[] = {(int)a + 1, (int)b, (int)c + 1, (int)d, (int)e}; \
      for (int k = 0; k < 5; k++) {                                          \
        CHECK(values[k] >= 1 && values[k] <= 100);                           \
        PRAGMA(omp atomic)                                                   \
        seen[values[k]]++;                                                   \
      }                                                                      \
    }                                                                        \
    for (int i = 1; i <= 100; i++) {                                         \
      CHECK_EQ(seen[i], 1);                                                  \
    }                                                                        \
  }

CAPTURING(char, signed char)
CAPTURING(ushort, unsigned short)
CAPTURING(int, int)
CAPTURING(long, long)
CAPTURING(int128, __int128)
CAPTURING(float, float)
CAPTURING(double, double)
CAPTURING(ldouble, long double)

static void bits_and_shifts(void) {
  unsigned any = 0, all = ~0u, odd = 0, left = 1;
  long right = 1L << 40;
  unsigned char small = 0xff;
#pragma omp parallel num_threads(8)
  {
    int me = omp_get_thread_num();
#pragma omp atomic
    any |= 1u << me;
#pragma omp atomic
    all &= ~(1u << me);
#pragma omp atomic
    odd ^= 5u;
#pragma omp atomic
    left <<= 1;
#pragma omp atomic
    right >>= 1;
#pragma omp atomic
    small ^= 1 << me;
  }
  CHECK_EQ(any, 0xff);
  CHECK_EQ(all, 0xffffff00);
  CHECK_EQ(odd, 0);
  CHECK_EQ(left, 256);
  CHECK_EQ(right, 1L << 32);
  CHECK_EQ(small, 0);
}

static void reversed_operands(void) {
  int value = 2;
  double ratio = 64;
#pragma omp parallel num_threads(1)
  {
#pragma omp atomic
    value = 10 - value;
#pragma omp atomic
    ratio = 128 / ratio;
#pragma omp atomic
    value = value << 2;
#pragma omp atomic
    value = 3 * value;
  }
  CHECK_EQ(value, 96);
  CHECK(ratio == 2);
}

// Types of both sides differ: the arithmetic is that of the wider one.
static void mixed_types(void) {
  signed char small = 10;
  int whole = 7;
  float real = 1;
#pragma omp parallel num_threads(4)
  {
#pragma omp atomic
    small += 2.5;
#pragma omp atomic
    whole *= 1.0L;
#pragma omp atomic
    real += 1;
#pragma omp atomic
    whole += 1.5f;
  }
  CHECK_EQ(small, 18);
  CHECK_EQ(whole, 11);
  CHECK(real == 5);
}

static void memory_orders(void) {
  int a = 0, b = 0, c = 0, d = 0, seen;
#pragma omp parallel private(seen)
  for (int i = 0; i < 10; i++) {
#pragma omp atomic seq_cst
    a++;
#pragma omp atomic update relaxed
    b++;
#pragma omp atomic capture acq_rel
    seen = c++;
#pragma omp atomic update release
    d++;
#pragma omp atomic read acquire
    seen = d;
#pragma omp atomic read seq_cst hint(omp_sync_hint_contended)
    seen = a;
    CHECK(seen >= 1);
  }
  int all = 10 * team_size();
  CHECK(a == all && b == all && c == all && d == all);
#pragma omp atomic write release
  a = 3;
#pragma omp atomic write seq_cst
  b = 4;
  CHECK(a == 3 && b == 4);
}

static void swaps(void) {
  int token = -1, taken = 0, shared_sum = 0;
#pragma omp parallel reduction(+ : taken)
  {
    int mine = omp_get_thread_num(), old;
#pragma omp atomic capture
    {
      old = token;
      token = mine;
    }
    taken += old;
#pragma omp atomic
    shared_sum += mine;
  }
  CHECK_EQ(taken + token, shared_sum - 1);
}

static void compare_forms(void) {
  int least = 1000, most = -1000, won = 0, owner = -1;
#pragma omp parallel num_threads(6) reduction(+ : won)
  {
    int me = omp_get_thread_num(), seen;
    for (int i = 0; i < 20; i++) {
      int value = (i * 37 + me * 101) % 200;
#pragma omp atomic compare
      least = value < least ? value : least;
#pragma omp atomic compare
      most = value > most ? value : most;
    }
#pragma omp atomic compare capture
    {
      seen = owner;
      if (owner == -1) {
        owner = me;
      }
    }
    won += seen == -1;
  }
  CHECK_EQ(won, 1);
  CHECK(owner >= 0 && owner < 6);
  int expected_least = 1000, expected_most = -1000;
  for (int at = 0; at < 120; at++) {
    int value = (at / 6 * 37 + at % 6 * 101) % 200;
    expected_least = value < expected_least ? value : expected_least;
    expected_most = value > expected_most ? value : expected_most;
  }
  CHECK_EQ(least, expected_least);
  CHECK_EQ(most, expected_most);
}

static void compare_and_swap_loop(void) {
  long sum = 0;
#pragma omp parallel
  for (int i = 1; i <= 20; i++) {
    long seen, wanted;
    int done = 0;
    while (!done) {
#pragma omp atomic read
      seen = sum;
      wanted = seen + i;
#pragma omp atomic compare capture
      {
        done = sum == seen;
        if (done) {
          sum = wanted;
        }
      }
    }
  }
  CHECK_EQ(sum, 210L * team_size());
}

static void pointers_and_fields(void) {
  struct {
    char a;
    int b;
    short c[3];
  } packed = {0, 0, {0}};
  int* pointer = &packed.b;
#pragma omp parallel
  {
#pragma omp atomic
    packed.c[1]++;
#pragma omp atomic
    *pointer += 2;
#pragma omp atomic
    packed.a++;
  }
  CHECK_EQ(packed.c[1], team_size());
  CHECK_EQ(packed.b, 2 * team_size());
  CHECK_EQ(packed.a, team_size());
}

#ifdef __clang__  // GCC 12 takes no complex numbers here
static void complex_numbers(void) {
  double complex wide = 0;
  float complex narrow = 0;
#pragma omp parallel
  {
#pragma omp atomic
    wide += 1 + 2 * I;
#pragma omp atomic
    narrow += 1 - 1 * I;
  }
  CHECK(creal(wide) == team_size() && cimag(wide) == 2 * team_size());
  CHECK(crealf(narrow) == team_size() && cimagf(narrow) == -team_size());
}
#else
static void complex_numbers(void) {}
#endif

static void test(void) {
  count_char(), count_uchar(), count_short(), count_ushort(), count_int(), count_unsigned();
  count_long(), count_ulong(), count_int128(), count_float(), count_double(), count_ldouble();
  capture_char(), capture_ushort(), capture_int(), capture_long(), capture_int128();
  capture_float(), capture_double(), capture_ldouble();
  bits_and_shifts();
  reversed_operands();
  mixed_types();
  memory_orders();
  swaps();
  compare_forms();
  compare_and_swap_loop();
  pointers_and_fields();
  complex_numbers();
}
