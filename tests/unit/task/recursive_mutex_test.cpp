// SPDX-License-Identifier: Apache-2.0
#include "kasuri/recursive_mutex.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using namespace std::chrono_literals;

using recursive_mutex_of = test::pool_of;

TEST_P(recursive_mutex_of, excludes_others_and_lets_its_owner_in_again) {
  const int turns = test::scaled(500);
  recursive_mutex m;
  long count = 0;
  int inside = 0;
  int worst = 0;
  tasks_and_threads(6, 2, [&](int i) {
    for (int k = 0; k != turns; ++k) {
      const std::lock_guard first(m);
      worst = std::max(worst, ++inside);
      if ((i + k) % 5 == 0) this_task::yield();  // goes on elsewhere, perhaps
      {
        const std::lock_guard second(m);
        if ((i + k) % 7 == 0) sleep_for(1us);
        EXPECT_TRUE(m.try_lock());
        ++count;
        m.unlock();
      }
      --inside;
    }
  });
  EXPECT_EQ(worst, 1);
  EXPECT_EQ(count, 8L * turns);
  EXPECT_TRUE(m.is_idle());
}

TEST_P(recursive_mutex_of, with_a_time) {
  recursive_mutex m;
  m.lock();
  EXPECT_TRUE(m.try_lock_for(0s));
  EXPECT_TRUE(m.try_lock_until(std::chrono::steady_clock::time_point::max()));
  const auto find_it_held = [&] {
    EXPECT_FALSE(m.try_lock());
    EXPECT_FALSE(m.try_lock_for(50us));
    const std::unique_lock late(m, 10us);
    EXPECT_FALSE(late.owns_lock());
  };
  std::thread(find_it_held).join();
  std::thread([&] { run(find_it_held); }).join();
  async(find_it_held).get();  // from outside of the pool: on a stack of its own
  for (int i = 0; i != 3; ++i) m.unlock();
  EXPECT_TRUE(m.is_idle());
}

TEST_P(recursive_mutex_of, a_thread_that_calls_in_stays_the_owner) {
  recursive_mutex m;
  m.lock();
  run([&] {
    const std::lock_guard again(m);
    EXPECT_TRUE(m.try_lock());
    m.unlock();
  });
  m.unlock();
  EXPECT_TRUE(m.is_idle());
}

TEST_P(recursive_mutex_of, a_blocking_call_belongs_to_its_task) {
  recursive_mutex m;
  tasks(4, [&](int) {
    const std::lock_guard first(m);
    blocking([&] {
      const std::lock_guard second(m);
      std::this_thread::yield();
    });
    const std::lock_guard third(m);
  });
  EXPECT_TRUE(m.is_idle());
}

TEST(recursive_mutex_misuse, unlock_by_another_ends_the_program) {
  if (test::emulated) GTEST_SKIP() << "the program cannot start itself again; see tests/misuse";
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        recursive_mutex m;
        m.unlock();
      },
      testing::ExitedWithCode(2), "kasuri: recursive_mutex::unlock: the caller has not locked it");
}

INSTANTIATE_TEST_SUITE_P(workers, recursive_mutex_of, testing::Values(1, 2, 4, 16));

}  // namespace
}  // namespace kasuri
