// SPDX-License-Identifier: Apache-2.0
// What a compiler makes of a parallel region of two threads: prints how many threads ran it.
#include <stdio.h>

void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags);
int omp_get_num_threads(void);

static void body(void* data) {
  int* threads = data;
  __atomic_store_n(threads, omp_get_num_threads(), __ATOMIC_RELAXED);
}

int main(void) {
  int threads = 0;
  GOMP_parallel(body, &threads, 2, 0);
  printf("%d threads\n", threads);
  return 0;
}
