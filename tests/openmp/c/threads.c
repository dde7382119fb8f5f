// SPDX-License-Identifier: Apache-2.0
// Regions opened at once by eight threads of the program's own, and by threads that come and go.
// test: nested=no
#include "support/check.h"

#include <pthread.h>

enum { threads = 8, rounds = 20 };

static int counter;
#pragma omp threadprivate(counter)

static int one_region(int round) {
  int sum = 0, single = 0, tasks = 0;
#pragma omp parallel reduction(+ : sum)
  {
    if (omp_get_thread_num() == 0) {
      CHECK_EQ(omp_get_num_threads(), team_size());
    }
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 20; i++) {
      sum += i * round;
    }
#pragma omp single
    single++;
#pragma omp task shared(tasks)
    {
#pragma omp atomic
      tasks++;
    }
#pragma omp barrier
  }
  CHECK_EQ(single, 1);
  CHECK_EQ(tasks, team_size());
  return sum;
}

static void* work(void* argument) {
  int me = *(int*)argument;
  CHECK_EQ(omp_get_level(), 0);
  CHECK_EQ(omp_get_thread_num(), 0);
  CHECK(!omp_in_parallel());
  counter = me;
  for (int round = 0; round < rounds; round++) {
    CHECK_EQ(one_region(round), 190 * round);
  }
  CHECK_EQ(counter, me);
  omp_set_num_threads(me % 3 + 1);
  int members = 0;
#pragma omp parallel reduction(+ : members)
  members++;
  CHECK_EQ(members, me % 3 + 1);
  return NULL;
}

static void at_once(int count) {
  pthread_t handles[threads];
  int numbers[threads];
  for (int i = 0; i < count; i++) {
    numbers[i] = i;
    CHECK_EQ(pthread_create(&handles[i], NULL, work, &numbers[i]), 0);
  }
  for (int i = 0; i < count; i++) {
    CHECK_EQ(pthread_join(handles[i], NULL), 0);
  }
}

static int shared_total;

static void* add_in_critical(void* argument) {
  (void)argument;
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 50; i++) {
#pragma omp critical(total)
    shared_total++;
  }
  return NULL;
}

// A critical region and an atomic exclude all threads of the program, not those of a team alone.
static void shared_critical(void) {
  pthread_t handles[threads];
  for (int i = 0; i < threads; i++) {
    pthread_create(&handles[i], NULL, add_in_critical, NULL);
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(handles[i], NULL);
  }
  CHECK_EQ(shared_total, threads * 100);
}

static void test(void) {
  at_once(threads);
  CHECK_EQ(one_region(1), 190);
  for (int i = 0; i < 5; i++) {
    at_once(1);
  }
  at_once(2);
  shared_critical();
}
