// SPDX-License-Identifier: Apache-2.0
// OMP_NUM_THREADS as a list: one entry for each level, the last one for all that are deeper.
// test: nested=no threads=3 env=OMP_MAX_ACTIVE_LEVELS=3
#include "support/check.h"

#include <unistd.h>

static void test(void) {
  if (strchr(getenv("OMP_NUM_THREADS"), ',') == NULL) {
    setenv("OMP_NUM_THREADS", "3,2,4", 1);  // read once, at the start: begin again with a list
    fflush(NULL);
    char self[4096];
    long length = readlink("/proc/self/exe", self, sizeof self - 1);
    CHECK(length > 0);
    self[length > 0 ? length : 0] = 0;
    execl(self, self, (char*)NULL);
    CHECK(false);
  }
  int outer = 0, middle = 0, inner = 0;
  CHECK_EQ(omp_get_max_threads(), 3);
#pragma omp parallel reduction(+ : outer, middle, inner)
  {
    outer++;
    CHECK_EQ(omp_get_num_threads(), 3);
    CHECK_EQ(omp_get_max_threads(), 2);
#pragma omp parallel reduction(+ : middle, inner)
    {
      middle++;
      CHECK_EQ(omp_get_num_threads(), 2);
      CHECK_EQ(omp_get_max_threads(), 4);
#pragma omp parallel reduction(+ : inner)
      {
        inner++;
        CHECK_EQ(omp_get_num_threads(), 4);
        CHECK_EQ(omp_get_max_threads(), 4);
      }
    }
  }
  CHECK_EQ(outer, 3);
  CHECK_EQ(middle, 6);
  CHECK_EQ(inner, 24);
}
