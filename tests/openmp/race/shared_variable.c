// SPDX-License-Identifier: Apache-2.0
// All members write a variable.
// test: threads=2,4,16 nested=no status=66 output=data~race
int main(void) {
  static int x;
#pragma omp parallel
  x++;
  return x == 0;
}
