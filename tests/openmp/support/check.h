// SPDX-License-Identifier: Apache-2.0
// Harness of the conformance programs in C and C++. A program includes this file once and defines
// test(). The harness calls it once or, with TEST_NESTED=1, in each member of an outer team of two:
// what a program shares must therefore be automatic, or indexed by instance().
#ifndef KASURI_TESTS_OPENMP_CHECK_H
#define KASURI_TESTS_OPENMP_CHECK_H

#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test(void);

static int check_failures;
static bool check_told[1000];  // by line: a check in a loop speaks once

static inline void check_count(const char* file, int line, const char* what) {
  __atomic_fetch_add(&check_failures, 1, __ATOMIC_RELAXED);
  if (!__atomic_exchange_n(&check_told[line], true, __ATOMIC_RELAXED)) {
    printf("FAIL %s:%d %s\n", file, line, what);
  }
}

static inline void check_true(bool holds, const char* file, int line, const char* what) {
  if (!holds) {
    check_count(file, line, what);
  }
}

static inline void check_equal(long long got, long long wanted, const char* file, int line,
                               const char* what) {
  if (got != wanted) {
    char text[256];
    snprintf(text, sizeof text, "%s: %lld, not %lld", what, got, wanted);
    check_count(file, line, text);
  }
}

// Macros, because a function cannot know the text and the line of the check.
#define CHECK(condition) check_true((condition), __FILE__, __LINE__, #condition)
#define CHECK_EQ(got, wanted) check_equal((got), (wanted), __FILE__, __LINE__, #got " == " #wanted)

static inline bool is_nested(void) {
  const char* value = getenv("TEST_NESTED");
  return value != NULL && value[0] == '1';
}

// Which of the concurrent calls of test() this thread works for.
static inline int instance(void) { return is_nested() ? omp_get_ancestor_thread_num(1) : 0; }

enum { instances = 2 };

// The nesting level at which test() is called.
static inline int base_level(void) { return is_nested() ? 1 : 0; }

// Members of a region without num_threads.
static inline int team_size(void) { return omp_get_max_threads(); }

// Whether the named stock runtime runs the program and a check has to be left out for its bug.
static inline bool known_bug(const char* stock, const char* reason) {
  const char* runtime = getenv("TEST_STOCK");
  bool known = runtime != NULL && strcmp(runtime, stock) == 0;
  if (known && getenv("TEST_VERBOSE") != NULL) {
    fprintf(stderr, "left out for %s: %s\n", stock, reason);
  }
  return known;
}

static inline int atomic_get(const int* from) {
  return __atomic_load_n(from, __ATOMIC_ACQUIRE);  // pairs with atomic_set and atomic_add
}

static inline void atomic_set(int* to, int value) {
  __atomic_store_n(to, value, __ATOMIC_RELEASE);  // pairs with atomic_get
}

static inline int atomic_add(int* to, int value) {
  return __atomic_fetch_add(to, value, __ATOMIC_ACQ_REL);  // pairs with atomic_get and itself
}

int main(void) {
  if (is_nested()) {
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(instances)
    {
      CHECK_EQ(omp_get_num_threads(), instances);
      test();
    }
  } else {
    test();
  }
  return check_failures == 0 ? 0 : 1;
}

#endif
