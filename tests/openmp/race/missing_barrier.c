// SPDX-License-Identifier: Apache-2.0
// A single construct that says nowait, and members that use its result.
// test: threads=2,4,16 nested=no status=66 output=data~race
#include "race/race.h"

int main(void) {
  static int x;
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp single nowait
    {
      x = 1;
      set_turn(1);
    }
    wait_for_turn(1);
    sum += x;
  }
  return sum == 0;
}
