// SPDX-License-Identifier: Apache-2.0
// parallel: team sizes, numbers of the members, if, num_threads, and every data-sharing clause.
#include "support/check.h"

static void every_member_runs_once(void) {
  int seen[64] = {0}, size = 0;
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    CHECK(me >= 0 && me < omp_get_num_threads());
    seen[me]++;
    if (me == 0) {
      size = omp_get_num_threads();
    }
  }
  CHECK_EQ(size, team_size());
  for (int i = 0; i < 64; i++) {
    CHECK_EQ(seen[i], i < size ? 1 : 0);
  }
}

static void num_threads_clause(void) {
  for (int wanted = 1; wanted <= 9; wanted++) {
    int members = 0;
#pragma omp parallel num_threads(wanted) reduction(+ : members)
    {
      CHECK_EQ(omp_get_num_threads(), wanted);
      members++;
    }
    CHECK_EQ(members, wanted);
  }
  CHECK_EQ(omp_get_num_threads(), is_nested() ? instances : 1);
}

static void set_num_threads(void) {
  int before = omp_get_max_threads();
  omp_set_num_threads(3);
  CHECK_EQ(omp_get_max_threads(), 3);
  int members = 0;
#pragma omp parallel reduction(+ : members)
  members++;
  CHECK_EQ(members, 3);
#pragma omp parallel num_threads(2)
  {
    CHECK_EQ(omp_get_num_threads(), 2);
    CHECK_EQ(omp_get_max_threads(), 3);
  }
  omp_set_num_threads(before);
}

static void if_clause(void) {
  for (int yes = 0; yes < 2; yes++) {
    int members = 0, level = omp_get_level(), active = omp_get_active_level();
#pragma omp parallel if (yes) num_threads(2) reduction(+ : members)
    {
      members++;
      CHECK_EQ(omp_get_level(), level + 1);
      CHECK_EQ(omp_get_active_level(), active + yes);
      CHECK_EQ(omp_in_parallel(), yes || is_nested());
    }
    CHECK_EQ(members, 1 + yes);
#pragma omp parallel if (parallel : !yes) num_threads(2)
    CHECK_EQ(omp_get_num_threads(), 2 - yes);
  }
  CHECK_EQ(omp_in_parallel(), is_nested());
}

static void sharing_clauses(void) {
  int shared_sum = 0, first = 7, own = -1, array[5] = {1, 2, 3, 4, 5};
#pragma omp parallel default(none) shared(shared_sum) firstprivate(first, array) private(own)
  {
    own = omp_get_thread_num();
    CHECK_EQ(first, 7);
    first += own;
    array[own % 5] += 100;
    CHECK_EQ(array[own % 5], own % 5 + 101);
#pragma omp barrier
    CHECK_EQ(first, 7 + omp_get_thread_num());
    CHECK_EQ(own, omp_get_thread_num());
#pragma omp atomic
    shared_sum += first - 7 + 1;
  }
  int n = team_size();
  CHECK_EQ(shared_sum, n * (n - 1) / 2 + n);
  CHECK_EQ(first, 7);
  CHECK_EQ(own, -1);
  CHECK_EQ(array[0], 1);
}

struct large {
  char bytes[3001];
  double last;
};

static void large_firstprivate(void) {
  struct large value;
  memset(&value, 5, sizeof value);
  value.last = 2.5;
#pragma omp parallel firstprivate(value)
  {
    CHECK_EQ(value.bytes[0], 5);
    CHECK_EQ(value.bytes[3000], 5);
    CHECK(value.last == 2.5);
    value.bytes[3000] = (char)omp_get_thread_num();
#pragma omp barrier
    CHECK_EQ(value.bytes[3000], omp_get_thread_num());
  }
  CHECK_EQ(value.bytes[3000], 5);
}

static void variable_length_arrays(int length) {
  int plain[length], copied[length];
  for (int i = 0; i < length; i++) {
    plain[i] = copied[i] = i;
  }
#pragma omp parallel firstprivate(copied) shared(plain)
  {
    for (int i = 0; i < length; i++) {
      CHECK_EQ(copied[i], i);
      copied[i] += omp_get_thread_num();
    }
#pragma omp barrier
    CHECK_EQ(copied[length - 1], length - 1 + omp_get_thread_num());
    CHECK_EQ(plain[length - 1], length - 1);
  }
}

static void many_shared_variables(void) {
  int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12;
  int m = 13, n = 14, o = 15, p = 16, q = 17, r = 18, bad = 0;
#pragma omp parallel
  {
    int sum = a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r;
    if (sum != 171) {
#pragma omp atomic
      bad++;
    }
  }
  CHECK_EQ(bad, 0);
}

static void implicit_barrier(void) {
  int done = 0;
  for (int round = 1; round <= 20; round++) {
#pragma omp parallel
    {
#pragma omp atomic
      done++;
    }
    CHECK_EQ(done, round * team_size());
  }
}

static void orphaned(int* sum) {
#pragma omp for
  for (int i = 0; i < 100; i++) {
#pragma omp atomic
    *sum += i;
  }
}

static void orphaned_constructs(void) {
  int alone = 0, shared_sum = 0;
#pragma omp parallel num_threads(1)
  orphaned(&alone);
  CHECK_EQ(alone, 4950);
#pragma omp parallel
  orphaned(&shared_sum);
  CHECK_EQ(shared_sum, 4950);
  if (!is_nested()) {
    int outside = 0;
    orphaned(&outside);  // binds to the initial thread
    CHECK_EQ(outside, 4950);
  }
}

static void proc_bind_clauses(void) {
  int members = 0;
#pragma omp parallel proc_bind(close) reduction(+ : members)
  members++;
#pragma omp parallel proc_bind(spread) reduction(+ : members)
  members++;
#pragma omp parallel proc_bind(primary) reduction(+ : members)
  members++;
  CHECK_EQ(members, 3 * team_size());
}

static void test(void) {
  every_member_runs_once();
  num_threads_clause();
  set_num_threads();
  if_clause();
  sharing_clauses();
  large_firstprivate();
  variable_length_arrays(17);
  many_shared_variables();
  implicit_barrier();
  orphaned_constructs();
  proc_bind_clauses();
}
