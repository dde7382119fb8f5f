// SPDX-License-Identifier: Apache-2.0
#include "sched/arena/permits.hpp"

#include <gtest/gtest.h>

namespace kasuri::sched {
namespace {

TEST(permits, are_as_many_as_was_said) {
  permits p;
  p.begin(2);
  EXPECT_TRUE(p.at_rest());
  EXPECT_TRUE(p.try_take());
  EXPECT_TRUE(p.has_room());
  EXPECT_TRUE(p.try_take());
  EXPECT_FALSE(p.has_room());
  EXPECT_FALSE(p.try_take());
  EXPECT_TRUE(p.give_back().opened);
  EXPECT_FALSE(p.give_back().opened);
  EXPECT_TRUE(p.at_rest());
}

TEST(permits, let_frames_wait_in_order) {
  permits p;
  p.begin(1);
  detail::frame f[4];
  EXPECT_FALSE(p.wait_if_full(&f[0]));
  EXPECT_TRUE(p.take_or_wait(&f[0]));
  EXPECT_EQ(p.take_waiting(), nullptr);
  EXPECT_FALSE(p.take_or_wait(&f[1]));
  EXPECT_TRUE(p.wait_if_full(&f[2]));
  EXPECT_FALSE(p.take_or_wait(&f[3]));
  EXPECT_EQ(p.take_waiting(), &f[1]);
  const permits::given_back back = p.give_back();
  EXPECT_EQ(back.next, &f[2]);
  EXPECT_TRUE(back.opened);
  EXPECT_FALSE(p.at_rest());  // one frame waits for the one that is on its way
  EXPECT_TRUE(p.take_or_wait(&f[2]));
  EXPECT_EQ(p.take_waiting(), &f[3]);
  EXPECT_EQ(p.give_back().next, nullptr);
  EXPECT_TRUE(p.at_rest());
}

TEST(permits, are_kept_for_a_frame_that_was_overtaken_once) {
  permits p;
  p.begin(1);
  detail::frame f[3];
  EXPECT_TRUE(p.try_take());
  EXPECT_FALSE(p.take_or_wait(&f[0]));
  EXPECT_FALSE(p.take_or_wait(&f[1]));
  EXPECT_EQ(p.give_back().next, &f[0]);
  EXPECT_TRUE(p.take_or_wait(&f[2]));   // before f[0] is there
  EXPECT_FALSE(p.take_or_wait(&f[0]));  // waits in front of f[1]
  const permits::given_back back = p.give_back();
  EXPECT_EQ(back.next, &f[0]);
  EXPECT_FALSE(back.opened);
  EXPECT_FALSE(p.try_take());
  EXPECT_FALSE(p.take_or_wait(&f[2]));
  EXPECT_TRUE(p.take_or_wait(&f[0]));
  EXPECT_EQ(p.take_waiting(), &f[1]);
  EXPECT_EQ(p.give_back().next, &f[2]);
  EXPECT_TRUE(p.take_or_wait(&f[2]));
  EXPECT_EQ(p.give_back().next, nullptr);
  EXPECT_TRUE(p.at_rest());
}

TEST(permits, go_with_a_frame_that_they_are_promised_to) {
  permits p;
  p.begin(1);
  detail::frame f[2];
  EXPECT_TRUE(p.try_take());
  p.promise(&f[0]);
  EXPECT_FALSE(p.take_or_wait(&f[1]));
  EXPECT_TRUE(p.take_or_wait(&f[0]));
  EXPECT_EQ(p.give_back().next, &f[1]);
  EXPECT_TRUE(p.take_or_wait(&f[1]));
  EXPECT_FALSE(p.at_rest());
  EXPECT_EQ(p.give_back().next, nullptr);
  EXPECT_TRUE(p.at_rest());
}

TEST(permits, are_free_when_a_holder_takes_up_the_frame) {
  permits p;
  p.begin(2);
  detail::frame f[4];
  EXPECT_TRUE(p.try_take());
  EXPECT_TRUE(p.try_take());
  EXPECT_FALSE(p.has_sent());
  for (detail::frame& waits : f) EXPECT_FALSE(p.take_or_wait(&waits));
  EXPECT_EQ(p.give_back().next, &f[0]);
  EXPECT_TRUE(p.has_sent());
  EXPECT_EQ(p.arrived(&f[3]).next, nullptr);  // not on its way
  EXPECT_EQ(p.arrived(&f[0]).next, &f[1]);    // for the free permit that f[0] leaves
  EXPECT_TRUE(p.try_take());
  EXPECT_FALSE(p.take_or_wait(&f[1]));
  EXPECT_EQ(p.give_back().next, &f[1]);  // with a permit
  EXPECT_FALSE(p.has_room());
  const permits::given_back back = p.arrived(&f[1]);
  EXPECT_EQ(back.next, &f[2]);
  EXPECT_TRUE(back.opened);
  EXPECT_TRUE(p.take_or_wait(&f[2]));
  EXPECT_EQ(p.take_waiting(), &f[3]);
  EXPECT_EQ(p.give_back().next, nullptr);
  EXPECT_FALSE(p.give_back().opened);
  EXPECT_FALSE(p.has_sent());
  EXPECT_TRUE(p.at_rest());
}

TEST(permits, without_a_bound_are_counted) {
  permits p;
  p.begin(permits::no_bound);
  detail::frame f;
  EXPECT_TRUE(p.take_or_wait(&f));
  EXPECT_TRUE(p.has_room());
  EXPECT_FALSE(p.at_rest());
  EXPECT_FALSE(p.give_back().opened);
  EXPECT_TRUE(p.at_rest());
}

}  // namespace
}  // namespace kasuri::sched
