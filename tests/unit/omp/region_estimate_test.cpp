// SPDX-License-Identifier: Apache-2.0
// What is remembered of regions: whose members are offered, and which codes take long.

#include "omp/team/region_estimate.hpp"

#include <gtest/gtest.h>

#include "platform/base/clock.hpp"

namespace kasuri::omp::test {
namespace {

void first_code() {}
void second_code() {}

std::uint64_t us(double n) { return platform::ticks_of_us(n); }

TEST(region_estimates, offer_what_is_worth_moving) {
  region_estimates e;
  EXPECT_EQ(e.of(first_code, false), sched::offer::everybody);  // nothing is known
  e.took(first_code, us(10));
  EXPECT_EQ(e.of(first_code, false), sched::offer::nobody);
  EXPECT_EQ(e.of(second_code, false), sched::offer::everybody);
  e.took(second_code, us(80));
  EXPECT_EQ(e.of(second_code, false), sched::offer::awake);
  e.took(second_code, us(1'000'000));  // one that was interrupted counts for an eighth
  EXPECT_EQ(e.of(second_code, true), sched::offer::everybody);
  e.took(second_code, us(1'000));
  EXPECT_EQ(e.of(second_code, true), sched::offer::nobody);
}

TEST(region_estimates, tell_which_codes_take_long) {
  region_estimates e;
  EXPECT_FALSE(long_regions.has(first_code));
  e.took(first_code, us(10'000));
  EXPECT_TRUE(long_regions.has(first_code));
  EXPECT_FALSE(long_regions.has(second_code));
  e.took(first_code, us(100));
  EXPECT_FALSE(long_regions.has(first_code));
  e.took(second_code, us(10'000));
  EXPECT_TRUE(long_regions.has(second_code));
  // Another team's first look at the same code.
  region_estimates other;
  other.took(second_code, us(100));
  EXPECT_FALSE(long_regions.has(second_code));
}

}  // namespace
}  // namespace kasuri::omp::test
