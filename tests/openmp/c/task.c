// SPDX-License-Identifier: Apache-2.0
// task: when tasks run, if, final, mergeable, untied, priority, taskwait, taskyield, taskgroup.
#include "support/check.h"

static int fib(int n) {
  if (n < 2) {
    return n;
  }
  int a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void recursive_tasks(void) {
  int result = 0;
#pragma omp parallel
#pragma omp single
  result = fib(15);
  CHECK_EQ(result, 610);
  if (!is_nested()) {
    CHECK_EQ(fib(8), 21);  // outside of any region
  }
}

static void all_done_at_the_barrier(void) {
  int count = 0, bad = 0;
#pragma omp parallel reduction(+ : bad)
  for (int round = 1; round <= 10; round++) {
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(count)
      {
#pragma omp atomic
        count++;
      }
    }
#pragma omp barrier
    bad += count != round * 20 * omp_get_num_threads();
#pragma omp barrier
  }
  CHECK_EQ(bad, 0);
}

static void grandchildren(void) {
  int count = 0;
#pragma omp parallel
#pragma omp single nowait
  for (int i = 0; i < 10; i++) {
#pragma omp task
    for (int j = 0; j < 10; j++) {
#pragma omp task
      for (int k = 0; k < 5; k++) {
#pragma omp task
        {
#pragma omp atomic
          count++;
        }
      }
    }
  }
  CHECK_EQ(count, 500);
}

// taskwait waits for children alone, taskgroup for all descendants.
static void taskwait_and_taskgroup(void) {
  int children = 0, all = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= 5; round++) {
    for (int i = 0; i < 20; i++) {
#pragma omp task
      {
#pragma omp atomic
        children++;
      }
    }
#pragma omp taskwait
    CHECK_EQ(children, 20 * round);
#pragma omp taskgroup
    {
      for (int i = 0; i < 4; i++) {
#pragma omp task
        for (int j = 0; j < 5; j++) {
#pragma omp task
          {
#pragma omp atomic
            all++;
          }
        }
      }
    }
    CHECK_EQ(all, 20 * round);
  }
}

static void nested_taskgroups(void) {
  int inner = 0, outer = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp atomic
        outer++;
      }
#pragma omp taskgroup
      {
#pragma omp task
        {
#pragma omp task
          {
#pragma omp atomic
            inner++;
          }
        }
      }
      int seen;
#pragma omp atomic read
      seen = inner;
      CHECK_EQ(seen, 1);
    }
    CHECK_EQ(outer, 1);
#pragma omp taskgroup
    {
    }
  }
}

static void undeferred_tasks(void) {
#pragma omp parallel
#pragma omp single
  {
    int value = 0, me = omp_get_thread_num();
#pragma omp task if (0) shared(value)
    {
      CHECK_EQ(omp_get_thread_num(), me);
      value = 1;
#pragma omp task shared(value) if (task : value == 2)
      value += 10;
      CHECK_EQ(value, 11);
    }
    CHECK_EQ(value, 11);
  }
}

static int depth_of_final(int depth) {
  CHECK(omp_in_final());
  if (depth == 0) {
    return 0;
  }
  int below = 0, me = omp_get_thread_num();
#pragma omp task shared(below)
  {
    CHECK_EQ(omp_get_thread_num(), me);  // included: at once, by the same thread
    below = depth_of_final(depth - 1);
  }
  return below + 1;  // an included task is complete: no taskwait
}

static void final_tasks(void) {
#pragma omp parallel
#pragma omp single
  {
    int depth = 0;
    CHECK(!omp_in_final());
#pragma omp task final(1) shared(depth)
    depth = depth_of_final(5);
#pragma omp task final(0)
    CHECK(!omp_in_final());
#pragma omp taskwait
    CHECK_EQ(depth, 5);
  }
}

static void untied_mergeable_priority(void) {
  int untied = 0, merged = 0, ranked = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 30; i++) {
#pragma omp task untied
    {
#pragma omp taskyield
#pragma omp task untied
      {
#pragma omp atomic
        untied++;
      }
#pragma omp taskwait
#pragma omp atomic
      untied++;
    }
#pragma omp task mergeable if (i % 2)
    {
#pragma omp atomic
      merged++;
    }
#pragma omp task priority(i)
    {
#pragma omp atomic
      ranked++;
    }
  }
  CHECK_EQ(untied, 60);
  CHECK_EQ(merged, 30);
  CHECK_EQ(ranked, 30);
}

// A tied task stays with its thread across every scheduling point.
static void tied_tasks_stay(void) {
  int moved = 0;
#pragma omp parallel
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(moved)
    {
      int me = omp_get_thread_num(), bad = 0;
#pragma omp task
      {
#pragma omp taskyield
      }
#pragma omp taskwait
      bad += me != omp_get_thread_num();
#pragma omp taskyield
      bad += me != omp_get_thread_num();
#pragma omp taskgroup
      {
#pragma omp task
        {
        }
      }
      bad += me != omp_get_thread_num();
#pragma omp atomic
      moved += bad;
    }
  }
  CHECK_EQ(moved, 0);
}

static void tasks_from_everywhere(void) {
  long sum = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
      {
#pragma omp atomic
        sum += i;
      }
    }
#pragma omp sections nowait
    {
#pragma omp section
#pragma omp task
      {
#pragma omp atomic
        sum += 1000;
      }
#pragma omp section
#pragma omp task
      {
#pragma omp atomic
        sum += 2000;
      }
    }
#pragma omp masked
#pragma omp task
    {
#pragma omp atomic
      sum += 10000;
    }
  }
  CHECK_EQ(sum, 190 + 3000 + 10000);
}

static void many_tasks(void) {
  int count = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 20000; i++) {
#pragma omp task
      {
#pragma omp atomic
        count++;
      }
    }
#pragma omp taskwait
    CHECK_EQ(count, 20000);
  }
}

// A region inside a task: its members are a team of their own.
static void regions_in_tasks(void) {
  int members = 0;
  omp_set_max_active_levels(base_level() + 2);
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 6; i++) {
#pragma omp task shared(members)
    {
      int mine = 0;
#pragma omp parallel num_threads(2) reduction(+ : mine)
      {
        CHECK_EQ(omp_get_num_threads(), 2);
#pragma omp task shared(mine)
        {
        }
        mine++;
      }
#pragma omp atomic
      members += mine;
    }
  }
  CHECK_EQ(members, 12);
}

static void locks_across_tasks(void) {
  omp_lock_t lock;
  int count = 0;
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 200; i++) {
#pragma omp task
    {
      omp_set_lock(&lock);
      count++;
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  CHECK_EQ(count, 200);
}

static void test(void) {
  recursive_tasks();
  all_done_at_the_barrier();
  grandchildren();
  taskwait_and_taskgroup();
  nested_taskgroups();
  undeferred_tasks();
  final_tasks();
  untied_mergeable_priority();
  tied_tasks_stay();
  tasks_from_everywhere();
  many_tasks();
  regions_in_tasks();
  locks_across_tasks();
}
