// SPDX-License-Identifier: Apache-2.0
#include "platform/base/clock.hpp"

#include <gtest/gtest.h>

namespace kasuri::platform {
namespace {

TEST(Clock, TicksGoForward) {
  const std::uint64_t first = ticks();
  std::uint64_t last = first;
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t now = ticks();
    ASSERT_GE(now, last);
    last = now;
  }
  EXPECT_GT(last, first);
}

TEST(Clock, TheRateIsFoundOnce) {
  const double rate = ticks_per_second();
  EXPECT_GT(rate, 1e6);
  EXPECT_LT(rate, 1e11);
  EXPECT_EQ(ticks_per_second(), rate);
}

}  // namespace
}  // namespace kasuri::platform
