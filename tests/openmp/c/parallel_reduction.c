// SPDX-License-Identifier: Apache-2.0
// reduction on parallel: every operator over the types it takes, arrays, sections, user-declared.
#include "support/check.h"

#include <complex.h>
#include <limits.h>
#include <stdint.h>

#define PRAGMA(text) _Pragma(#text)
// A macro, as C has no templates: the sums of 0..n-1, the product of 2s, and minimum and maximum.
#define ARITHMETIC(name, type)                                                         \
  static void arithmetic_##name(void) {                                                \
    type sum = 10, difference = 10, product = 3, least = 100, most = 0;                \
    int n = 0;                                                                         \
    PRAGMA(omp parallel num_threads(5) reduction(+ : sum, n) reduction(- : difference) \
               reduction(* : product) reduction(min : least) reduction(max : most)) {  \
      int me = omp_get_thread_num();                                                   \
      n++;                                                                             \
      sum += (type)(me + 1);                                                           \
      difference -= (type)1;                                                           \
      product *= (type)2;                                                              \
      if ((type)(50 + me) < least) {                                                   \
        least = (type)(50 + me);                                                       \
      }                                                                                \
      if ((type)(50 + me) > most) {                                                    \
        most = (type)(50 + me);                                                        \
      }                                                                                \
    }                                                                                  \
    CHECK_EQ(n, 5);                                                                    \
    CHECK(sum == (type)25);                                                            \
    CHECK(difference == (type)5);                                                      \
    CHECK(product == (type)96);                                                        \
    CHECK(least == (type)50);                                                          \
    CHECK(most == (type)54);                                                           \
  }

ARITHMETIC(char, signed char)
ARITHMETIC(uchar, unsigned char)
ARITHMETIC(short, short)
ARITHMETIC(ushort, unsigned short)
ARITHMETIC(int, int)
ARITHMETIC(unsigned, unsigned)
ARITHMETIC(long, long)
ARITHMETIC(ulong, unsigned long)
ARITHMETIC(llong, long long)
ARITHMETIC(int128, __int128)
ARITHMETIC(float, float)
ARITHMETIC(double, double)
ARITHMETIC(ldouble, long double)

static void complex_numbers(void) {
  double complex sum = 1, product = 1;
  float complex small = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum, small) reduction(* : product)
  {
    sum += 1 + 2 * I;
    small += 1 - I;
    product *= I;
  }
  CHECK(creal(sum) == 5 && cimag(sum) == 8);
  CHECK(crealf(small) == 4 && cimagf(small) == -4);
  CHECK(creal(product) == 1 && cimag(product) == 0);
}

static void bit_operators(void) {
  unsigned all = 0xffu, any = 0, odd = 0;
  bool both = true, either = false;
#pragma omp parallel num_threads(7) reduction(& : all) reduction(| : any) reduction(^ : odd)
  {
    int me = omp_get_thread_num();
    all &= ~(1u << me);
    any |= 1u << me;
    odd ^= 3u;
  }
  CHECK_EQ(all, 0x80);
  CHECK_EQ(any, 0x7f);
  CHECK_EQ(odd, 3);
#pragma omp parallel num_threads(7) reduction(&& : both) reduction(|| : either)
  {
    both = both && omp_get_thread_num() != 3;
    either = either || omp_get_thread_num() == 6;
  }
  CHECK(!both);
  CHECK(either);
}

static void identities(void) {
#pragma omp parallel num_threads(2)
  {
    int least = 0, most = 0, all = 0, product = 0;
    unsigned long long wide = 0;
#pragma omp parallel num_threads(1) reduction(min : least) reduction(max : most) \
    reduction(& : all) reduction(* : product) reduction(max : wide)
    {
      CHECK_EQ(least, INT_MAX);
      CHECK_EQ(most, INT_MIN);
      CHECK_EQ(all, -1);
      CHECK_EQ(product, 1);
      CHECK(wide == 0);
      wide = ULLONG_MAX;
    }
    CHECK(wide == ULLONG_MAX);
    CHECK_EQ(product, 0);
  }
}

static void arrays_and_sections(int length) {
  int whole[10] = {0}, part[20], variable[length];
  int* pointer = part;
  for (int i = 0; i < 20; i++) {
    part[i] = 1;
  }
  for (int i = 0; i < length; i++) {
    variable[i] = i;
  }
#pragma omp parallel num_threads(4) reduction(+ : whole, variable) reduction(+ : pointer[5 : 10])
  {
    for (int i = 0; i < 10; i++) {
      CHECK_EQ(whole[i], 0);
      whole[i] += i;
      pointer[5 + i] += 2;
    }
    for (int i = 0; i < length; i++) {
      variable[i]++;
    }
  }
  for (int i = 0; i < 10; i++) {
    CHECK_EQ(whole[i], 4 * i);
  }
  for (int i = 0; i < 20; i++) {
    CHECK_EQ(part[i], i >= 5 && i < 15 ? 9 : 1);
  }
  for (int i = 0; i < length; i++) {
    CHECK_EQ(variable[i], i + 4);
  }
}

struct range {
  int low, high, members;
};

static void widen(struct range* out, const struct range* in) {
  out->low = in->low < out->low ? in->low : out->low;
  out->high = in->high > out->high ? in->high : out->high;
  out->members += in->members;
}

static void start_from(struct range* out, const struct range* original) {
  out->low = out->high = original->low;
  out->members = 0;
}

#pragma omp declare reduction(widen : struct range : widen(&omp_out, &omp_in)) \
    initializer(start_from(&omp_priv, &omp_orig))
#pragma omp declare reduction(most_bits                                                            \
:unsigned : omp_out = __builtin_popcount(omp_in) > __builtin_popcount(omp_out) ? omp_in : omp_out) \
    initializer(omp_priv = 0)

static void user_declared(void) {
  struct range found = {50, 50, 0};
  unsigned bits = 0;
#pragma omp parallel num_threads(6) reduction(widen : found) reduction(most_bits : bits)
  {
    int me = omp_get_thread_num();
    struct range mine = {40 + 3 * me, 41 + 3 * me, 1};
    widen(&found, &mine);
    bits = (1u << me) - 1;
  }
  CHECK_EQ(found.low, 40);
  CHECK_EQ(found.high, 56);
  CHECK_EQ(found.members, 6);
  CHECK_EQ(bits, 31);
}

// Long private copies: the sum of 16 members must wait for none and lose none.
static void long_array(void) {
  enum { length = 1000 };
  static long sums[instances][length];
  long(*mine) = sums[instance()];
  memset(mine, 0, sizeof sums[0]);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel reduction(+ : mine[ : length])
    for (int i = 0; i < length; i++) {
      mine[i] += i;
    }
  }
  for (int i = 0; i < length; i++) {
    CHECK_EQ(mine[i], 3L * i * team_size());
  }
}

static void test(void) {
  arithmetic_char();
  arithmetic_uchar();
  arithmetic_short();
  arithmetic_ushort();
  arithmetic_int();
  arithmetic_unsigned();
  arithmetic_long();
  arithmetic_ulong();
  arithmetic_llong();
  arithmetic_int128();
  arithmetic_float();
  arithmetic_double();
  arithmetic_ldouble();
  complex_numbers();
  bit_operators();
  identities();
  arrays_and_sections(13);
  user_declared();
  long_array();
}
