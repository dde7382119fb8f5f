// SPDX-License-Identifier: Apache-2.0
#include "omp/wait/shared_cores.hpp"

#include <gtest/gtest.h>

#include "platform/base/clock.hpp"

namespace kasuri::omp {
namespace {

std::uint64_t ms(double n) {
  return static_cast<std::uint64_t>(n * 1e-3 * platform::ticks_per_second());
}

const std::uint64_t start = ms(1'000'000);

/// How many milliseconds longer the sign holds.
int holds_from(const shared_cores& c, std::uint64_t now) {
  int n = 0;
  while (c.likely(now + ms(n))) ++n;
  return n;
}

TEST(SharedCores, NothingHoldsAtFirst) {
  const shared_cores c;
  EXPECT_FALSE(c.likely(0));
  EXPECT_FALSE(c.likely(start));
}

TEST(SharedCores, ShortLossesAreNoSign) {
  shared_cores c;
  c.lost(start, start + ms(0.2));
  EXPECT_FALSE(c.likely(start + ms(0.2)));
  c.lost(start, start - 1);  // counters of two cores
  EXPECT_FALSE(c.likely(start));
}

TEST(SharedCores, ASignHoldsForAWhile) {
  shared_cores c;
  c.lost(start - ms(4), start);
  EXPECT_TRUE(c.likely(start));
  EXPECT_NEAR(holds_from(c, start), 20, 1);
}

TEST(SharedCores, ANewThreadIsASignForAShortWhile) {
  shared_cores c;
  c.thread_starts(start);
  EXPECT_TRUE(c.likely(start));
  EXPECT_NEAR(holds_from(c, start), 2, 1);
  c.lost(start - ms(4), start);
  c.thread_starts(start);  // shortens nothing
  EXPECT_NEAR(holds_from(c, start), 20, 1);
}

TEST(SharedCores, LongerIfItComesAgainSoon) {
  shared_cores c;
  std::uint64_t now = start;
  c.lost(now - ms(4), now);
  for (const int expected : {40, 80, 160, 320, 640, 640}) {
    now += ms(holds_from(c, now) + 1);
    EXPECT_FALSE(c.likely(now));
    c.lost(now - ms(1), now);
    EXPECT_NEAR(holds_from(c, now), expected, 1);
  }
}

TEST(SharedCores, ASignWithinTheWhileProlongsIt) {
  shared_cores c;
  c.lost(start - ms(4), start);
  c.lost(start + ms(10), start + ms(15));
  EXPECT_NEAR(holds_from(c, start + ms(15)), 20, 1);
}

TEST(SharedCores, ForgottenAfterLong) {
  shared_cores c;
  c.lost(start - ms(4), start);
  c.lost(start + ms(21), start + ms(22));
  const std::uint64_t later = start + ms(10'000);
  c.lost(later - ms(4), later);
  EXPECT_NEAR(holds_from(c, later), 20, 1);
}

}  // namespace
}  // namespace kasuri::omp
