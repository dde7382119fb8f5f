// SPDX-License-Identifier: Apache-2.0
// Arguments that are not accepted are taken as libgomp and libomp take them, and nobody is told:
// libraries call so.
// test: nested=no
#include "support/check.h"

#include <fcntl.h>
#include <unistd.h>

static void calls(void) {
  omp_set_num_threads(0);
  CHECK_EQ(omp_get_max_threads(), 1);
  omp_set_num_threads(-3);
  CHECK_EQ(omp_get_max_threads(), 1);
  int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(-1);
  CHECK_EQ(omp_get_max_active_levels(), levels);
  omp_set_num_teams(-1);
  omp_set_teams_thread_limit(-1);
}

static void test(void) {
  int ends[2];
  CHECK(pipe(ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
  int before = dup(2);
  CHECK(before >= 0 && dup2(ends[1], 2) == 2);
  calls();
#pragma omp parallel num_threads(2)
  calls();
  fflush(stderr);
  CHECK(dup2(before, 2) == 2);
  char text[200];
  if (!known_bug("libomp", "warns of a negative number of active levels")) {
    CHECK(read(ends[0], text, sizeof text) < 0);  // nothing is there
  }
}
