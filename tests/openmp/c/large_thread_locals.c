// SPDX-License-Identifier: Apache-2.0
// A program with 9 MiB of static thread-locals, more than the stack that the system gives a thread,
// out of which the C library takes them: every member has its own, in flat regions, in teams larger
// than the cores, in nested regions, and in those that several OS threads open at once.
// test: nested=2 threads=1,2,5
#include "support/check.h"

#include <pthread.h>

enum { words = 9 * 1024 * 1024 / sizeof(long), most = 8, openers = 3 };

static _Thread_local long plain[words / 2];
static long private_words[words / 2];
#pragma omp threadprivate(private_words)

static __attribute__((noinline)) long* first(void) { return &plain[0]; }
static __attribute__((noinline)) long* last(void) { return &private_words[words / 2 - 1]; }

// Members that nobody takes run one after the other: what each has written must stay its own.
static int write_and_check(int value) {
  *first() = value;
  *last() = -value;
  plain[words / 4] = value + 1;
#pragma omp barrier
  return *first() != value || *last() != -value || plain[words / 4] != value + 1;
}

static void distinct(long** addresses, int count) {
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < i; j++) {
      CHECK(addresses[i] != addresses[j]);
    }
  }
}

static void flat(int size, int base) {
  long* addresses[most];
  int wrong = 0;
#pragma omp parallel num_threads(size) reduction(+ : wrong)
  {
    int me = omp_get_thread_num();
    addresses[me] = last();
    for (int i = 0; i < 10; i++) {
      wrong += write_and_check(base + 100 * i + me);
#pragma omp barrier
    }
  }
  CHECK_EQ(wrong, 0);
  distinct(addresses, size);
}

static void nested_in(int size) {
  int wrong = 0;
  omp_set_max_active_levels(base_level() + 2);
#pragma omp parallel num_threads(2) reduction(+ : wrong)
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(size) reduction(+ : wrong)
    wrong += write_and_check(1000 * outer + omp_get_thread_num());
  }
  CHECK_EQ(wrong, 0);
}

static void* open_regions(void* base) {
  flat(3, *(int*)base);
  return NULL;
}

static void concurrent(void) {
  pthread_t threads[openers];
  int bases[openers];
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 32 * 1024 * 1024);
  for (int i = 0; i < openers; i++) {
    bases[i] = 10000 * (i + 1);
    CHECK(pthread_create(&threads[i], &attributes, open_regions, &bases[i]) == 0);
  }
  for (int i = 0; i < openers; i++) {
    pthread_join(threads[i], NULL);
  }
}

static void persist(int size) {
  if (is_nested()) {
    return;  // promised for regions outside of others alone
  }
#pragma omp parallel num_threads(size)
  *last() = omp_get_thread_num();
  for (int round = 0; round < 5; round++) {
#pragma omp parallel num_threads(size)
    {
      CHECK_EQ(*last(), omp_get_thread_num() + round);
      (*last())++;
    }
  }
}

static void test(void) {
  const int sizes[] = {2, 4, team_size()};
  for (int at = 0; at < 3; at++) {
    flat(sizes[at], 0);
    nested_in(sizes[at]);
    persist(sizes[at]);
  }
  concurrent();
}
