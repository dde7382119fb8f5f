// SPDX-License-Identifier: Apache-2.0
#include "platform/settings/nearest_name.hpp"

#include <gtest/gtest.h>

#include <string>

namespace kasuri::platform {
namespace {

constexpr std::string_view names[] = {"NUM_WORKERS", "STACK_SIZE", "SPIN", "STATS"};

TEST(nearest_name, finds_a_misspelt_one) {
  EXPECT_EQ(nearest_name("NUM_WORKER", names), "NUM_WORKERS");
  EXPECT_EQ(nearest_name("WORKERS", names), "NUM_WORKERS");
  EXPECT_EQ(nearest_name("STACKSIZE", names), "STACK_SIZE");
  EXPECT_EQ(nearest_name("SPINN", names), "SPIN");
  EXPECT_EQ(nearest_name("STATS", names), "STATS");
}

TEST(nearest_name, is_silent_when_nothing_is_near) {
  EXPECT_EQ(nearest_name("FOO", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name(std::string(100, 'S'), names), "");
}

}  // namespace
}  // namespace kasuri::platform
