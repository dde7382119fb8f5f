// SPDX-License-Identifier: Apache-2.0
#include "profile/thread/sleepers.hpp"

#include <gtest/gtest.h>

#include "profile/base/active.hpp"

namespace kasuri::profile {
namespace {

using record::wait_reason;

int locks() { return asleep_for_lock.load(std::memory_order_relaxed); }
int barriers() { return asleep_in_barrier.load(std::memory_order_relaxed); }

class sleepers : public ::testing::Test {
 protected:
  void SetUp() override { recording.store(true, std::memory_order_relaxed); }
  void TearDown() override {
    recording.store(false, std::memory_order_relaxed);
    forget_sleepers();
  }
};

TEST_F(sleepers, count_while_they_sleep_by_what_they_wait_for) {
  const auto a = falls_asleep(wait_reason::openmp_barrier);
  const auto b = falls_asleep(wait_reason::barrier);
  const auto c = falls_asleep(wait_reason::mutex);
  EXPECT_EQ(falls_asleep(wait_reason::join), nullptr);
  EXPECT_EQ(barriers(), 2);
  EXPECT_EQ(locks(), 1);
  for (const auto counted : {a, b, c}) wakes_up(counted);
  wakes_up(nullptr);
  EXPECT_EQ(barriers(), 0);
  EXPECT_EQ(locks(), 0);
}

TEST_F(sleepers, wake_up_as_they_fell_asleep) {
  const auto early = falls_asleep(wait_reason::openmp_lock);
  recording.store(false, std::memory_order_relaxed);
  const auto late = falls_asleep(wait_reason::openmp_lock);
  EXPECT_EQ(locks(), 1);
  wakes_up(late);
  EXPECT_EQ(locks(), 1);
  wakes_up(early);
  EXPECT_EQ(locks(), 0);
}

}  // namespace
}  // namespace kasuri::profile
