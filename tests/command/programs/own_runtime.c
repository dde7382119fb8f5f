// SPDX-License-Identifier: Apache-2.0
// A runtime as a wheel brings its own, under a name that nothing else has: enough of one to be told
// from Kasuri by who runs a region, on one thread.
#include <stdio.h>

void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags);
int omp_get_num_threads(void);
void GOMP_of_tomorrow(void);
void GOACC_wait(int async, int waits, ...);

void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  (void)threads;
  (void)flags;
  puts("its own runtime");
  body(data);
}
int omp_get_num_threads(void) { return 1; }
void GOMP_of_tomorrow(void) {}
void GOACC_wait(int async, int waits, ...) { (void)async, (void)waits; }
