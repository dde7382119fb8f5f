// SPDX-License-Identifier: Apache-2.0
// A program that is linked to two copies of OpenBLAS, and waits to be looked at.
#include <unistd.h>

int openblas_get_parallel(void);
int scipy_openblas_get_parallel(void);

int main(void) {
  sleep(60);
  return openblas_get_parallel() - scipy_openblas_get_parallel();
}
