// SPDX-License-Identifier: Apache-2.0
// taskgroup task_reduction and in_reduction, nested groups, arrays, user-declared operators.
#include "support/check.h"

struct pair {
  long sum;
  int count;
};

static void add_pair(struct pair* out, const struct pair* in) {
  out->sum += in->sum;
  out->count += in->count;
}

#pragma omp declare reduction(add : struct pair : add_pair(&omp_out, &omp_in)) \
    initializer(omp_priv = (struct pair){0, 0})

static void scalars(void) {
  int sum = 5, product = 1, least = 1000;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product) \
    task_reduction(min : least)
    {
      for (int i = 0; i < 50; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(min : least)
        {
          sum += i;
          least = least < 50 - i ? least : 50 - i;
        }
      }
      for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(* : product)
        product *= 2;
      }
    }
    CHECK_EQ(sum, 1230);
    CHECK_EQ(product, 1024);
    CHECK_EQ(least, 1);
  }
}

static void arrays_of_descendants(void) {
  int sums[4] = {100, 0, 0, 0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sums)
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sums)
      {
        sums[0]++;
        for (int j = 0; j < 3; j++) {
#pragma omp task in_reduction(+ : sums)
          sums[1 + j] += i;
        }
        sums[1]++;
      }
    }
  }
  CHECK_EQ(sums[0], 110);
  CHECK_EQ(sums[1], 55);
  CHECK_EQ(sums[2], 45);
  CHECK_EQ(sums[3], 45);
}

#ifndef __clang__  // Clang 19 says that such a section has the size of one element
static void sections_of_arrays(void) {
  int values[40] = {0}, *section = values;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : section[10 : 20])
    for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : section[10 : 20])
      {
        section[10 + i] += i;
        section[29 - i] += 100;
      }
    }
  }
  for (int i = 0; i < 40; i++) {
    CHECK_EQ(values[i], i < 10 || i >= 30 ? 0 : i - 10 + 100);
  }
}

#else
static void sections_of_arrays(void) {}
#endif

static void user_declared(void) {
  struct pair total = {0, 0};
  double values[100];
  for (int i = 0; i < 100; i++) {
    values[i] = 0;
  }
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(add : total) task_reduction(+ : values)
    for (int i = 0; i < 30; i++) {
#pragma omp task in_reduction(add : total) in_reduction(+ : values)
      {
        total.sum += i;
        total.count++;
        values[i] += i;
        values[99 - i] += 1;
      }
    }
  }
  CHECK_EQ(total.sum, 435);
  CHECK_EQ(total.count, 30);
  CHECK(values[7] == 7 && values[92] == 1 && values[50] == 0);
}

static void nested_groups(void) {
  int outer = 0, inner_total = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : outer)
    for (int i = 0; i < 5; i++) {
#pragma omp task in_reduction(+ : outer) shared(inner_total)
      {
        int inner = 0;
#pragma omp taskgroup task_reduction(+ : inner)
        for (int j = 0; j < 4; j++) {
#pragma omp task in_reduction(+ : inner, outer)
          {
            inner++;
            outer++;
          }
        }
        outer += 100;
#pragma omp atomic
        inner_total += inner;
      }
    }
    CHECK_EQ(outer, 520);
    CHECK_EQ(inner_total, 20);
  }
}

static void undeferred_participants(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum) if (i % 2)
      sum += i;
#pragma omp task in_reduction(+ : sum) final(i % 3 == 0)
      sum += 100;
    }
  }
  CHECK_EQ(sum, 1045);
}

static void repeated(void) {
  long sum = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 20; round++) {
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
      sum += i;
    }
    CHECK_EQ(sum, 45 * (round + 1));
  }
}

// Every member has a taskgroup of its own at once.
static void by_every_member(void) {
  int total = 0;
#pragma omp parallel reduction(+ : total)
  {
    int mine = 0;
#pragma omp taskgroup task_reduction(+ : mine)
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : mine)
      mine += i;
    }
    CHECK_EQ(mine, 45);
    total += mine;
  }
  CHECK_EQ(total, 45 * team_size());
}

static void test(void) {
  scalars();
  arrays_of_descendants();
  sections_of_arrays();
  user_declared();
  nested_groups();
  undeferred_participants();
  repeated();
  by_every_member();
}
