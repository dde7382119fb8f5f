// SPDX-License-Identifier: Apache-2.0
// Nothing is set: 5 MB on the stack of the thread that opens the region and 5 MB on that of each
// member, of the usual 8 MiB that each has.
// test: nested=no threads=1,2,3,16
#include "support/check.h"

#include <sys/resource.h>

enum { deep = 5000000 };

static __attribute__((noinline)) int use(int value) {
  volatile char room[deep];
  for (int i = 0; i < deep; i += 4096) {
    room[i] = (char)value;
  }
  return room[deep / 4096 / 2 * 4096];
}

static __attribute__((noinline)) int region_below(void) {
  volatile char room[deep];
  int sum = 0;
  room[0] = room[deep - 1] = 1;
#pragma omp parallel reduction(+ : sum)
  if (omp_get_thread_num() != 0) {
    sum += use(3);
  }
  return sum + room[0] + room[deep - 1] - 2;
}

static void test(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_STACK, &limit);
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur < 7 * 1024 * 1024) {
    return;  // it depends on the system then
  }
  for (int round = 0; round < 10; round++) {
    CHECK_EQ(region_below(), 3 * (team_size() - 1));
  }
}
