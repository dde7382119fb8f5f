// SPDX-License-Identifier: Apache-2.0
// Two tasks on two members, of which the second names another variable than it uses.
// test: threads=2,4,16 nested=no status=66 output=data~race
#include "race/race.h"

int main(void) {
  static int x, y;
  int sum = 0, met = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= rounds && !met; round++) {
#pragma omp task depend(out : x)
    if (turn_comes(2 * round)) {  // the other has begun: what ends before that may well be ordered
      x = 1;
      set_turn(2 * round + 1);
    }
#pragma omp task depend(in : y) shared(sum, met) if (0)
    {
      set_turn(2 * round);
      if (turn_comes(2 * round + 1)) {
        sum = x;
        met = 1;
      }
    }
#pragma omp taskwait
  }
  return sum == 0;
}
