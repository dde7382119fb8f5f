// SPDX-License-Identifier: Apache-2.0
#include "omp/base/idle_time.hpp"

#include <gtest/gtest.h>

namespace kasuri::omp {
namespace {

constexpr std::uint64_t longest = 10;

TEST(idle_time, adds_up_from_the_first_look) {
  idle_time idle;
  EXPECT_EQ(idle.look(100, longest), 0u);
  EXPECT_EQ(idle.look(103, longest), 3u);
  EXPECT_EQ(idle.look(110, longest), 10u);
}

TEST(idle_time, time_without_looks_does_not_count) {
  idle_time idle;
  idle.look(100, longest);
  EXPECT_EQ(idle.look(1'000'000, longest), longest);
  EXPECT_EQ(idle.look(1'000'001, longest), longest + 1);
}

TEST(idle_time, begins_anew_after_something_was_found) {
  idle_time idle;
  idle.look(100, longest);
  idle.look(105, longest);
  idle.end();
  EXPECT_EQ(idle.look(106, longest), 0u);
  EXPECT_EQ(idle.look(108, longest), 2u);
}

/// Patience ends whatever the clock does: nothing waits for ever.
TEST(idle_time, grows_with_each_look) {
  idle_time idle;
  idle.look(100, longest);
  std::uint64_t before = 0;
  for (const std::uint64_t now : {100u, 99u, 99u, 50u}) {
    const std::uint64_t after = idle.look(now, longest);
    EXPECT_EQ(after, before + 1);
    before = after;
  }
}

}  // namespace
}  // namespace kasuri::omp
