// SPDX-License-Identifier: Apache-2.0
// omp_pause_resource: a soft pause keeps threadprivate variables; behind a hard one the members of
// the next region have initial values, but for the initial thread.
// test: threads=1,4 nested=no
#include <pthread.h>

#include "support/check.h"

static int counter = 7;
static struct {
  double number;
  char name[20];
} record = {1.5, "first"};
#pragma omp threadprivate(counter, record)

static int ended;  // threads whose thread-locals were destroyed
static pthread_key_t key;

static void count_end(void* value) { atomic_add(&ended, value != NULL ? 1 : 0); }

// In all members: theirs alone from here on.
static void fill(int members) {
#pragma omp parallel num_threads(members)
  {
    CHECK_EQ(omp_get_num_threads(), members);
    counter = 100 + omp_get_thread_num();
    record.number = counter;
    strcpy(record.name, "second");
    pthread_setspecific(key, &counter);
  }
}

static void initial_but_for_member_0(int members) {
#pragma omp parallel num_threads(members)
  {
    const int me = omp_get_thread_num();
    CHECK_EQ(counter, me == 0 ? 100 : 7);
    CHECK(record.number == (me == 0 ? 100 : 1.5));
    CHECK(strcmp(record.name, me == 0 ? "second" : "first") == 0);
    CHECK(me == 0 || pthread_getspecific(key) == NULL);
  }
}

static void soft_keeps(int members) {
  fill(members);
  CHECK_EQ(omp_pause_resource(omp_pause_soft, omp_get_initial_device()), 0);
  if (known_bug("libgomp", "a soft pause ends the threads as a hard one does") ||
      known_bug("libomp", "a soft pause ends the threads as a hard one does")) {
    return;
  }
#pragma omp parallel num_threads(members)
  {
    CHECK_EQ(counter, 100 + omp_get_thread_num());
    CHECK(strcmp(record.name, "second") == 0);
  }
}

// More members than cores, too: some have thread-locals of their own beside the pool's threads.
static void hard_drops(int members) {
  for (int round = 0; round < 3; round++) {
    fill(members);
    const int before = atomic_get(&ended);
    if (round % 2 == 0) {
      CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);
    } else {
      CHECK_EQ(omp_pause_resource(omp_pause_hard, omp_get_initial_device()), 0);
    }
    CHECK(atomic_get(&ended) - before >= members - 1);
    initial_but_for_member_0(members);
  }
}

// What regions inside regions have left behind is not found either.
static void hard_drops_inner(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(3)
    counter = 1000;
  }
  CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);
#pragma omp parallel num_threads(9)
  CHECK_EQ(counter, omp_get_thread_num() == 0 ? 1000 : 7);
  counter = 7;
}

static void refused_inside(void) {
  int refused = 0;
#pragma omp parallel num_threads(2) reduction(+ : refused)
  refused += omp_pause_resource_all(omp_pause_hard) != 0;
  CHECK_EQ(refused, 2);
  if (!known_bug("libgomp", "takes any number for a kind of pause")) {
    CHECK(omp_pause_resource_all((omp_pause_resource_t)77) != 0);
  }
}

static void* regions_elsewhere(void* unused) {
  (void)unused;
  int sum = 0;
  for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum++;
  }
  CHECK_EQ(sum, 60);
  return NULL;
}

// While another thread has regions a hard pause does nothing or all; the regions do not notice.
static void beside_others(void) {
  pthread_t other;
  CHECK_EQ(pthread_create(&other, NULL, regions_elsewhere, NULL), 0);
  for (int i = 0; i < 20; i++) {
    omp_pause_resource_all(omp_pause_hard);
  }
  pthread_join(other, NULL);
  fill(3);
  CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);
  initial_but_for_member_0(3);
}

static void test(void) {
  omp_set_dynamic(0);
  CHECK_EQ(pthread_key_create(&key, count_end), 0);
  CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);  // before the first region
  soft_keeps(team_size());
  hard_drops(1);
  hard_drops(team_size());
  hard_drops(9);
  hard_drops_inner();
  refused_inside();
  beside_others();
}
