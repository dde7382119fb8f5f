// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using semaphore_of = test::pool_of;

TEST_P(semaphore_of, lets_as_many_in_as_it_has_units) {
  semaphore s(3);
  std::atomic<int> inside{0};
  std::atomic<int> worst{0};
  std::atomic<int> turns{0};
  tasks_and_threads(8, 2, [&](int) {
    for (int k = 0; k != test::scaled(200); ++k) {
      s.acquire();
      const int now = ++inside;
      int seen = worst;
      while (seen < now && !worst.compare_exchange_weak(seen, now)) {
      }
      this_task::yield();
      ++turns;
      --inside;
      s.release();
    }
  });
  EXPECT_LE(worst, 3);
  EXPECT_EQ(turns, 10 * test::scaled(200));
  EXPECT_TRUE(s.is_idle());
}

TEST_P(semaphore_of, hands_over_between_two) {
  semaphore ping(0);
  semaphore pong(0);
  int count = 0;
  const int turns = test::scaled(2000);
  tasks(2, [&](int i) {
    for (int k = 0; k != turns; ++k) {
      if (i == 0) {
        ++count;
        ping.release();
        pong.acquire();
      } else {
        ping.acquire();
        ++count;
        pong.release();
      }
    }
  });
  EXPECT_EQ(count, 2 * turns);
}

TEST_P(semaphore_of, release_of_many_serves_many) {
  semaphore s(0);
  std::atomic<int> through{0};
  tasks(9, [&](int i) {
    if (i == 0) {
      s.release(5);
      s.release(5);
      return;
    }
    s.acquire();
    ++through;
  });
  EXPECT_EQ(through, 8);
  EXPECT_TRUE(s.try_acquire());
  EXPECT_TRUE(s.try_acquire());
  EXPECT_FALSE(s.try_acquire());
}

TEST_P(semaphore_of, may_be_destroyed_by_the_one_it_lets_go) {
  for (int k = 0; k != test::scaled(500); ++k) {
    auto s = std::make_unique<semaphore>(0);
    run([&] {
      parallel_invoke([&] { s->release(); },
                      [&] {
                        s->acquire();
                        s.reset();
                      });
    });
  }
}

TEST_P(semaphore_of, names_numbers_out_of_range) {
  EXPECT_THROW(semaphore(semaphore::most + 1), std::invalid_argument);
  semaphore full(semaphore::most);
  EXPECT_THROW(full.release(), std::overflow_error);
  EXPECT_TRUE(full.try_acquire());
  EXPECT_NO_THROW(full.release());
}

TEST_P(semaphore_of, is_given_back_by_a_guard_whatever_ends_it) {
  semaphore s(2);
  std::atomic<int> inside{0};
  std::atomic<int> failed{0};
  tasks(64, [&](int i) {
    try {
      const semaphore_guard unit(s);
      EXPECT_LE(++inside, 2);
      this_task::yield();
      --inside;
      if (i % 3 == 0) throw i;
    } catch (int) {
      ++failed;
    }
  });
  EXPECT_EQ(failed, 22);
  EXPECT_TRUE(s.try_acquire());
  EXPECT_TRUE(s.try_acquire());
  EXPECT_FALSE(s.try_acquire());
}

INSTANTIATE_TEST_SUITE_P(workers, semaphore_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
