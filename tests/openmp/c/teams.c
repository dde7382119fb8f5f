// SPDX-License-Identifier: Apache-2.0
// teams and distribute on the host, alone and combined. Not nested: teams may be in no region.
// test: nested=no
#include "support/check.h"

// Functions, because these things may not stand in teams itself.
static __attribute__((noinline)) void count(int* counter) {
#pragma omp atomic
  (*counter)++;
}

static __attribute__((noinline)) void check_team_of_one(void) {
  CHECK_EQ(omp_get_num_threads(), 1);
  CHECK_EQ(omp_get_thread_num(), 0);
}

static __attribute__((noinline)) int thread_limit(void) { return omp_get_thread_limit(); }

static void one_league(void) {
  int teams = 0, seen[8] = {0};
#pragma omp teams num_teams(4) reduction(+ : teams)
  {
    teams++;
    CHECK(omp_get_num_teams() >= 1 && omp_get_num_teams() <= 4);
    CHECK(omp_get_team_num() >= 0 && omp_get_team_num() < omp_get_num_teams());
    check_team_of_one();
    count(&seen[omp_get_team_num()]);
  }
  CHECK(teams >= 1 && teams <= 4);
  for (int i = 0; i < 8; i++) {
    CHECK_EQ(seen[i], i < teams);
  }
  CHECK_EQ(omp_get_num_teams(), 1);
  CHECK_EQ(omp_get_team_num(), 0);
}

static void regions_in_teams(void) {
  int members = 0, teams = 0;
#pragma omp teams num_teams(2) thread_limit(3) reduction(+ : members, teams)
  {
    teams++;
    CHECK(thread_limit() <= 3);
#pragma omp parallel num_threads(3) reduction(+ : members)
    {
      CHECK(omp_get_num_threads() <= 3);
      CHECK(omp_get_num_teams() <= 2);
      members++;
#pragma omp barrier
    }
  }
  CHECK(members >= teams && members <= 6);
}

static void distribute_loops(void) {
  int seen[100] = {0}, owner[100] = {0};
#pragma omp teams num_teams(3)
  {
#pragma omp distribute
    for (int i = 0; i < 100; i++) {
      seen[i]++;
    }
#pragma omp distribute dist_schedule(static, 7)
    for (int i = 99; i >= 0; i--) {
      owner[i] = omp_get_team_num();
    }
  }
  for (int i = 0; i < 100; i++) {
    CHECK_EQ(seen[i], 1);
    CHECK((99 - i) % 7 == 0 || owner[i] == owner[i + 1]);
  }
  int last = 0, grid[6][7] = {{0}};
#pragma omp teams distribute lastprivate(last) num_teams(2)
  for (int i = 0; i < 30; i++) {
    last = i;
  }
  CHECK_EQ(last, 29);
#pragma omp teams distribute collapse(2) dist_schedule(static, 4) num_teams(4)
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 7; j++) {
      grid[i][j]++;
    }
  }
  for (int i = 0; i < 42; i++) {
    CHECK_EQ((&grid[0][0])[i], 1);
  }
}

static void combined_loops(void) {
  int seen[200] = {0};
  long sum = 0;
#pragma omp teams distribute parallel for num_teams(2) num_threads(2) schedule(dynamic, 3) \
    reduction(+ : sum)
  for (int i = 0; i < 200; i++) {
    seen[i]++;
    sum += i;
  }
  CHECK_EQ(sum, 19900);
#pragma omp teams distribute parallel for simd num_teams(3) reduction(+ : sum) \
    dist_schedule(static, 30) schedule(static, 5)
  for (int i = 0; i < 200; i++) {
    seen[i]++;
    sum += i;
  }
  CHECK_EQ(sum, 39800);
#pragma omp teams num_teams(2)
#pragma omp distribute parallel for schedule(guided) firstprivate(sum)
  for (unsigned long i = 0; i < 200; i++) {
    seen[i] += sum == 39800;
  }
#pragma omp teams distribute simd
  for (int i = 0; i < 200; i++) {
    seen[i]++;
  }
#pragma omp teams loop
  for (int i = 0; i < 200; i++) {
    seen[i]++;
  }
  for (int i = 0; i < 200; i++) {
    CHECK_EQ(seen[i], 5);
  }
}

static void in_target(void) {
  int seen[60] = {0}, sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : seen, sum) reduction(+ : sum)
  for (int i = 0; i < 60; i++) {
    seen[i]++;
    sum += i;
  }
  CHECK_EQ(sum, 1770);
#pragma omp target teams num_teams(2) map(tofrom : seen)
#pragma omp distribute
  for (int i = 0; i < 60; i++) {
    seen[i]++;
  }
#pragma omp target teams loop map(tofrom : seen)
  for (int i = 0; i < 60; i++) {
    seen[i]++;
  }
  for (int i = 0; i < 60; i++) {
    CHECK_EQ(seen[i], 3);
  }
}

static void limits(void) {
  omp_set_num_teams(3);
  CHECK_EQ(omp_get_max_teams(), 3);
  int teams = 0;
#pragma omp teams reduction(+ : teams)
  teams++;
  CHECK(teams >= 1 && teams <= 3);
  omp_set_teams_thread_limit(2);
  CHECK_EQ(omp_get_teams_thread_limit(), 2);
  int members = 0;
#pragma omp teams num_teams(1) reduction(+ : members)
#pragma omp parallel reduction(+ : members)
  members++;
  CHECK(members >= 1 && members <= 2);
}

#ifndef __clang__  // Clang 19 knows no lower bound
static void bounds_of_teams(void) {
  int teams = 0;
#pragma omp teams num_teams(3 : 5) reduction(+ : teams)
  {
    teams++;
    CHECK(omp_get_num_teams() >= 3 && omp_get_num_teams() <= 5);
  }
  CHECK(teams >= 3 && teams <= 5);
}
#else
static void bounds_of_teams(void) {}
#endif

static void test(void) {
  one_league();
  regions_in_teams();
  distribute_loops();
  combined_loops();
  in_target();
  bounds_of_teams();
  limits();
}
