// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using barrier_of = test::pool_of;

TEST_P(barrier_of, nobody_passes_a_phase_early) {
  const int phases = test::scaled(300);
  constexpr int team = 9;
  barrier b(team);
  std::atomic<int> arrived{0};
  std::atomic<int> early{0};
  std::atomic<int> last{0};
  tasks_and_threads(team - 2, 2, [&](int) {
    for (int p = 1; p <= phases; ++p) {
      ++arrived;
      if (b.arrive_and_wait()) ++last;
      if (arrived < p * team) ++early;
      b.arrive_and_wait();
    }
  });
  EXPECT_EQ(early, 0);
  EXPECT_EQ(arrived, phases * team);
  EXPECT_EQ(last, phases);
  EXPECT_TRUE(b.is_idle());
}

TEST_P(barrier_of, takes_far_more_tasks_than_workers) {
  const int team = test::scaled(2000) + 1;
  barrier b(static_cast<std::size_t>(team));
  std::atomic<int> last{0};
  std::atomic<int> through{0};
  tasks(team, [&](int) {
    if (b.arrive_and_wait()) ++last;
    ++through;
  });
  EXPECT_EQ(last, 1);
  EXPECT_EQ(through, team);
}

TEST_P(barrier_of, of_one_never_waits) {
  barrier b(1);
  for (int i = 0; i != 10; ++i) EXPECT_TRUE(b.arrive_and_wait());
}

TEST_P(barrier_of, calls_its_completion_once_a_phase_and_before_anybody_goes_on) {
  const int phases = test::scaled(300);
  constexpr int team = 7;
  int completed = 0;  // not atomic: the barrier orders the calls and all that read it
  std::atomic<int> wrong{0};
  barrier b(team, [&] {
    this_task::yield();
    ++completed;
  });
  tasks_and_threads(team - 2, 2, [&](int) {
    for (int p = 1; p <= phases; ++p) {
      b.arrive_and_wait();
      if (completed != p) ++wrong;
      b.arrive_and_wait();
      if (completed != ++p) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(completed, (phases + 1) / 2 * 2);
  EXPECT_TRUE(b.is_idle());
}

TEST_P(barrier_of, threads_may_drop_out) {
  constexpr int team = 6;
  std::atomic<int> completed{0};
  std::atomic<int> last{0};
  barrier b(team, [&] { ++completed; });
  // Thread i takes part in i + 1 phases.
  tasks(team, [&](int i) {
    for (int p = 0; p != i; ++p) last += b.arrive_and_wait() ? 1 : 0;
    last += b.arrive_and_drop() ? 1 : 0;
  });
  EXPECT_EQ(completed, team);
  EXPECT_EQ(last, team);
  EXPECT_THROW(b.arrive_and_drop(), std::logic_error);
  EXPECT_TRUE(b.is_idle());
}

TEST_P(barrier_of, names_numbers_out_of_range) {
  EXPECT_THROW(barrier(0), std::invalid_argument);
  EXPECT_THROW(barrier(std::size_t{1} << 32), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(workers, barrier_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
