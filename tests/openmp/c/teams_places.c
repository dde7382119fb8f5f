// SPDX-License-Identifier: Apache-2.0
// The teams of a league share the places: each has a part, together they have all, and regions in a
// team stay in its part.
// test: nested=no threads=2 env=OMP_PLACES=threads env=OMP_PROC_BIND=close compilers=clang-19,gcc
#include "support/check.h"

enum { most = 64 };

// Functions, because these routines may not be called in teams itself.
static __attribute__((noinline)) void note_part(int* first, int* count) {
  int numbers[most];
  *count = omp_get_partition_num_places();
  CHECK(*count >= 1 && *count <= most);
  omp_get_partition_place_nums(numbers);
  *first = numbers[0];
}

static __attribute__((noinline)) void check_members(int first, int count) {
#pragma omp parallel num_threads(2)
  {
    CHECK_EQ(omp_get_partition_num_places(), count);
    CHECK(omp_get_place_num() >= first && omp_get_place_num() < first + count);
  }
}

static void test(void) {
  int places = omp_get_num_places(), first[most], count[most];
  if (places > most || known_bug("libgomp", "a team has all places")) {
    return;
  }
#pragma omp teams num_teams(places)
  {
    int team = omp_get_team_num();
    note_part(&first[team], &count[team]);
    check_members(first[team], count[team]);
  }
  for (int i = 0; i < places; i++) {
    CHECK_EQ(first[i], i);
    CHECK_EQ(count[i], 1);
  }
  CHECK_EQ(omp_get_partition_num_places(), places);
#pragma omp teams num_teams(1)
  note_part(&first[0], &count[0]);
  CHECK_EQ(count[0], places);
}
