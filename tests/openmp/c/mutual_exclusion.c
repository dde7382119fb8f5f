// SPDX-License-Identifier: Apache-2.0
// critical, locks of both kinds with their hints and barrier.
#include "support/check.h"

static void critical_regions(void) {
  int unnamed = 0, first = 0, second = 0, hinted = 0;
#pragma omp parallel
  for (int i = 0; i < 100; i++) {
#pragma omp critical
    unnamed++;
#pragma omp critical(one)
    {
      first++;
#pragma omp critical(other)
      second++;
    }
#pragma omp critical(hinted) hint(omp_sync_hint_contended)
    hinted++;
  }
  CHECK_EQ(unnamed, 100 * team_size());
  CHECK_EQ(first, 100 * team_size());
  CHECK_EQ(second, 100 * team_size());
  CHECK_EQ(hinted, 100 * team_size());
}

static int shared_count[instances];

static void bump(void) {
#pragma omp critical(bump)
  shared_count[instance()]++;
}

// A named critical region is one for the whole program.
static void same_name_elsewhere(void) {
  shared_count[instance()] = 0;
#pragma omp parallel
  for (int i = 0; i < 50; i++) {
    bump();
#pragma omp critical(bump)
    shared_count[instance()]++;
  }
  CHECK_EQ(shared_count[instance()], 100 * team_size());
}

static void plain_lock(void) {
  omp_lock_t lock;
  int count = 0, taken = 0;
  omp_init_lock(&lock);
#pragma omp parallel reduction(+ : taken)
  {
    for (int i = 0; i < 100; i++) {
      omp_set_lock(&lock);
      count++;
      omp_unset_lock(&lock);
    }
    for (int i = 0; i < 100; i++) {
      if (omp_test_lock(&lock)) {
        count++;
        taken++;
        omp_unset_lock(&lock);
      }
    }
  }
  CHECK_EQ(count, 100 * team_size() + taken);
  CHECK(omp_test_lock(&lock));
  CHECK(!omp_test_lock(&lock));
#pragma omp parallel num_threads(2)
  CHECK(!omp_test_lock(&lock));
  omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
}

static void nest_lock(void) {
  omp_nest_lock_t lock;
  int count = 0;
  omp_init_nest_lock(&lock);
#pragma omp parallel
  for (int i = 0; i < 50; i++) {
    omp_set_nest_lock(&lock);
    CHECK_EQ(omp_test_nest_lock(&lock), 2);
    omp_set_nest_lock(&lock);
    count++;
    CHECK_EQ(omp_test_nest_lock(&lock), 4);
    for (int j = 0; j < 4; j++) {
      omp_unset_nest_lock(&lock);
    }
  }
  CHECK_EQ(count, 50 * team_size());
  CHECK_EQ(omp_test_nest_lock(&lock), 1);
#pragma omp parallel num_threads(2)
  CHECK(omp_get_thread_num() == 0 || omp_test_nest_lock(&lock) == 0);
  omp_unset_nest_lock(&lock);
  omp_destroy_nest_lock(&lock);
}

// A task owns a nestable lock, not the thread that runs it.
static void nest_lock_belongs_to_the_task(void) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
  omp_set_nest_lock(&lock);
#pragma omp task shared(lock) if (0)
  CHECK(omp_test_nest_lock(&lock) == 0 ||
        known_bug("libomp", "a nestable lock belongs to the thread, not to the task"));
  omp_unset_nest_lock(&lock);
  omp_destroy_nest_lock(&lock);
}

static void hinted_locks(void) {
#ifdef __clang__  // libgomp declares these two calls and does not define them
  const int hints[] = {
      omp_sync_hint_none,        omp_sync_hint_uncontended,
      omp_sync_hint_contended,   omp_sync_hint_nonspeculative,
      omp_sync_hint_speculative, omp_sync_hint_contended | omp_sync_hint_speculative};
  for (int at = 0; at < 6; at++) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    int count = 0, nested = 0;
    omp_init_lock_with_hint(&lock, (omp_sync_hint_t)hints[at]);
    omp_init_nest_lock_with_hint(&nest, (omp_sync_hint_t)hints[at]);
#pragma omp parallel
    for (int i = 0; i < 20; i++) {
      omp_set_lock(&lock);
      count++;
      omp_unset_lock(&lock);
      omp_set_nest_lock(&nest);
      omp_set_nest_lock(&nest);
      nested++;
      omp_unset_nest_lock(&nest);
      omp_unset_nest_lock(&nest);
    }
    CHECK_EQ(count, 20 * team_size());
    CHECK_EQ(nested, 20 * team_size());
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
  }
#endif
}

// Two locks at a time, always in the order of their numbers.
static void many_locks(void) {
  enum { locks = 64 };
  omp_lock_t lock[locks];
  int count[locks] = {0};
  for (int i = 0; i < locks; i++) {
    omp_init_lock(&lock[i]);
  }
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 20 * locks; i++) {
    int at = (i * 7) % locks, next = (at + 1) % locks;
    int low = at < next ? at : next, high = at < next ? next : at;
    omp_set_lock(&lock[low]);
    omp_set_lock(&lock[high]);
    count[low]++;
    count[high]++;
    omp_unset_lock(&lock[low]);
    omp_unset_lock(&lock[high]);
  }
  for (int i = 0; i < locks; i++) {
    CHECK_EQ(count[i], 40);
    omp_destroy_lock(&lock[i]);
  }
}

static void barriers_separate_phases(void) {
  int values[64] = {0}, bad = 0;
#pragma omp parallel reduction(+ : bad)
  {
    int me = omp_get_thread_num(), size = omp_get_num_threads();
    for (int round = 1; round <= 50; round++) {
      values[me] = round;
#pragma omp barrier
      bad += values[(me + 1) % size] != round;
#pragma omp barrier
    }
  }
  CHECK_EQ(bad, 0);
}

static void test(void) {
  critical_regions();
  same_name_elsewhere();
  plain_lock();
  nest_lock();
  nest_lock_belongs_to_the_task();
  hinted_locks();
  many_locks();
  barriers_separate_phases();
}
