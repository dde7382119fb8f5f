// SPDX-License-Identifier: Apache-2.0
// Nested parallel regions: levels, ancestors, team sizes, limits on active levels, inherited ICVs.
#include "support/check.h"

static void levels_and_ancestors(void) {
  int base = base_level(), members = 0;
  omp_set_max_active_levels(base + 2);
#pragma omp parallel num_threads(3) reduction(+ : members)
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(4) reduction(+ : members)
    {
      members++;
      int me = omp_get_thread_num();
      CHECK_EQ(omp_get_level(), base + 2);
      CHECK_EQ(omp_get_active_level(), base + 2);
      CHECK_EQ(omp_get_ancestor_thread_num(base + 2), me);
      CHECK_EQ(omp_get_ancestor_thread_num(base + 1), outer);
      CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
      CHECK_EQ(omp_get_ancestor_thread_num(base + 3), -1);
      CHECK_EQ(omp_get_ancestor_thread_num(-1), -1);
      CHECK_EQ(omp_get_team_size(base + 2), 4);
      CHECK_EQ(omp_get_team_size(base + 1), 3);
      CHECK_EQ(omp_get_team_size(0), 1);
      CHECK_EQ(omp_get_team_size(base + 3), -1);
      CHECK_EQ(omp_get_team_size(-1), -1);
#pragma omp parallel num_threads(4)
      {
        CHECK_EQ(omp_get_num_threads(), 1);  // one active level too many
        CHECK_EQ(omp_get_thread_num(), 0);
        CHECK_EQ(omp_get_level(), base + 3);
        CHECK_EQ(omp_get_active_level(), base + 2);
        CHECK_EQ(omp_get_ancestor_thread_num(base + 2), me);
        CHECK_EQ(omp_get_ancestor_thread_num(base + 1), outer);
        CHECK_EQ(omp_get_team_size(base + 3), 1);
      }
    }
    CHECK_EQ(omp_get_thread_num(), outer);
    CHECK_EQ(omp_get_num_threads(), 3);
  }
  CHECK_EQ(members, 12);
}

static void inactive_levels_count(void) {
  int base = base_level();
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(1)
  {
    CHECK_EQ(omp_get_level(), base + 3);
    CHECK_EQ(omp_get_active_level(), base + 1);
    CHECK_EQ(omp_get_team_size(base + 2), 2);
    CHECK_EQ(omp_get_team_size(base + 1), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
  }
}

static void limit_of_active_levels(void) {
  int base = base_level(), before = omp_get_max_active_levels();
  omp_set_max_active_levels(base + 1);
  CHECK_EQ(omp_get_max_active_levels(), base + 1);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  CHECK_EQ(omp_get_num_threads(), 1);
  omp_set_max_active_levels(base);
#pragma omp parallel num_threads(2)
  {
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_in_parallel(), is_nested());
  }
  omp_set_max_active_levels(before);
}

// Each member of a team has ICVs of its own; its inner regions inherit them, its siblings do not.
static void inherited_icvs(void) {
  omp_set_max_active_levels(base_level() + 2);
  omp_set_num_threads(3);
#pragma omp parallel num_threads(4)
  {
    int me = omp_get_thread_num();
    CHECK_EQ(omp_get_max_threads(), 3);
    omp_set_num_threads(me + 1);
    omp_set_schedule(omp_sched_dynamic, me + 5);
#pragma omp barrier
    CHECK_EQ(omp_get_max_threads(), me + 1);
#pragma omp parallel
    {
      omp_sched_t kind;
      int chunk;
      CHECK_EQ(omp_get_num_threads(), me + 1);
      CHECK_EQ(omp_get_max_threads(), me + 1);
      omp_get_schedule(&kind, &chunk);
      CHECK_EQ(kind, omp_sched_dynamic);
      CHECK_EQ(chunk, me + 5);
      omp_set_num_threads(20);
    }
    CHECK_EQ(omp_get_max_threads(), me + 1);
  }
  CHECK_EQ(omp_get_max_threads(), 3);
}

static void tasks_have_icvs(void) {
  omp_set_num_threads(3);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i)
      {
        CHECK_EQ(omp_get_max_threads(), 3);
        omp_set_num_threads(i + 10);
        CHECK_EQ(omp_get_max_threads(), i + 10);
      }
    }
#pragma omp taskwait
    CHECK_EQ(omp_get_max_threads(), 3);
  }
}

static int sum_tree(int depth) {
  if (depth == 0) {
    return 1;
  }
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += sum_tree(depth - 1);
  return sum;
}

static void worksharing_inside(void) {
  omp_set_max_active_levels(base_level() + 2);
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
    int mine = 0;
#pragma omp parallel for num_threads(3) schedule(dynamic, 3) reduction(+ : mine)
    for (int i = 0; i < 100; i++) {
      mine += i;
    }
    CHECK_EQ(mine, 4950);
#pragma omp for
    for (int i = 0; i < 10; i++) {
      sum += i;
    }
  }
  CHECK_EQ(sum, 45);
}

static void test(void) {
  int max_threads = team_size();
  levels_and_ancestors();
  inactive_levels_count();
  limit_of_active_levels();
  inherited_icvs();
  tasks_have_icvs();
  omp_set_max_active_levels(base_level() + 2);
  CHECK_EQ(sum_tree(4), 4);  // below the second active level each region has one member
  omp_set_max_active_levels(base_level() + 4);
  CHECK_EQ(sum_tree(4), 16);
  worksharing_inside();
  omp_set_num_threads(max_threads);
}
