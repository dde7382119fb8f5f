// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>

#include "c_sync.h"
#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using c_sync_of = test::pool_of;

TEST_P(c_sync_of, mutex_and_condition_variable) {
  const int turns = test::scaled(300);
  c_static_account.value = 0;
  std::atomic<int> errors{0};
  tasks_and_threads(6, 3, [&](int i) {
    const int error =
        i % 3 == 0 ? c_wait_for(&c_static_account, 6L * turns) : c_add(&c_static_account, turns);
    if (error != KASURI_SUCCESS) ++errors;
  });
  EXPECT_EQ(errors, 0);
  EXPECT_EQ(c_static_account.value, 6L * turns);
  EXPECT_EQ(kasuri_mutex_destroy(&c_static_account.mutex), KASURI_SUCCESS);
  EXPECT_EQ(kasuri_cond_destroy(&c_static_account.changed), KASURI_SUCCESS);
}

TEST_P(c_sync_of, destroy_refuses_what_is_waited_for) {
  kasuri_sem_t s;
  ASSERT_EQ(kasuri_sem_init(&s, 0), KASURI_SUCCESS);
  tasks(2, [&](int i) {
    if (i == 0) {
      while (kasuri_sem_destroy(&s) == KASURI_SUCCESS) this_task::yield();
      EXPECT_EQ(kasuri_sem_destroy(&s), KASURI_ERROR_BUSY);
      EXPECT_EQ(kasuri_sem_release(&s, 1), KASURI_SUCCESS);
    } else {
      EXPECT_EQ(kasuri_sem_acquire(&s), KASURI_SUCCESS);
    }
  });
  EXPECT_EQ(kasuri_sem_destroy(&s), KASURI_SUCCESS);
}

TEST_P(c_sync_of, barrier_has_one_last) {
  kasuri_barrier_t b;
  ASSERT_EQ(kasuri_barrier_init(&b, 5), KASURI_SUCCESS);
  std::atomic<int> lasts{0};
  tasks_and_threads(4, 1, [&](int) {
    for (int phase = 0; phase != 20; ++phase) {
      int last = 0;
      EXPECT_EQ(kasuri_barrier_wait(&b, &last), KASURI_SUCCESS);
      lasts += last;
    }
  });
  EXPECT_EQ(lasts, 20);
  EXPECT_EQ(kasuri_barrier_destroy(&b), KASURI_SUCCESS);
}

TEST_P(c_sync_of, blocking_passes_the_result) {
  int x = 4;
  run([&] {
    void* result = nullptr;
    EXPECT_EQ(kasuri_blocking([](void* p) { return p; }, &x, &result), KASURI_SUCCESS);
    EXPECT_EQ(result, &x);
  });
}

TEST_P(c_sync_of, waits_end_by_their_time) {
  tasks_and_threads(3, 2, [](int) { EXPECT_EQ(c_times(), 0); });
}

TEST(c_sync, misuse_gives_the_promised_codes) { EXPECT_EQ(c_misuse(), 0); }

INSTANTIATE_TEST_SUITE_P(workers, c_sync_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
