// SPDX-License-Identifier: Apache-2.0
// Members of inner regions, which need no OS thread each, write a variable.
// test: threads=2 nested=no status=66 output=data~race env=OMP_MAX_ACTIVE_LEVELS=2
int main(void) {
  int bad = 0;
#pragma omp parallel reduction(+ : bad)
  {
    int x = 0;
#pragma omp parallel num_threads(6)
    x++;
    bad += x == 0;
  }
  return bad;
}
