// SPDX-License-Identifier: Apache-2.0
// Members that spin until another has done something, without any scheduling point: every member
// makes progress, also with more members than cores, nested, in tasks and in a blocking call.
#include "support/check.h"

#include <pthread.h>
#include <unistd.h>

// Everybody waits for everybody.
static void rendezvous(int size) {
  int arrived = 0;
#pragma omp parallel num_threads(size)
  {
    atomic_add(&arrived, 1);
    while (atomic_get(&arrived) < size) {
    }
  }
  CHECK_EQ(arrived, size);
}

// Member i waits for member i + 1, so they must all run whatever the order in which they start.
static void relay(int size) {
  int done[64] = {0};
#pragma omp parallel num_threads(size)
  {
    int me = omp_get_thread_num();
    while (me + 1 < size && atomic_get(&done[me + 1]) == 0) {
    }
    atomic_set(&done[me], 1);
  }
  CHECK_EQ(done[0], 1);
}

static void primary_waits(int size) {
  int turn = 1;
#pragma omp parallel num_threads(size)
  {
    int me = omp_get_thread_num();
    while (atomic_get(&turn) != (me == 0 ? size : me)) {
    }
    if (me != 0) {
      atomic_add(&turn, 1);
    }
  }
  CHECK_EQ(turn, size);
}

static void pipeline(int size) {
  int passed[64] = {0};
#pragma omp parallel num_threads(size)
  {
    int me = omp_get_thread_num();
    for (int round = 1; round <= 3; round++) {
      while (me > 0 && atomic_get(&passed[me - 1]) < round) {
      }
      atomic_add(&passed[me], 1);
    }
  }
  for (int i = 0; i < size; i++) {
    CHECK_EQ(passed[i], 3);
  }
}

static void nested_rendezvous(int outer, int inner) {
  int arrived = 0;
  omp_set_max_active_levels(base_level() + 2);
#pragma omp parallel num_threads(outer)
#pragma omp parallel num_threads(inner)
  {
    atomic_add(&arrived, 1);
    while (atomic_get(&arrived) < outer * inner) {
    }
  }
  CHECK_EQ(arrived, outer * inner);
}

// All have been at a barrier, where they may have given their threads to each other, and then spin
// for one that is still there.
static void after_a_barrier(int size) {
  int released[64] = {0};
#pragma omp parallel num_threads(size)
  for (int one = 0; one < size; one++) {
#pragma omp barrier
    if (omp_get_thread_num() == one) {
      atomic_set(&released[one], 1);
    }
    while (atomic_get(&released[one]) == 0) {
    }
  }
  for (int i = 0; i < size; i++) {
    CHECK_EQ(released[i], 1);
  }
}

// The primaries of inner regions wait for their members, which spin for a member of the other
// region.
static void across_inner_regions(int outer, int inner) {
  int released = 0;
  omp_set_max_active_levels(base_level() + 2);
#pragma omp parallel num_threads(outer)
  for (int one = 0; one < outer; one++) {
    int me = omp_get_thread_num();
#pragma omp parallel num_threads(inner)
    {
#pragma omp barrier
      if (me == one && omp_get_thread_num() == 0) {
        atomic_add(&released, 1);
      }
      while (atomic_get(&released) <= one) {
      }
    }
  }
  CHECK_EQ(released, outer);
}

// One member spins for a task that another one runs.
static void wait_for_a_task(void) {
  int done = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) {
#pragma omp task shared(done)
      atomic_set(&done, 1);
#pragma omp taskwait
    } else {
      while (atomic_get(&done) == 0) {
      }
    }
  }
  CHECK_EQ(done, 1);
}

// A member sits in a system call until another one has run.
static void blocking_call(int size) {
  int ends[2];
  char byte = 0;
  CHECK_EQ(pipe(ends), 0);
#pragma omp parallel num_threads(size) firstprivate(byte)
  {
    int me = omp_get_thread_num();
    if (me == 0) {
      for (int i = 1; i < size; i++) {
        CHECK_EQ(read(ends[0], &byte, 1), 1);
      }
    } else {
      CHECK_EQ(write(ends[1], &byte, 1), 1);
    }
  }
  close(ends[0]);
  close(ends[1]);
}

static void mutex_and_condition(int size) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  int arrived = 0;
#pragma omp parallel num_threads(size)
  {
    pthread_mutex_lock(&mutex);
    arrived++;
    pthread_cond_broadcast(&condition);
    while (arrived < size) {
      pthread_cond_wait(&condition, &mutex);
    }
    pthread_mutex_unlock(&mutex);
  }
  CHECK_EQ(arrived, size);
}

static void pthread_barriers(int size) {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, (unsigned)size);
  int serials = 0;
#pragma omp parallel num_threads(size) reduction(+ : serials)
  for (int i = 0; i < 3; i++) {
    serials += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  }
  pthread_barrier_destroy(&barrier);
  CHECK_EQ(serials, 3);
}

static void test(void) {
  const int sizes[] = {2, 5, team_size()};
  for (int at = 0; at < 3; at++) {
    rendezvous(sizes[at]);
    relay(sizes[at]);
    primary_waits(sizes[at]);
    pipeline(sizes[at]);
    blocking_call(sizes[at]);
    mutex_and_condition(sizes[at]);
    pthread_barriers(sizes[at]);
    if (sizes[at] <= 5) {
      after_a_barrier(sizes[at]);
    }
  }
  nested_rendezvous(2, 2);
  nested_rendezvous(2, 4);
  nested_rendezvous(4, 2);
  across_inner_regions(2, 4);
  wait_for_a_task();
}
