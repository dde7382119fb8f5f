// SPDX-License-Identifier: Apache-2.0
// What the kernel knows of a thread, in members of every kind: mutexes with priority inheritance,
// which it unlocks for their owner only, also where the owner waits for others meanwhile; robust,
// error-checking and recursive ones; the processors and the clock of pthread_self().
// test: nested=2 threads=2,4,9 flags=-D_GNU_SOURCE
#include "support/check.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

enum { rounds = 300 };

static pthread_mutex_t made(int protocol, int type, int robust) {
  pthread_mutexattr_t how;
  pthread_mutex_t mutex;
  pthread_mutexattr_init(&how);
  CHECK(pthread_mutexattr_setprotocol(&how, protocol) == 0);
  CHECK(pthread_mutexattr_settype(&how, type) == 0);
  CHECK(pthread_mutexattr_setrobust(&how, robust) == 0);
  CHECK(pthread_mutex_init(&mutex, &how) == 0);
  return mutex;
}

static void add_up(int size, pthread_mutex_t* mutex) {
  long sum = 0;
  int failed = 0;
#pragma omp parallel num_threads(size) reduction(+ : failed)
  for (int i = 0; i < rounds; i++) {
    failed += pthread_mutex_lock(mutex) != 0;
    sum++;
    failed += pthread_mutex_unlock(mutex) != 0;
  }
  CHECK_EQ(failed, 0);
  CHECK_EQ(sum, rounds * size);
}

// An inner region's members, too.
static void add_up_nested(int size, pthread_mutex_t* mutex) {
  long sum = 0;
  omp_set_max_active_levels(base_level() + 2);
#pragma omp parallel num_threads(3)
#pragma omp parallel num_threads(size)
  for (int i = 0; i < rounds / 10; i++) {
    pthread_mutex_lock(mutex);
    sum++;
    pthread_mutex_unlock(mutex);
  }
  CHECK_EQ(sum, rounds / 10 * size * 3);
}

// One member after the other holds the mutex while all others come and try; each waits for them
// then.
static void hold_over_waits(int size, pthread_mutex_t* mutex) {
  int inside = 0, wrong = 0;
#pragma omp parallel num_threads(size) reduction(+ : wrong)
  for (int turn = 0; turn < size; turn++) {
    int mine = omp_get_thread_num() == turn;
    if (mine) {
      wrong += pthread_mutex_lock(mutex) != 0;
      wrong += atomic_add(&inside, 1) != 0;
    }
#pragma omp barrier
    if (!mine) {
      wrong += pthread_mutex_trylock(mutex) == 0;
    }
#pragma omp task
    {
    }
#pragma omp taskwait
#pragma omp taskyield
#pragma omp barrier
    if (mine) {
      wrong += atomic_add(&inside, -1) != 1;
      wrong += pthread_mutex_unlock(mutex) != 0;
    }
#pragma omp barrier
    wrong += pthread_mutex_lock(mutex) != 0;
    wrong += atomic_add(&inside, 1) != 0;
    wrong += atomic_add(&inside, -1) != 1;
    wrong += pthread_mutex_unlock(mutex) != 0;
#pragma omp barrier
  }
  CHECK_EQ(wrong, 0);
}

