// SPDX-License-Identifier: Apache-2.0
// One member reads without the critical section what the others write in it. They write when it has
// read: ThreadSanitizer misses two accesses at the same moment.
// test: threads=2,4,16 nested=no status=66 output=data~race
#include "race/race.h"

int main(void) {
  static int x;
  int seen = 0;
#pragma omp parallel reduction(+ : seen)
  {
    if (omp_get_thread_num() == 0) {
      seen += x;
      set_turn(1);
    } else {
      wait_for_turn(1);
#pragma omp critical
      x++;
    }
  }
  return seen < 0;
}
