// SPDX-License-Identifier: Apache-2.0
// Members that sleep when tasks are queued are woken for them, as many as there are tasks, wherever
// they wait. Tasks meet each other, so too few members never end one; the meetings give up after a
// while.
// test: threads=2,4 nested=no env=OMP_WAIT_POLICY=passive
#include "support/check.h"

#include <unistd.h>

static void sleep_ms(unsigned ms) { usleep(1000 * ms); }

// Long after the others had nothing to do.
static void let_others_sleep(void) { sleep_ms(30); }

// Whether n callers have met.
static bool meet(int* arrived, int n) {
  const double limit = 70;
  double since = omp_get_wtime();
  atomic_add(arrived, 1);
  while (atomic_get(arrived) < n) {
    if (omp_get_wtime() - since > limit) {
      return false;
    }
    sleep_ms(1);
  }
  return true;
}

static void tasks_meet(int n) {
  int arrived = 0;
#pragma omp parallel
#pragma omp single
  {
    let_others_sleep();
    for (int i = 0; i < n; i++) {
#pragma omp task shared(arrived)
      CHECK(meet(&arrived, n));
    }
  }
  CHECK_EQ(arrived, n);
}

static void tasks_with_depend_meet(int n) {
  int arrived = 0;
  int place[16];
#pragma omp parallel
#pragma omp single
  {
    let_others_sleep();
    for (int i = 0; i < n; i++) {
#pragma omp task shared(arrived) depend(out : place[i])
      CHECK(meet(&arrived, n));
    }
  }
  CHECK_EQ(arrived, n);
}

static void successors_meet(int n) {
  int arrived = 0;
  int place = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(place) depend(out : place)
    let_others_sleep();
    for (int i = 0; i < n; i++) {
#pragma omp task shared(arrived, place) depend(in : place)
      CHECK(meet(&arrived, n));
    }
  }
  CHECK_EQ(arrived, n);
}

static void tasks_with_priority_meet(int n) {
  int arrived = 0;
#pragma omp parallel
#pragma omp single
  {
    let_others_sleep();
    for (int i = 0; i < n; i++) {
#pragma omp task shared(arrived) priority(1)
      CHECK(meet(&arrived, n));
    }
  }
  CHECK_EQ(arrived, n);
}

static void iterations_meet(int n) {
  int arrived = 0;
#pragma omp parallel
#pragma omp single
  {
    let_others_sleep();
#pragma omp taskloop shared(arrived) num_tasks(n)
    for (int i = 0; i < n; i++) {
      CHECK(meet(&arrived, n));
    }
  }
  CHECK_EQ(arrived, n);
}

// Their parent's member and the one that waits for the parent.
static void two_children_meet(int* arrived) {
  let_others_sleep();
  for (int i = 0; i < 2; i++) {
#pragma omp task
    CHECK(meet(arrived, 2));
  }
#pragma omp taskwait
}

static void helps_in_taskwait(void) {
  int arrived = 0;
  int begun = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(arrived, begun)
    {
      atomic_set(&begun, 1);
      two_children_meet(&arrived);
    }
    while (atomic_get(&begun) == 0) {
      sleep_ms(1);
    }
#pragma omp taskwait
  }
  CHECK_EQ(arrived, 2);
}

static void helps_at_end_of_taskgroup(void) {
  int arrived = 0;
  int begun = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task shared(arrived, begun)
    {
      atomic_set(&begun, 1);
#pragma omp task shared(arrived)
      two_children_meet(&arrived);
    }
    while (atomic_get(&begun) == 0) {
      sleep_ms(1);
    }
  }
  CHECK_EQ(arrived, 2);
}

static void test(void) {
  const int n = team_size();
  tasks_meet(n);
  tasks_with_depend_meet(n);
  successors_meet(n);
  tasks_with_priority_meet(n);
  iterations_meet(n);
  helps_in_taskwait();
  helps_at_end_of_taskgroup();
}