static void recursive(int size, int protocol) {
  pthread_mutex_t mutex = made(protocol, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
  int inside = 0, wrong = 0;
#pragma omp parallel num_threads(size) reduction(+ : wrong)
  for (int i = 0; i < 50; i++) {
    wrong += pthread_mutex_lock(&mutex) != 0;
    wrong += pthread_mutex_lock(&mutex) != 0;
    wrong += inside++ != 0;
    wrong += inside-- != 1;
    wrong += pthread_mutex_unlock(&mutex) != 0;
    wrong += pthread_mutex_unlock(&mutex) != 0;
  }
  CHECK_EQ(wrong, 0);
  hold_over_waits(size, &mutex);
  pthread_mutex_destroy(&mutex);
}

static void error_checking(int size, int protocol) {
  pthread_mutex_t mutex = made(protocol, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
  int wrong = 0;
#pragma omp parallel num_threads(size) reduction(+ : wrong)
  for (int i = 0; i < 50; i++) {
    wrong += pthread_mutex_lock(&mutex) != 0;
    wrong += pthread_mutex_lock(&mutex) != EDEADLK;
    wrong += pthread_mutex_unlock(&mutex) != 0;
  }
#pragma omp parallel num_threads(size) reduction(+ : wrong)
  wrong += pthread_mutex_unlock(&mutex) != EPERM;
  CHECK_EQ(wrong, 0);
  hold_over_waits(size, &mutex);
  pthread_mutex_destroy(&mutex);
}

static void plain(int size, int protocol, int robust) {
  pthread_mutex_t mutex = made(protocol, PTHREAD_MUTEX_NORMAL, robust);
  add_up(size, &mutex);
  add_up_nested(size < 4 ? size : 4, &mutex);
  hold_over_waits(size, &mutex);
  pthread_mutex_destroy(&mutex);
}

// Each waits for its turn.
static void condition(int size) {
  pthread_mutex_t mutex = made(PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
  pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
  int next = 0;
#pragma omp parallel num_threads(size)
  {
    pthread_mutex_lock(&mutex);
    while (next != omp_get_num_threads() - 1 - omp_get_thread_num()) {
      pthread_cond_wait(&moved, &mutex);
    }
    next++;
    pthread_cond_broadcast(&moved);
    pthread_mutex_unlock(&mutex);
  }
  CHECK_EQ(next, size);
}

static void timed(int size) {
  pthread_mutex_t mutex = made(PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
  int wrong = 0;
#pragma omp parallel num_threads(size) reduction(+ : wrong)
  {
    if (omp_get_thread_num() == size - 1) {
      wrong += pthread_mutex_lock(&mutex) != 0;
    }
#pragma omp barrier
    if (omp_get_thread_num() != size - 1) {
      struct timespec until;
      clock_gettime(CLOCK_REALTIME, &until);
      until.tv_nsec += 1000000;
      until.tv_sec += until.tv_nsec / 1000000000;
      until.tv_nsec %= 1000000000;
      wrong += pthread_mutex_timedlock(&mutex, &until) != ETIMEDOUT;
    }
#pragma omp barrier
    if (omp_get_thread_num() == size - 1) {
      wrong += pthread_mutex_unlock(&mutex) != 0;
    }
  }
  CHECK_EQ(wrong, 0);
}

static long long nanoseconds(clockid_t clock) {
  struct timespec now = {0, 0};
  clock_gettime(clock, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

// A member that binds itself runs there at once.
static void processors(int size) {
  int wrong = 0;
#pragma omp parallel num_threads(size) reduction(+ : wrong)
  {
    cpu_set_t before, one, now;
    clockid_t clock;
    wrong += pthread_getaffinity_np(pthread_self(), sizeof before, &before) != 0;
    wrong += sched_getaffinity(0, sizeof now, &now) != 0;
    wrong += !CPU_EQUAL(&before, &now);
    int cpu = CPU_SETSIZE - 1;
    while (!CPU_ISSET(cpu, &before)) {
      cpu--;
    }
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    wrong += pthread_setaffinity_np(pthread_self(), sizeof one, &one) != 0;
    wrong += sched_getcpu() != cpu;
    wrong +=
        pthread_getaffinity_np(pthread_self(), sizeof now, &now) != 0 || !CPU_EQUAL(&one, &now);
    wrong += pthread_setaffinity_np(pthread_self(), sizeof before, &before) != 0;
    wrong += pthread_getcpuclockid(pthread_self(), &clock) != 0;
    long long spent = nanoseconds(clock), own = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    while (nanoseconds(CLOCK_THREAD_CPUTIME_ID) < own + 100000) {
    }
    wrong += nanoseconds(clock) < spent + 100000;
  }
  CHECK_EQ(wrong, 0);
}

static void test(void) {
  const int sizes[] = {2, team_size()};
  for (int at = 0; at < 2; at++) {
    int size = sizes[at];
    plain(size, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_STALLED);
    plain(size, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_ROBUST);
    plain(size, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST);
    recursive(size, PTHREAD_PRIO_NONE);
    recursive(size, PTHREAD_PRIO_INHERIT);
    error_checking(size, PTHREAD_PRIO_NONE);
    error_checking(size, PTHREAD_PRIO_INHERIT);
    condition(size);
    timed(size);
    processors(size);
  }
}
