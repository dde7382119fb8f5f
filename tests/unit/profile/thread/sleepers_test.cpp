// SPDX-License-Identifier: Apache-2.0
#include "profile/thread/sleepers.hpp"

#include <gtest/gtest.h>

#include <optional>

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

TEST_F(sleepers, count_while_they_live_by_what_they_wait_for) {
  {
    const sleeper a(wait_reason::openmp_barrier);
    const sleeper b(wait_reason::barrier);
    const sleeper c(wait_reason::mutex);
    const sleeper d(wait_reason::join);
    EXPECT_EQ(barriers(), 2);
    EXPECT_EQ(locks(), 1);
  }
  EXPECT_EQ(barriers(), 0);
  EXPECT_EQ(locks(), 0);
}

TEST_F(sleepers, are_told_off_as_they_were_told_on) {
  std::optional<sleeper> early, late;
  early.emplace(wait_reason::openmp_lock);
  recording.store(false, std::memory_order_relaxed);
  late.emplace(wait_reason::openmp_lock);
  EXPECT_EQ(locks(), 1);
  late.reset();
  EXPECT_EQ(locks(), 1);
  early.reset();
  EXPECT_EQ(locks(), 0);
}

}  // namespace
}  // namespace kasuri::profile
