// SPDX-License-Identifier: Apache-2.0
// The primary writes before the others read, and nobody waits for it.
// test: threads=2,16 nested=no status=66 output=data~race
#include "race/race.h"

int main(void) {
  static int x;
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    if (omp_get_thread_num() == 0) {
      x = 1;
      set_turn(1);
    }
    wait_for_turn(1);
    sum += x;
  }
  return sum == 0;
}
