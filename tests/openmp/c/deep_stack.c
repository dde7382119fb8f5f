// SPDX-License-Identifier: Apache-2.0
// Members have at least as much stack as the system gives new threads: 5 MB of the usual 8 MiB.
// test: nested=2 threads=1,4
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

static void test(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_STACK, &limit);
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur < 7 * 1024 * 1024) {
    return;  // it depends on the system then
  }
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum += use(3);
  CHECK_EQ(sum, 3 * team_size());
}
