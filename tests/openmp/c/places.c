// SPDX-License-Identifier: Apache-2.0
// OMP_PLACES and proc_bind: places, partitions, and where the members of a team are.
// test: nested=no env=OMP_PLACES=threads env=OMP_PROC_BIND=spread,close
#include "support/check.h"

#include <sys/syscall.h>
#include <unistd.h>

enum { most = 4096 };

static bool in_place(int place) {
  static _Thread_local int ids[most];
  unsigned cpu = 0;
  int count = omp_get_place_num_procs(place);
  syscall(SYS_getcpu, &cpu, NULL, NULL);
  omp_get_place_proc_ids(place, ids);
  for (int i = 0; i < count && i < most; i++) {
    if (ids[i] == (int)cpu) {
      return true;
    }
  }
  return false;
}

static void all_places(void) {
  int count = omp_get_num_places(), procs = 0;
  CHECK(count >= 1);
  for (int place = 0; place < count; place++) {
    procs += omp_get_place_num_procs(place);
  }
  CHECK_EQ(procs, count);  // a place of this kind is one hardware thread
  CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_spread);
  CHECK_EQ(omp_get_partition_num_places(), count);
  CHECK(omp_get_place_num() >= 0);
}

static void close_members(void) {
  int count = omp_get_num_places(), place[64], first = omp_get_place_num();
#pragma omp parallel proc_bind(close)
  {
    place[omp_get_thread_num()] = omp_get_place_num();
    CHECK_EQ(omp_get_partition_num_places(), count);
    CHECK(in_place(omp_get_place_num()));
  }
  int size = team_size();
  for (int i = 0; i < size; i++) {
    CHECK(place[i] >= 0 && place[i] < count);
    if (size <= count) {
      CHECK_EQ(place[i], (first + i) % count);
    }
  }
}

static void primary_members(void) {
  int first = omp_get_place_num();
  if (known_bug("libomp", "proc_bind(primary) leaves members where the region before had them")) {
    return;
  }
#pragma omp parallel proc_bind(primary)
  {
    CHECK_EQ(omp_get_place_num(), first);
    CHECK(in_place(first));
  }
}

// spread cuts the partition into parts of one size, give or take one place.
static void spread_members(void) {
  int count = omp_get_num_places(), size = team_size(), parts[64], place[64], total = 0;
#pragma omp parallel proc_bind(spread)
  {
    int me = omp_get_thread_num(), numbers[most];
    parts[me] = omp_get_partition_num_places();
    place[me] = omp_get_place_num();
    omp_get_partition_place_nums(numbers);
    bool mine = false;
    for (int i = 0; i < parts[me]; i++) {
      mine = mine || numbers[i] == place[me];
    }
    CHECK(mine);
    CHECK(in_place(place[me]));
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_close);  // for the next level
  }
  for (int i = 0; i < size; i++) {
    total += parts[i];
    CHECK(size <= count ? parts[i] == count / size || parts[i] == count / size + 1 : parts[i] == 1);
    for (int j = 0; j < i && size <= count; j++) {
      CHECK(place[i] != place[j]);
    }
  }
  CHECK(size > count || total == count);
}

static void inner_teams_stay_in_their_part(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) proc_bind(spread)
  {
    int outer = omp_get_partition_num_places(), numbers[most];
    omp_get_partition_place_nums(numbers);
#pragma omp parallel num_threads(2)
    {
      CHECK_EQ(omp_get_partition_num_places(), outer);
      bool inside = false;
      for (int i = 0; i < outer; i++) {
        inside = inside || numbers[i] == omp_get_place_num();
      }
      CHECK(inside);
      CHECK(in_place(omp_get_place_num()));
    }
  }
}

static void test(void) {
  all_places();
  close_members();
  primary_members();
  spread_members();
  inner_teams_stay_in_their_part();
}
