// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/wire/outbox_word.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace kasuri::cluster {
namespace {

TEST(OutboxWord, EmptyHasNothing) {
  const outbox_word w;
  EXPECT_TRUE(w.empty());
  EXPECT_EQ(w.next(), 0);
  EXPECT_FALSE(w.anybody_sleeps());
}

TEST(OutboxWord, SizesAreRoundedUp) {
  const outbox_word w = outbox_word().with(1).with(256).with(257).with(outbox_word::largest);
  EXPECT_EQ(w.bytes(0), 256u);
  EXPECT_EQ(w.bytes(1), 256u);
  EXPECT_EQ(w.bytes(2), 512u);
  EXPECT_EQ(w.bytes(3), outbox_word::largest);
}

TEST(OutboxWord, FullHasNoNext) {
  outbox_word w;
  for (int i = 0; i != outbox_word::slots; ++i) w = w.with(100);
  EXPECT_EQ(w.next(), -1);
  EXPECT_EQ(w.without(0).next(), 0);
  EXPECT_EQ(w.without(3).next(), -1)
      << "a hole between does not make room: it would be out of order";
}

TEST(OutboxWord, SleepersStayWhileSlotsChange) {
  outbox_word w = outbox_word().with_sleeper(3).with_sleeper(24);
  w = w.with(500).with(20).without(0).without(1);
  EXPECT_TRUE(w.empty());
  EXPECT_EQ(w.sleeper(), 3);
  w = w.without_sleeper(3);
  EXPECT_EQ(w.sleeper(), 24);
  EXPECT_FALSE(w.without_sleeper(24).anybody_sleeps());
}

/// Against a list: thieves take the oldest, owners take back any; the oldest is always the list's
/// first.
TEST(OutboxWord, IsAListInTheOrderOfOffers) {
  std::mt19937 random(7);
  outbox_word w;
  std::deque<int> list;
  for (int step = 0; step != 100'000; ++step) {
    const auto what = random() % 3;
    if (what == 0 && w.next() >= 0) {
      list.push_back(w.next());
      w = w.with(random() % outbox_word::largest + 1);
    } else if (what == 1 && !list.empty()) {
      ASSERT_EQ(w.oldest(), list.front());
      const int next = w.next();
      w = w.without(list.front());
      if (next >= 0) {
        ASSERT_EQ(w.next(), next) << "thieves do not move where the owner puts the next";
      }
      list.pop_front();
    } else if (what == 2 && !list.empty()) {
      const auto i = static_cast<std::ptrdiff_t>(random() % list.size());
      w = w.without(list[static_cast<std::size_t>(i)]);
      list.erase(list.begin() + i);
    }
    ASSERT_EQ(w.empty(), list.empty());
    for (int slot = 0; slot != outbox_word::slots; ++slot)
      ASSERT_EQ(w.bytes(slot) != 0, std::find(list.begin(), list.end(), slot) != list.end());
  }
}

}  // namespace
}  // namespace kasuri::cluster
