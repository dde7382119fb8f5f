// SPDX-License-Identifier: Apache-2.0
// cancel and cancellation point of parallel, for, sections and taskgroup.
// test: env=OMP_CANCELLATION=true
#include "support/check.h"

static void cancel_parallel(void) {
  int before = 0, after = 0;
  CHECK(omp_get_cancellation());
#pragma omp parallel
  {
    int arrived;
#pragma omp atomic
    before++;
    do {
#pragma omp atomic read
      arrived = before;
    } while (arrived < team_size());
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
    }
    for (;;) {  // ends when the cancellation is seen
#pragma omp cancellation point parallel
    }
#pragma omp atomic
    after++;
  }
  CHECK_EQ(before, team_size());
  CHECK_EQ(after, 0);
#pragma omp parallel reduction(+ : after)
  after++;
  CHECK_EQ(after, team_size());  // the next region is whole again
}

// The others may still be on their way out of the barrier when the first one cancels.
static void cancel_after_a_barrier(void) {
  int before = 0, after = 0;
  if (known_bug("libomp", "hangs when a member cancels before all have left a barrier")) {
    return;
  }
  for (int round = 1; round <= 20; round++) {
#pragma omp parallel
    {
#pragma omp atomic
      before++;
#pragma omp barrier
      if (omp_get_thread_num() == round % omp_get_num_threads()) {
#pragma omp cancel parallel
      }
#pragma omp barrier
#pragma omp atomic
      after++;
    }
    CHECK_EQ(before, round * team_size());
    CHECK_EQ(after, 0);
  }
}

static void cancel_at_a_barrier(void) {
  int passed = 0;
#pragma omp parallel num_threads(3)
  {
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp cancel parallel
    }
#pragma omp barrier  // released although one member never comes
#pragma omp atomic
    passed++;
  }
  CHECK_EQ(passed, 0);
}

static void cancel_with_if(void) {
  int passed = 0;
#pragma omp parallel reduction(+ : passed)
  {
#pragma omp cancel parallel if (passed > 100)
    passed++;
#pragma omp cancel parallel if (cancel : passed == 0)
    passed++;
  }
  CHECK_EQ(passed, 2 * team_size());
}

static void cancel_loop(void) {
  enum { length = 1000 };
  char seen[length] = {0};
  int after = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < length; i++) {
      seen[i]++;
      if (i == 50) {
#pragma omp cancel for
        seen[i] += 100;
      }
#pragma omp cancellation point for
    }
#pragma omp atomic
    after++;
#pragma omp barrier
#pragma omp for reduction(+ : after)
    for (int i = 0; i < 10; i++) {
      after++;
    }
  }
  CHECK_EQ(after, team_size() + 10);
  CHECK_EQ(seen[50], 1);
  for (int i = 0; i < length; i++) {
    CHECK(seen[i] == 0 || seen[i] == 1);
  }
}

static void cancel_static_loop(void) {
  int count = 0, rounds = 0;
#pragma omp parallel
  for (int round = 0; round < 5; round++) {
#pragma omp for schedule(static)
    for (int i = 0; i < 100000; i++) {
#pragma omp cancel for if (i % 100 == 7)
#pragma omp atomic
      count++;
    }
#pragma omp single
    rounds++;
  }
  CHECK_EQ(rounds, 5);
  CHECK(count <= 5 * 100 * team_size());  // a member meets such an iteration within a hundred
}

static void cancel_sections(void) {
  int ran[3] = {0}, after = 0;
#pragma omp parallel num_threads(1) reduction(+ : after)
  {
#pragma omp sections
    {
#pragma omp section
      {
        ran[0]++;
#pragma omp cancel sections
        ran[0] += 10;
      }
#pragma omp section
      {
#pragma omp cancellation point sections
        ran[1]++;
      }
    }
    after++;
  }
  CHECK_EQ(ran[0], 1);
  CHECK_EQ(after, 1);
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections
        ran[2] += 100;
      }
#pragma omp section
      {
#pragma omp cancel sections
        ran[2] += 100;
      }
    }
#pragma omp single
    ran[2]++;
  }
  CHECK_EQ(ran[2], 1);
}

// Tasks of the group that have not begun are dropped; those of others stay.
static void cancel_taskgroup(void) {
  int inside = 0, outside = 0, after = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(outside)
    {
#pragma omp atomic
      outside++;
    }
#pragma omp taskgroup
    {
      for (int i = 0; i < 1000; i++) {
#pragma omp task shared(inside, after)
        {
#pragma omp cancellation point taskgroup
#pragma omp atomic
          inside++;
#pragma omp cancel taskgroup
#pragma omp atomic
          after++;
        }
      }
    }
#pragma omp task shared(outside)
    {
#pragma omp atomic
      outside++;
    }
  }
  CHECK_EQ(outside, 2);
  CHECK_EQ(after, 0);
  CHECK(inside >= 1 && inside <= 1000);
}

static void task_search(int* values, int count, int wanted, int* found) {
#pragma omp task
  {
    if (count <= 4) {
      for (int i = 0; i < count; i++) {
        if (values[i] == wanted) {
#pragma omp atomic write
          *found = 1;
#pragma omp cancel taskgroup
        }
      }
    } else {
      task_search(values, count / 2, wanted, found);
      task_search(values + count / 2, count - count / 2, wanted, found);
    }
  }
}

static void cancelled_search(void) {
  int values[2000], found = 0;
  for (int i = 0; i < 2000; i++) {
    values[i] = i;
  }
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 5; round++) {
    found = 0;
#pragma omp taskgroup
    task_search(values, 2000, 300 * round, &found);
    CHECK_EQ(found, 1);
#pragma omp taskgroup
    task_search(values, 2000, -5, &found);
  }
}

static void cancel_taskloop(void) {
  int count = 0, after = 0;
  if (known_bug("libomp", "a cancelled taskloop of many tasks never ends")) {
    return;
  }
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop num_tasks(500) shared(count)
    for (int i = 0; i < 500; i++) {
#pragma omp atomic
      count++;
#pragma omp cancel taskgroup
    }
#pragma omp taskloop num_tasks(10) shared(after)
    for (int i = 0; i < 10; i++) {
#pragma omp atomic
      after++;
    }
  }
  CHECK(count >= 1 && count <= 500);
  CHECK_EQ(after, 10);
}

static void test(void) {
  cancel_parallel();
  cancel_after_a_barrier();
  cancel_at_a_barrier();
  cancel_with_if();
  cancel_loop();
  cancel_static_loop();
  cancel_sections();
  cancel_taskgroup();
  cancelled_search();
  cancel_taskloop();
}
