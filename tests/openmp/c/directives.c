// SPDX-License-Identifier: Apache-2.0
// The rest: loop, metadirective, error, nothing, declare variant and simd, tile, unroll.
#include "support/check.h"

static void loop_construct(void) {
  int values[60] = {0}, sum = 0;
#pragma omp parallel
  {
#pragma omp loop bind(parallel) reduction(+ : sum)
    for (int i = 0; i < 60; i++) {
      sum += i;
    }
#pragma omp loop bind(thread)
    for (int i = 0; i < 3; i++) {
    }
  }
  CHECK_EQ(sum, 1770);
#pragma omp parallel loop collapse(2)
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 10; j++) {
      values[i * 10 + j]++;
    }
  }
  for (int i = 0; i < 60; i++) {
    CHECK_EQ(values[i], 1);
  }
}

#ifdef __clang__  // GCC 12 ignores metadirective, tile and unroll
static void chosen_directives(void) {
  int members = 0, sum = 0;
#pragma omp metadirective when(implementation = {vendor(gnu)} : single) default(parallel)
  {
#pragma omp atomic
    members++;
  }
  CHECK_EQ(members, team_size());
#pragma omp metadirective when(user = {condition(0)} : parallel for) default(nothing)
  for (int i = 0; i < 10; i++) {
    sum += i;
  }
  CHECK_EQ(sum, 45);
}

static void changed_loops(void) {
  int order[100], next = 0, sum = 0;
#pragma omp tile sizes(4, 5)
  for (int i = 0; i < 10; i++) {
    for (int j = 0; j < 10; j++) {
      order[next++] = i * 10 + j;
    }
  }
  CHECK_EQ(next, 100);
  CHECK_EQ(order[5], 10);
#pragma omp parallel for reduction(+ : sum)
#pragma omp unroll partial(3)
  for (int i = 0; i < 100; i++) {
    sum += i;
  }
  CHECK_EQ(sum, 4950);
}
#else
static void chosen_directives(void) {}
static void changed_loops(void) {}
#endif

static int general(int x) { return x + 1; }
static int in_parallel(int x) { return x + 2; }
#pragma omp declare variant(in_parallel) match(construct = {parallel})
static int varied(int x) { return general(x); }

#pragma omp declare simd uniform(a) linear(i) notinbranch
static float scaled(float a, int i) { return a * (float)i; }

static void declared_functions(void) {
  int inside = 0;
  float sum = 0;
  CHECK_EQ(varied(1), 2);
#pragma omp parallel num_threads(1)
  inside = varied(1);
  CHECK(inside == 3 || inside == 2);
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < 32; i++) {
    sum += scaled(2, i);
  }
  CHECK(sum == 992);
}

static void remarks(void) {
  int count = 0;
#pragma omp nothing
  count++;
  if (count > 100) {
#pragma omp error at(execution) severity(fatal) message("never met")
  }
  CHECK_EQ(count, 1);
}

static void test(void) {
  loop_construct();
  chosen_directives();
  changed_loops();
  declared_functions();
  remarks();
}
