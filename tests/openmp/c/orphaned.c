// SPDX-License-Identifier: Apache-2.0
// Worksharing outside any region, where the initial thread is a team of one: on the thread of main
// and on others, between regions, and more often than constructs can be open at a time.
// test: nested=no
#include <pthread.h>

#include "support/check.h"

enum { rounds = 30, length = 100 };

// Static: what a construct shares may not be private where it stands. Thread-private copies would
// be.
static int last_value, total, prefix;
static int values[length], prefixes[length];

static void conditional_lastprivate(void) {
  last_value = -1;
#pragma omp for lastprivate(conditional : last_value)
  for (int i = 0; i < length; i++) {
    if (i % 7 == 0) {
      last_value = i;
    }
  }
  CHECK_EQ(last_value, 98);
#pragma omp for schedule(dynamic, 3) lastprivate(conditional : last_value)
  for (int i = 0; i < length; i++) {
    if (i % 8 == 0) {
      last_value = i;
    }
  }
  CHECK_EQ(last_value, 96);
#pragma omp sections lastprivate(conditional : last_value)
  {
#pragma omp section
    last_value = 1;
#pragma omp section
    last_value = 2;
#pragma omp section
    values[0] = 0;
  }
  CHECK_EQ(last_value, 2);
}

#ifndef __clang__  // Clang 19 knows no scope, and its scans outside regions compute nothing
static void scope_reduction(void) {
  total = 1;
#pragma omp scope reduction(task, + : total)
  {
#pragma omp task in_reduction(+ : total)
    total += 5;
  }
  CHECK_EQ(total, 6);
}

static void scans(void) {
  prefix = 0;
#pragma omp for reduction(inscan, + : prefix)
  for (int i = 0; i < length; i++) {
    prefix += values[i];
#pragma omp scan inclusive(prefix)
    prefixes[i] = prefix;
  }
  CHECK_EQ(prefixes[length - 1], length * (length - 1) / 2);
  CHECK_EQ(prefix, length * (length - 1) / 2);
  prefix = 0;
#pragma omp for reduction(inscan, + : prefix)
  for (int i = 0; i < length; i++) {
    prefixes[i] = prefix;
#pragma omp scan exclusive(prefix)
    prefix += values[i];
  }
  CHECK_EQ(prefixes[length - 1], (length - 1) * (length - 2) / 2);
}
#endif

static void task_reductions(void) {
  total = 0;
#pragma omp for reduction(task, + : total)
  for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : total)
    total += i;
  }
  CHECK_EQ(total, 45);
#pragma omp sections reduction(task, + : total)
  {
#pragma omp section
    {
#pragma omp task in_reduction(+ : total)
      total += 5;
    }
#pragma omp section
    total += 2;
  }
  CHECK_EQ(total, 52);
}

static void plain_constructs(void) {
  static int ran, copied;
  ran = 0;
  for (int round = 0; round < 10; round++) {
#pragma omp for ordered schedule(dynamic) nowait
    for (int i = 0; i < 3; i++) {
#pragma omp ordered
      ran++;
    }
#pragma omp single nowait
    ran++;
#pragma omp sections nowait
    {
#pragma omp section
      ran++;
    }
#pragma omp for ordered(1)
    for (int i = 1; i < 4; i++) {
#pragma omp ordered depend(sink : i - 1)
      ran++;
#pragma omp ordered depend(source)
    }
#pragma omp barrier
  }
  CHECK_EQ(ran, 10 * 8);
  int mine = 0;
#pragma omp parallel num_threads(1) private(mine)
  {
#pragma omp single copyprivate(mine)
    mine = 7;
    copied = mine;
  }
  CHECK_EQ(copied, 7);
}

static void all(void) {
  for (int i = 0; i < length; i++) {
    values[i] = i;
  }
  for (int round = 0; round < rounds; round++) {
    conditional_lastprivate();
#ifndef __clang__
    scope_reduction();
    scans();
#endif
    task_reductions();
    plain_constructs();
  }
}

static void* on_thread(void* unused) {
  all();
  return unused;
}

static void test(void) {
  all();
  int members = 0;
#pragma omp parallel reduction(+ : members)
  members++;
  CHECK_EQ(members, team_size());
  all();
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, on_thread, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
}
