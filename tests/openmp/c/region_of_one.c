// SPDX-License-Identifier: Apache-2.0
// Regions of one member in more OS threads than there are cores, all open at once: everything that
// a region may hold works in them, whether their thread is one of the runtime's by then or not.
// test: nested=no env=KASURI_NUM_WORKERS=1 env=OMP_CANCELLATION=true
#include "support/check.h"

#include <pthread.h>

enum { threads = 8, rounds = 50 };

static int copy;
#pragma omp threadprivate(copy)

static int in_critical, under_lock, under_nest_lock, whole_program;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static pthread_barrier_t all_inside;

static void check_where(int level) {
  CHECK_EQ(omp_get_thread_num(), 0);
  CHECK_EQ(omp_get_num_threads(), 1);
  CHECK_EQ(omp_get_level(), level);
  CHECK_EQ(omp_get_active_level(), 0);
  CHECK_EQ(omp_get_team_size(level), 1);
  CHECK_EQ(omp_get_ancestor_thread_num(level), 0);
  CHECK(!omp_in_parallel());
}

// All threads contend for these.
static void exclude(void) {
#pragma omp critical
  in_critical++;
  omp_set_lock(&lock);
  under_lock++;
  omp_unset_lock(&lock);
  omp_set_nest_lock(&nest_lock);
  omp_set_nest_lock(&nest_lock);
  under_nest_lock++;
  omp_unset_nest_lock(&nest_lock);
  omp_unset_nest_lock(&nest_lock);
#pragma omp atomic
  whole_program++;
}

static int share_work(void) {
  int sum = 0, from_single = 0;
#pragma omp for schedule(dynamic, 3)
  for (int i = 0; i < 10; i++) {
    sum += i;
  }
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < 5; i++) {
#pragma omp ordered
    sum += i;
  }
#pragma omp sections
  {
#pragma omp section
    sum++;
#pragma omp section
    sum++;
  }
#pragma omp single copyprivate(from_single)
  from_single = 7;
#pragma omp barrier
  return sum + from_single;  // 45 + 10 + 2 + 7
}

static int make_tasks(void) {
  int done = 0, chain = 0;
#pragma omp taskgroup
  for (int i = 0; i < 4; i++) {
#pragma omp task shared(done)
    {
#pragma omp task shared(done)
      done++;
#pragma omp taskwait
      done++;
    }
  }
#pragma omp task shared(chain) depend(out : chain)
  chain = 1;
#pragma omp task shared(chain) depend(inout : chain)
  chain = chain * 10 + 2;
#pragma omp taskwait
#pragma omp taskloop shared(done) num_tasks(3)
  for (int i = 0; i < 6; i++) {
    done++;
  }
  omp_event_handle_t event;
#pragma omp task detach(event) shared(done)
  {
    done++;
    omp_fulfill_event(event);
  }
#pragma omp taskwait
  return done + chain;  // 8 + 6 + 1 + 12
}

static int nest(void) {
  int members = 0, tasks = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
  {
    members++;
    CHECK_EQ(omp_get_level(), 2);
    CHECK_EQ(omp_get_active_level(), 1);
    CHECK_EQ(omp_get_num_threads(), 3);
#pragma omp task shared(tasks)
#pragma omp atomic
    tasks++;
#pragma omp barrier
    CHECK_EQ(tasks, 3);
  }
  CHECK_EQ(members, 3);
#pragma omp parallel if (0)
  check_where(2);
  check_where(1);
  return members;
}

static void cancel_it(void) {
  int passed = 0;
#pragma omp parallel num_threads(1) shared(passed)
  {
#pragma omp cancel parallel
    passed = 1;
  }
  CHECK_EQ(passed, 0);
}

static void one_round(int me, int round) {
  int ran = 0;
#pragma omp parallel num_threads(1) if (round % 2) shared(ran)
  {
    check_where(1);
    CHECK_EQ(copy, me + round);
    copy++;
    if (round == 0) {
      pthread_barrier_wait(&all_inside);  // nobody is let in only when another one has left
    }
    exclude();
    CHECK_EQ(share_work(), 64);
    if (round % 3 == 0) {
      CHECK_EQ(make_tasks(), 27);
      check_where(1);
    }
    if (round % 5 == 0) {
      CHECK_EQ(nest(), 3);
    }
    exclude();
    ran++;
  }
  CHECK_EQ(ran, 1);
  CHECK_EQ(omp_get_level(), 0);
}

static void* work(void* argument) {
  const int me = *(int*)argument;
  copy = me;
  omp_set_max_active_levels(2);
  for (int round = 0; round < rounds; round++) {
    one_round(me, round);
    cancel_it();
  }
  CHECK_EQ(copy, me + rounds);
  return NULL;
}

static void test(void) {
  pthread_t handles[threads];
  int numbers[threads];
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest_lock);
  pthread_barrier_init(&all_inside, NULL, threads);
  for (int i = 0; i < threads; i++) {
    numbers[i] = i;
    pthread_create(&handles[i], NULL, work, &numbers[i]);
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(handles[i], NULL);
  }
  CHECK_EQ(in_critical, 2 * threads * rounds);
  CHECK_EQ(under_lock, 2 * threads * rounds);
  CHECK_EQ(under_nest_lock, 2 * threads * rounds);
  CHECK_EQ(whole_program, 2 * threads * rounds);
}
