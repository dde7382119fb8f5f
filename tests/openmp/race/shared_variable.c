// SPDX-License-Identifier: Apache-2.0
// All members write a variable, one after the other: ThreadSanitizer misses two accesses at the
// same moment.
// test: threads=2,4,16 nested=no status=66 output=data~race
#include "race/race.h"

int main(void) {
  static int x;
#pragma omp parallel
  {
    wait_for_turn(omp_get_thread_num());
    x++;
    set_turn(omp_get_thread_num() + 1);
  }
  return x == 0;
}
