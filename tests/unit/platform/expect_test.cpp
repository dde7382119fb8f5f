// SPDX-License-Identifier: Apache-2.0
// Invariants: what they say, and that those above the build's level are not even evaluated.

#include "platform/base/expect.hpp"

#include <gtest/gtest.h>

namespace kasuri::platform {
namespace {

TEST(Expect, SaysPlaceConditionAndState) {
  EXPECT_EXIT(expectation_failed("deque.hpp", 7, "split <= depth", "split %u, frames %u", 3u, 2u),
              testing::ExitedWithCode(2),
              "kasuri: internal error at deque.hpp:7: expected split <= depth; split 3, frames 2");
}

TEST(Expect, EvaluatesNothingAboveTheLevelOfTheBuild) {
  int evaluated = 0;
  KASURI_EXPECT(off, ++evaluated != 0, "%d", evaluated);
  KASURI_EXPECT(cheap, ++evaluated != 0, "%d", evaluated);
  KASURI_EXPECT(all, ++evaluated != 0, "%d", evaluated);
  EXPECT_EQ(evaluated, 1 + static_cast<int>(expectations));
}

TEST(Expect, FailsWhereTheConditionDoesNotHold) {
  const int frames = 2;
  EXPECT_EXIT(KASURI_EXPECT(off, frames == 3, "frames %d", frames), testing::ExitedWithCode(2),
              "expected frames == 3; frames 2");
}

}  // namespace
}  // namespace kasuri::platform
