// SPDX-License-Identifier: Apache-2.0
#include "kasuri/shared_mutex.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

using shared_mutex_of = test::pool_of;

TEST_P(shared_mutex_of, writers_exclude_all_and_readers_only_writers) {
  const int turns = test::scaled(1500);
  shared_mutex m;
  long value = 0;
  std::atomic<int> reading{0};
  std::atomic<int> wrong{0};
  tasks_and_threads(7, 2, [&](int i) {
    for (int k = 0; k != turns; ++k) {
      if (i % 3 == 0) {
        const std::unique_lock hold(m);
        if (reading != 0) ++wrong;
        ++value;
        if (k % 32 == 0) this_task::yield();
        if (reading != 0) ++wrong;
      } else {
        const std::shared_lock hold(m);
        ++reading;
        const long before = value;
        if (k % 32 == 0) this_task::yield();
        if (value != before) ++wrong;
        --reading;
      }
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(value, 3L * turns);
  EXPECT_TRUE(m.is_idle());
}

TEST_P(shared_mutex_of, readers_hold_it_together) {
  shared_mutex m;
  barrier all(5);
  tasks_and_threads(4, 1, [&](int) {
    const std::shared_lock hold(m);
    all.arrive_and_wait();  // for ever, if one kept another out
  });
  EXPECT_TRUE(m.is_idle());
}

TEST_P(shared_mutex_of, try_takes_what_is_free) {
  shared_mutex m;
  EXPECT_TRUE(m.try_lock());
  EXPECT_FALSE(m.try_lock());
  EXPECT_FALSE(m.try_lock_shared());
  m.unlock();
  EXPECT_TRUE(m.try_lock_shared());
  EXPECT_TRUE(m.try_lock_shared());
  EXPECT_FALSE(m.try_lock());
  m.unlock_shared();
  EXPECT_FALSE(m.try_lock());
  m.unlock_shared();
  EXPECT_TRUE(m.is_idle());
}

template <class Holds>
void wait_until(Holds holds) {
  while (!holds()) this_task::yield();
}

// A reader that comes behind a writer waits for it; readers side by side go on together.
TEST_P(shared_mutex_of, goes_by_the_order_in_which_threads_came) {
  shared_mutex m;
  std::vector<int> order;
  mutex of_order;
  tasks(1, [&](int) {
    task_group others;
    std::atomic<int> begun{0};
    const auto note = [&](int i) {
      const std::lock_guard hold(of_order);
      order.push_back(i);
    };
    barrier readers(2);
    m.lock_shared();
    const auto start = [&](int i, auto body) {
      others.run(
          [&begun, body] {
            ++begun;
            body();
          },
          spawn::child_first);
      wait_until([&] { return begun == i; });
    };
    start(1, [&] {
      const std::unique_lock hold(m);
      note(1);
    });
    // The writer stands in the list when no reader gets in any more.
    wait_until([&] {
      if (!m.try_lock_shared()) return true;
      m.unlock_shared();
      return false;
    });
    for (int i = 2; i != 4; ++i)
      start(i, [&, i] {
        const std::shared_lock hold(m);
        readers.arrive_and_wait();
        note(i);
      });
    m.unlock_shared();
    others.wait();
  });
  ASSERT_EQ(order.size(), 3u);
  EXPECT_EQ(order[0], 1);
}

TEST_P(shared_mutex_of, with_a_time) {
  shared_mutex m;
  m.lock();
  tasks_and_threads(3, 2, [&](int) {
    EXPECT_FALSE(m.try_lock_for(50us));
    EXPECT_FALSE(m.try_lock_shared_for(50us));
    EXPECT_FALSE(m.try_lock_for(-1s));
    EXPECT_FALSE(m.try_lock_shared_until(std::chrono::steady_clock::time_point::min()));
    const std::shared_lock late(m, 10us);
    EXPECT_FALSE(late.owns_lock());
  });
  m.unlock();
  EXPECT_TRUE(m.is_idle());
  EXPECT_TRUE(m.try_lock_for(-1s));
  m.unlock();
}

// The readers wait for nothing but the writer in front of them, which gives up.
TEST_P(shared_mutex_of, a_writer_that_gives_up_lets_readers_go_on) {
  for (int k = 0, turns = test::scaled(100); k != turns; ++k) {
    shared_mutex m;
    m.lock_shared();
    tasks(4, [&](int i) {
      if (i == 0) {
        EXPECT_FALSE(m.try_lock_for(microseconds(50 + k % 50)));
      } else {
        const std::shared_lock hold(m);
      }
    });
    m.unlock_shared();
    EXPECT_TRUE(m.is_idle());
  }
}

TEST_P(shared_mutex_of, times_and_turns_together) {
  const int turns = test::scaled(2500);
  shared_mutex m;
  long value = 0;
  std::atomic<long> wrote{0};
  tasks_and_threads(6, 2, [&](int i) {
    for (int k = 0; k != turns; ++k) {
      if ((i + k) % 3 == 0) {
        const std::unique_lock hold(m, microseconds(k % 40));
        if (!hold.owns_lock()) continue;
        ++value;
        ++wrote;
        if (k % 32 == 0) sleep_for(20us);
      } else {
        const std::shared_lock hold(m, microseconds(k % 40));
        if (hold.owns_lock() && k % 32 == 1) sleep_for(20us);
      }
    }
  });
  EXPECT_EQ(value, wrote);
  EXPECT_TRUE(m.is_idle());
}

TEST(shared_mutex_misuse, unlock_of_a_free_one_ends_the_program) {
  if (test::emulated) GTEST_SKIP() << "the program cannot start itself again; see tests/misuse";
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        shared_mutex m;
        m.unlock();
      },
      testing::ExitedWithCode(2), "kasuri: shared_mutex::unlock: nobody holds it exclusively");
  EXPECT_EXIT(
      {
        shared_mutex m;
        m.lock();
        m.unlock_shared();
      },
      testing::ExitedWithCode(2), "kasuri: shared_mutex::unlock_shared: nobody holds it shared");
}

INSTANTIATE_TEST_SUITE_P(workers, shared_mutex_of, testing::Values(1, 2, 4, 16));

}  // namespace
}  // namespace kasuri
