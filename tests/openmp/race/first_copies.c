// SPDX-License-Identifier: Apache-2.0
// A member reads what another has written, each when it has got its copy of a variable.
// test: compilers=clang-19 flags=-fnoopenmp-use-tls threads=4 nested=no status=66 output=data~race
#include "race/race.h"

static int own;
#pragma omp threadprivate(own)

int main(void) {
  static int x;
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    if (omp_get_thread_num() == 1) {
      x = 1;
      own = 1;
      set_turn(1);
    } else if (omp_get_thread_num() == 2) {
      wait_for_turn(1);
      own = 2;
      sum += x;
    }
  }
  return sum == 0;
}
