// SPDX-License-Identifier: Apache-2.0
// What the OMP_* variables set, seen through the routines.
// test: nested=no env=OMP_SCHEDULE=monotonic:dynamic,5 env=OMP_MAX_ACTIVE_LEVELS=4
// test: env=OMP_MAX_TASK_PRIORITY=9 env=OMP_THREAD_LIMIT=20 env=OMP_CANCELLATION=true
// test: env=OMP_DYNAMIC=true env=OMP_NUM_TEAMS=3 env=OMP_TEAMS_THREAD_LIMIT=2
// test: env=OMP_AFFINITY_FORMAT=n=%n env=OMP_STACKSIZE=3M env=OMP_DEFAULT_DEVICE=0
#include "support/check.h"

static void settings(void) {
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  CHECK_EQ((unsigned)kind, (unsigned)omp_sched_dynamic | (unsigned)omp_sched_monotonic);
  CHECK_EQ(chunk, 5);
  CHECK_EQ(omp_get_max_active_levels(), 4);
  CHECK_EQ(omp_get_max_task_priority(), 9);
  CHECK_EQ(omp_get_thread_limit(), 20);
  CHECK_EQ(omp_get_cancellation(), 1);
  CHECK_EQ(omp_get_dynamic(), 1);
  CHECK_EQ(omp_get_max_teams(), 3);
  CHECK_EQ(omp_get_teams_thread_limit(), 2);
  CHECK_EQ(omp_get_default_device(), 0);
  char text[20];
  omp_get_affinity_format(text, sizeof text);
  CHECK(strcmp(text, "n=%n") == 0);
}

static __attribute__((noinline)) int deep(int levels) {
  volatile char frame[1000];
  frame[levels % 1000] = 1;
  return levels == 0 ? frame[0] : deep(levels - 1) + frame[levels % 1000];
}

// 2.2 of the 3 MB of OMP_STACKSIZE, on every member's stack, in tasks too.
static void stack_size(void) {
  omp_set_dynamic(0);
#pragma omp parallel
  CHECK_EQ(deep(2000), 2001);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 4; i++) {
#pragma omp task
    CHECK_EQ(deep(2000), 2001);
  }
}

static void limit_of_threads(void) {
  int members = 0;
#pragma omp parallel num_threads(64) reduction(+ : members)
  members++;
  CHECK(members >= 1 && members <= 20);
}

static void test(void) {
  settings();
  stack_size();
  limit_of_threads();
}
