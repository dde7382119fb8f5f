// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

static_assert(sizeof(mutex) <= 16);

using mutex_of = test::pool_of;

TEST_P(mutex_of, excludes) {
  const int turns = test::scaled(2000);
  mutex m;
  long count = 0;
  tasks(8, [&](int) {
    for (int i = 0; i != turns; ++i) {
      const std::lock_guard hold(m);
      ++count;
    }
  });
  EXPECT_EQ(count, 8L * turns);
  EXPECT_TRUE(m.is_idle());
}

TEST_P(mutex_of, excludes_holders_that_yield) {
  const int turns = test::scaled(300);
  mutex m;
  int inside = 0;
  int worst = 0;
  long count = 0;
  tasks_and_threads(6, 2, [&](int i) {
    for (int k = 0; k != turns; ++k) {
      const std::lock_guard hold(m);
      worst = std::max(worst, ++inside);
      if ((i + k) % 3 == 0) this_task::yield();
      ++count;
      --inside;
    }
  });
  EXPECT_EQ(worst, 1);
  EXPECT_EQ(count, 8L * turns);
  EXPECT_TRUE(m.is_idle());
}

TEST_P(mutex_of, try_lock_takes_a_free_one_only) {
  mutex m;
  EXPECT_TRUE(m.try_lock());
  EXPECT_TRUE(m.is_locked());
  run([&] { EXPECT_FALSE(m.try_lock()); });
  m.unlock();
  EXPECT_FALSE(m.is_locked());
  EXPECT_TRUE(m.try_lock());
  m.unlock();
}

// A waiter may lose to newcomers once, not again: of two threads that come back at once each gets
// its turns. The owner yields, so that on one worker a woken waiter tries while it cannot succeed.
TEST_P(mutex_of, nobody_starves) {
  const int turns = test::scaled(200);
  mutex m;
  barrier start(2);
  const std::uint64_t lent_before = test::threads_lent();
  int longest_row = 0;
  int row = 0;
  int last = -1;
  bool both = true;
  tasks(2, [&](int me) {
    start.arrive_and_wait();
    for (int k = 0; k != turns; ++k) {
      const std::lock_guard hold(m);
      row = last == me ? row + 1 : 1;
      last = me;
      this_task::yield();
      if (both && k > 0) longest_row = std::max(longest_row, row);
    }
    const std::lock_guard hold(m);
    both = false;
  });
  // With more workers a thread may be off its processor for any time before it waits.
  if (GetParam() == 1 && test::threads_lent() == lent_before) {
    EXPECT_LE(longest_row, 3);
  }
  EXPECT_FALSE(both);
}

TEST_P(mutex_of, may_be_destroyed_by_the_next_owner) {
  for (int k = 0; k != test::scaled(500); ++k) {
    auto m = std::make_unique<mutex>();
    m->lock();
    run([&] {
      parallel_invoke([&] { m->unlock(); },
                      [&] {
                        m->lock();
                        m->unlock();
                      });
    });
    m.reset();
  }
}

TEST_P(mutex_of, may_be_unlocked_by_another_thread) {
  mutex m;
  m.lock();
  tasks(1, [&](int) { m.unlock(); });
  EXPECT_TRUE(m.is_idle());
}

TEST(mutex_misuse, unlock_of_a_free_one_ends_the_program) {
  if (test::emulated) GTEST_SKIP() << "the program cannot start itself again; see tests/misuse";
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        mutex m;
        m.unlock();
      },
      testing::ExitedWithCode(2), "kasuri: mutex::unlock: the mutex is not locked");
}

INSTANTIATE_TEST_SUITE_P(workers, mutex_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
