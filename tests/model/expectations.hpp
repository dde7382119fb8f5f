// SPDX-License-Identifier: Apache-2.0
// What a test wants of an exploration: nothing to find and all explored, or a planted fault, and
// that one.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>

#include "explorer/explore.hpp"

namespace kasuri::model {

// What the explorer says of a lost wake-up.
constexpr const char* asleep_for_ever = "sleeps in futex_wait";
// ... and of a wait that spins where the model has no sleep.
constexpr const char* waits_for_ever = "spins in pause and nothing changes";

inline void expect_sound(const report& result) {
  EXPECT_TRUE(result.complete && !result.failed) << result.text();
  std::printf("%s\n", result.text().c_str());
}

/// The planted fault shows, and as `what`: any other failure would be the model's own.
inline void expect_found(const report& result, const char* what) {
  ASSERT_TRUE(result.failed) << result.text();
  EXPECT_NE(result.failed->what.find(what), std::string::npos) << result.text();
  std::printf("%s: %s, after %llu executions\n", result.name.c_str(), result.failed->what.c_str(),
              static_cast<unsigned long long>(result.executions));
}

}  // namespace kasuri::model
