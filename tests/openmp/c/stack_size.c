// SPDX-License-Identifier: Apache-2.0
// Every member but the one that met the region has the stack that OMP_STACKSIZE promises, whatever
// its primary has on its own: 50 MB of 64, in flat regions and those with more members than cores,
// in nested ones, and in regions that several OS threads open at once.
// test: nested=2,4 threads=1,2,3,16 env=OMP_STACKSIZE=64M
#include "support/check.h"

#include <pthread.h>

enum { large = 50000000, on_the_main_stack = 3000000, step = 512 * 1024, openers = 3 };

static __attribute__((noinline)) long use(int value) {
  volatile char room[large];
  long sum = 0;
  for (long i = large - 1; i >= 0; i -= step) {
    room[i] = (char)value;
  }
  for (long i = large - 1; i >= 0; i -= step) {
    sum += room[i];
  }
  return sum / ((large + step - 1) / step);
}

// The initial thread has what the system gives it.
static long use_if_not_first(int value) { return omp_get_thread_num() != 0 ? use(value) : value; }

static void flat(int size) {
  int sum = 0, arrived = 0;
#pragma omp parallel num_threads(size) reduction(+ : sum)
  {
    sum += (int)use_if_not_first(3);
#pragma omp atomic
    arrived++;
#pragma omp barrier
    CHECK_EQ(arrived, size);
    sum += (int)use_if_not_first(4);
  }
  CHECK_EQ(sum, 7 * size);
}

// An outer member has used most of its stack when it opens the inner region.
static __attribute__((noinline)) int inner_below(int size) {
  volatile char room[large];
  int sum = 0;
  room[0] = room[large - 1] = 1;
#pragma omp parallel num_threads(size) reduction(+ : sum)
  sum += (int)use_if_not_first(5);
  return sum + room[0] + room[large - 1] - 2;
}

static void nested_in(int size) {
  int sum = 0;
  omp_set_max_active_levels(base_level() + 2);
#pragma omp parallel num_threads(3) reduction(+ : sum)
  if (omp_get_thread_num() != 0) {
    sum += inner_below(size);
  }
  CHECK_EQ(sum, 2 * 5 * size);
}

static void* open_regions(void* size) {
  for (int round = 0; round < 5; round++) {
    flat(*(int*)size);
  }
  return NULL;
}

static void concurrent(int size) {
  pthread_t threads[openers];
  for (int i = 0; i < openers; i++) {
    CHECK(pthread_create(&threads[i], NULL, open_regions, &size) == 0);
  }
  for (int i = 0; i < openers; i++) {
    pthread_join(threads[i], NULL);
  }
}

// Tasks that a member runs when the region is over have the member's stack, too.
static void with_tasks(int size) {
  int sum = 0;
#pragma omp parallel num_threads(size)
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task
    {
      int mine = (int)use_if_not_first(2);
#pragma omp atomic
      sum += mine;
    }
  }
  CHECK_EQ(sum, 40);
}

static __attribute__((noinline)) void below_locals_of_the_primary(int size) {
  volatile char room[on_the_main_stack];
  room[0] = room[on_the_main_stack - 1] = 1;
  flat(size);
  CHECK_EQ(room[0] + room[on_the_main_stack - 1], 2);
}

static void test(void) {
  const int sizes[] = {1, 2, 3, team_size()};
  for (int at = 0; at < 4; at++) {
    flat(sizes[at]);
    below_locals_of_the_primary(sizes[at]);
    nested_in(sizes[at]);
    with_tasks(sizes[at]);
    concurrent(sizes[at] < 5 ? sizes[at] : 5);
  }
}
