// SPDX-License-Identifier: Apache-2.0
// Calls of the stand-in for FFTW and Blosc, which is linked to this program: from one thread, from
// several, in regions, one within the other.
//
//   loops_calls SERVED       the sum of 1 for FFTW and 2 for Blosc

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { callers = 4, repeats = 200 };

int stand_in_served(void);
int stand_in_transform(int n);
int stand_in_compress(int n);
int stand_in_compress_within(int n);

static int served;

static int work(void) {
  int right = 1;
  for (int n = 1; n <= 40 && (served & 1) != 0; n++) right &= stand_in_transform(n);
  if ((served & 2) != 0) right &= stand_in_compress(2);
  return right;
}

static void* caller(void* arg) {
  for (int i = 0; i < repeats; i++) *(int*)arg &= work();
  return NULL;
}

int main(int argc, char** argv) {
  alarm(100);
  served = atoi(argv[argc - 1]);
  if (stand_in_served() != served) {
    printf("wrong: served %d, not %d\n", stand_in_served(), served);
    return 1;
  }
  int right = work();
  pthread_t threads[callers];
  int each[callers];
  for (int i = 0; i < callers; i++) {
    each[i] = 1;
    pthread_create(&threads[i], NULL, caller, &each[i]);
  }
  for (int i = 0; i < callers; i++) {
    pthread_join(threads[i], NULL);
    right = right && each[i];
  }
#pragma omp parallel num_threads(4) reduction(&& : right)
  for (int i = 0; i < 20; i++) right = work() && right;
  if ((served & 2) != 0) right = stand_in_compress(5) && stand_in_compress_within(2) && right;
  puts(right ? "right" : "wrong");
  return !right;
}
