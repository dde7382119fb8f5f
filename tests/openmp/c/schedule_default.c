// SPDX-License-Identifier: Apache-2.0
// run-sched-var of which nobody says anything is what the compiler's own runtime takes: dynamic for
// GCC, static for Clang; omp_get_schedule and schedule(runtime) agree. auto has a chunk of 1.
// test: nested=no threads=1,4
#include "support/check.h"

static void check_schedule(omp_sched_t wanted, int wanted_chunk) {
  omp_sched_t kind;
  int chunk = -1;
  omp_get_schedule(&kind, &chunk);
  CHECK_EQ((unsigned)kind & 0x7fffffffu, wanted);
  CHECK_EQ(chunk, wanted_chunk);
}

// Whether each member gets one block of a loop, in the order of their numbers.
static void check_blocks(void) {
  enum { n = 64 };
  int owner[n];
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < n; i++) {
    owner[i] = omp_get_thread_num();
  }
  for (int i = 1; i < n; i++) {
    CHECK(owner[i] >= owner[i - 1]);
  }
  CHECK_EQ(owner[n - 1], team_size() - 1);
}

static void test(void) {
#ifdef __clang__
  check_schedule(omp_sched_static, 0);
  check_blocks();
#else
  check_schedule(omp_sched_dynamic, 1);
#endif
  omp_set_schedule(omp_sched_static, 0);
  check_schedule(omp_sched_static, 0);
  check_blocks();
  omp_set_schedule(omp_sched_auto, 5);
  if (!known_bug("libgomp", "the chunk is that of the schedule before")) {
    check_schedule(omp_sched_auto, 1);
  }
  omp_set_schedule(omp_sched_guided, 0);
  check_schedule(omp_sched_guided, 1);
}
