// SPDX-License-Identifier: Apache-2.0
#include "record/event.hpp"
#include "record/wait_reason.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace kasuri::record {
namespace {

TEST(WaitReason, EveryReasonHasAWordOfItsOwn) {
  std::set<std::string_view> words;
  unsigned listed = 0;
  for (unsigned number = 0; number < 256; ++number) {
    const auto word = name(static_cast<wait_reason>(number));
    EXPECT_FALSE(word.empty());
    if (word == "unknown") continue;
    ++listed;
    words.insert(word);
  }
  EXPECT_EQ(words.size(), listed);
  EXPECT_GE(listed, 17u);
}

// The numbers stand in files that exist: these must never change.
TEST(WaitReason, NumbersAreFixed) {
  EXPECT_EQ(static_cast<int>(wait_reason::join), 1);
  EXPECT_EQ(static_cast<int>(wait_reason::mutex), 5);
  EXPECT_EQ(static_cast<int>(wait_reason::yield), 10);
  EXPECT_EQ(static_cast<int>(wait_reason::stack), 16);
}

TEST(Event, EveryKindHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (unsigned kind = 0; kind < event_kinds; ++kind) {
    names.insert(name(static_cast<event_kind>(kind)));
  }
  EXPECT_EQ(names.size(), event_kinds);
  EXPECT_EQ(name(event_kind::lost), "lost");
  EXPECT_EQ(name(event_kind::spare_end), "spare_end");
  EXPECT_EQ(name(static_cast<event_kind>(event_kinds)), "unknown");
}

}  // namespace
}  // namespace kasuri::record
