// SPDX-License-Identifier: Apache-2.0
// A member that asks where its stack is learns where it stands, on whatever stack it runs.
// test: nested=2 threads=1,2,5 env=OMP_STACKSIZE=8M flags=-D_GNU_SOURCE
#include "support/check.h"

#include <pthread.h>

static int stands_there(void) {
  pthread_attr_t all;
  if (pthread_getattr_np(pthread_self(), &all) != 0) {
    return 0;
  }
  void* low;
  size_t bytes;
  const int known = pthread_attr_getstack(&all, &low, &bytes) == 0;
  pthread_attr_destroy(&all);
  const char* const here = __builtin_frame_address(0);
  return known && here >= (char*)low && here < (char*)low + bytes && bytes >= 7 * 1024 * 1024;
}

static void* of_a_thread(void* size) {
  int right = 0;
#pragma omp parallel num_threads(*(int*)size) reduction(+ : right)
  {
    right += stands_there() || omp_get_thread_num() == 0;
#pragma omp barrier
    right += stands_there() || omp_get_thread_num() == 0;
  }
  CHECK_EQ(right, 2 * *(int*)size);
  return NULL;
}

static void test(void) {
  for (int size = 2; size != 9; ++size) {
    of_a_thread(&size);
    pthread_t other;
    CHECK(pthread_create(&other, NULL, of_a_thread, &size) == 0);
    pthread_join(other, NULL);
  }
}
