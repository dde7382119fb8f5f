// SPDX-License-Identifier: Apache-2.0
// How many tasks one stack carries: a waiting task runs tasks that descend from it, so never more
// than the tree of tasks is deep, whether they are tied or not, and whatever they wait in.
// test: flags=-fno-inline
#include "support/check.h"

enum { n = 20, most_threads = 64, cells = 64 };

struct counts {
  int now;  // tasks that the thread has begun and not ended
  int most;
  char apart[cells - 2 * sizeof(int)];
};
static struct counts of_thread[instances][most_threads];

static int* here(void) { return &of_thread[instance()][omp_get_thread_num()].now; }

static int* enter(void) {
  struct counts* mine = &of_thread[instance()][omp_get_thread_num()];
  int now = __atomic_add_fetch(&mine->now, 1, __ATOMIC_RELAXED);
  if (now > mine->most) {
    mine->most = now;
  }
  return &mine->now;
}

static void leave(int* entered) { __atomic_sub_fetch(entered, 1, __ATOMIC_RELAXED); }

static long tied_taskwait(int k) {
  int* entered = enter();
  long x = k, y = 0;
  if (k >= 2) {
#pragma omp task shared(x) firstprivate(k)
    x = tied_taskwait(k - 1);
#pragma omp task shared(y) firstprivate(k)
    y = tied_taskwait(k - 2);
#pragma omp taskwait
  }
  leave(entered);
  return x + y;
}

static long untied_taskwait(int k) {
  int* entered = enter();
  long x = k, y = 0;
  if (k >= 2) {
#pragma omp task untied shared(x) firstprivate(k)
    x = untied_taskwait(k - 1);
#pragma omp task untied shared(y) firstprivate(k)
    y = untied_taskwait(k - 2);
#pragma omp taskwait
  }
  leave(entered);
  return x + y;
}

static long tied_taskgroup(int k) {
  int* entered = enter();
  long x = k, y = 0;
  if (k >= 2) {
#pragma omp taskgroup
    {
#pragma omp task shared(x) firstprivate(k)
      x = tied_taskgroup(k - 1);
#pragma omp task shared(y) firstprivate(k)
      y = tied_taskgroup(k - 2);
    }
  }
  leave(entered);
  return x + y;
}

static long untied_taskgroup(int k) {
  int* entered = enter();
  long x = k, y = 0;
  if (k >= 2) {
#pragma omp taskgroup
    {
#pragma omp task untied shared(x) firstprivate(k)
      x = untied_taskgroup(k - 1);
#pragma omp task untied shared(y) firstprivate(k)
      y = untied_taskgroup(k - 2);
    }
  }
  leave(entered);
  return x + y;
}

// Children that nobody waits for add to `sum`.
static void tied_taskyield(int k, long* sum) {
  int* entered = enter();
  if (k < 2) {
    __atomic_fetch_add(sum, k, __ATOMIC_RELAXED);
  } else {
#pragma omp task firstprivate(k, sum)
    tied_taskyield(k - 1, sum);
#pragma omp taskyield
#pragma omp task firstprivate(k, sum)
    tied_taskyield(k - 2, sum);
#pragma omp taskyield
  }
  leave(entered);
}

static void untied_taskyield(int k, long* sum) {
  int* entered = enter();
  if (k < 2) {
    __atomic_fetch_add(sum, k, __ATOMIC_RELAXED);
  } else {
#pragma omp task untied firstprivate(k, sum)
    untied_taskyield(k - 1, sum);
#pragma omp taskyield
#pragma omp task untied firstprivate(k, sum)
    untied_taskyield(k - 2, sum);
#pragma omp taskyield
  }
  leave(entered);
}

// The waits stand in the untied tasks themselves, so that Clang cuts their code there.
static void parts(int k, long* sum) {
  if (k < 2) {
    __atomic_fetch_add(sum, k, __ATOMIC_RELAXED);
    return;
  }
#pragma omp task untied firstprivate(k, sum)
  {
    enter();
    parts(k - 1, sum);
#pragma omp taskyield
    parts(k - 2, sum);
#pragma omp taskwait
    leave(here());  // no variable: Clang 19 loses those of untied tasks behind a wait
  }
}

static long fib(int k) { return k < 2 ? k : fib(k - 1) + fib(k - 2); }

enum way {
  tied_wait,
  untied_wait,
  tied_group,
  untied_group,
  tied_yield,
  untied_yield,
  in_parts,
  ways
};

static void run(enum way how, long* sum) {
  switch (how) {
    case tied_wait:
      *sum = tied_taskwait(n);
      break;
    case untied_wait:
      *sum = untied_taskwait(n);
      break;
    case tied_group:
      *sum = tied_taskgroup(n);
      break;
    case untied_group:
      *sum = untied_taskgroup(n);
      break;
    case tied_yield:
      tied_taskyield(n, sum);
      break;
    case untied_yield:
      untied_taskyield(n, sum);
      break;
    default:
      parts(n, sum);
      break;
  }
}

static void test(void) {
  struct counts* mine = of_thread[instance()];
  if (known_bug("libomp", "does not end within a minute, with several threads")) {
    return;
  }
  for (int how = 0; how < ways; how++) {
    long sum = 0;
    memset(mine, 0, sizeof of_thread[0]);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    run((enum way)how, &sum);
    CHECK_EQ(sum, fib(n));
    for (int i = 0; i < team_size(); i++) {
      CHECK_EQ(mine[i].now, 0);
      CHECK(mine[i].most <= n + 1);
    }
  }
}
