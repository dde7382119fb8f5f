// SPDX-License-Identifier: Apache-2.0
// A task's result used without a taskwait, when another member has run the task.
// test: threads=2,4,16 nested=no status=66 output=data~race
#include "race/race.h"

int main(void) {
  int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= rounds; round++) {
#pragma omp task shared(x)
    {
      x = 1;
      set_turn(round);
    }
    if (turn_comes(round)) {
      y = x;
      break;
    }
#pragma omp taskwait
  }
  return y == 0;
}
