// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using latch_of = test::pool_of;

TEST_P(latch_of, opens_at_zero) {
  for (int k = 0; k != test::scaled(100); ++k) {
    latch l(6);
    std::atomic<int> counted{0};
    std::atomic<int> early{0};
    tasks_and_threads(10, 2, [&](int i) {
      if (i % 2 == 0) {
        ++counted;
        l.count_down();
      } else {
        l.wait();
        if (counted != 6) ++early;
      }
    });
    EXPECT_EQ(early, 0);
    EXPECT_TRUE(l.try_wait());
    EXPECT_TRUE(l.is_idle());
  }
}

TEST_P(latch_of, arrive_and_wait_meets) {
  latch l(5);
  std::atomic<int> arrived{0};
  std::atomic<int> early{0};
  tasks(5, [&](int) {
    ++arrived;
    l.arrive_and_wait();
    if (arrived != 5) ++early;
  });
  EXPECT_EQ(early, 0);
}

TEST_P(latch_of, may_be_destroyed_by_the_one_it_lets_go) {
  for (int k = 0; k != test::scaled(500); ++k) {
    auto l = std::make_unique<latch>(1);
    run([&] {
      parallel_invoke([&] { l->count_down(); },
                      [&] {
                        l->wait();
                        l.reset();
                      });
    });
  }
}

TEST_P(latch_of, names_numbers_out_of_range) {
  EXPECT_THROW(latch(std::size_t{1} << 32), std::invalid_argument);
  latch l(2);
  EXPECT_FALSE(l.try_wait());
  EXPECT_THROW(l.count_down(3), std::invalid_argument);
  l.count_down(2);
  EXPECT_TRUE(l.try_wait());
  l.wait();
  EXPECT_THROW(l.count_down(), std::invalid_argument);
  EXPECT_THROW(l.arrive_and_wait(), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(workers, latch_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
