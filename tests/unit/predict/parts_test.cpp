// SPDX-License-Identifier: Apache-2.0
// Parts of a run whose time on P workers is known.
#include <gtest/gtest.h>

#include <algorithm>

#include "predict/lock_queue.hpp"
#include "predict/parts.hpp"
#include "predict/stretch.hpp"

namespace kasuri::predict {
namespace {

phase_facts phase_of(double members, double mean, double longest) {
  phase_facts f;
  f.phase.members = members;
  f.phase.count = 1;
  f.phase.mean_s = mean;
  f.phase.max_s = longest;
  f.phase.busy_s = members * mean;
  f.work = members * mean;
  return f;
}

TEST(Parts, ASerialPartDoesNotShrink) {
  for (const int p : {1, 2, 1000}) EXPECT_DOUBLE_EQ(serial_part(3).on(p).expected, 3);
}

TEST(Parts, AnEvenLoopIsDivided) {
  const phase_part even(phase_of(2, 4, 4));
  for (const int p : {1, 2, 8}) EXPECT_DOUBLE_EQ(even.on(p).expected, 8.0 / p);
}

// The last of P parts of a triangle has 2 - 1/P times the mean.
TEST(Parts, ATriangleIsSeenFromTwo) {
  const phase_part triangle(phase_of(2, 4, 6));
  EXPECT_DOUBLE_EQ(triangle.on(1).expected, 8);
  EXPECT_DOUBLE_EQ(triangle.on(2).expected, 6);
  EXPECT_DOUBLE_EQ(triangle.on(4).expected, 8.0 / 4 * (2 - 1.0 / 4));
}

TEST(Parts, WhatOneMemberDoesIsNotDivided) {
  const phase_part single(phase_of(2, 4, 8));
  for (const int p : {1, 2, 16}) EXPECT_DOUBLE_EQ(single.on(p).expected, 8);
}

TEST(Parts, ADynamicLoopEndsWithinAChunk) {
  phase_facts f = phase_of(2, 4, 4.3);
  f.dynamic = true;
  f.chunks = 80;
  const phase_part dynamic(f);
  EXPECT_DOUBLE_EQ(dynamic.on(1).expected, 8);
  EXPECT_GE(dynamic.on(4).expected, 2);
  EXPECT_LE(dynamic.on(4).expected, 2.1);
}

TEST(Parts, NoMoreMembersThanTheProgramAsksFor) {
  phase_facts f = phase_of(2, 4, 4);
  f.limit = 2;
  EXPECT_DOUBLE_EQ(phase_part(f).on(16).expected, 4);
}

TEST(Parts, PhasesLieBetweenTheirBounds) {
  for (const double members : {1.0, 2.0, 16.0})
    for (const double longest : {1.0, 1.3, 10.0})
      for (const double held : {0.0, 0.5, 20.0}) {
        phase_facts f = phase_of(members, 1, std::min(longest, members));
        f.lock = {100, held};
        for (const bool dynamic : {false, true}) {
          f.dynamic = dynamic;
          f.chunks = 3;
          for (const int p : {1, 2, 16, 100}) {
            const times t = phase_part(f).on(p);
            EXPECT_LE(t.least, t.expected * (1 + 1e-9)) << members << longest << held << p;
            EXPECT_LE(t.expected, t.most * (1 + 1e-9)) << members << longest << held << p;
          }
        }
      }
}

TEST(Parts, TasksLieBetweenTheBounds) {
  const tasks_part chain("chain", 10, 10);
  const tasks_part many("many", 10, 0.01);
  for (const int p : {1, 2, 16}) {
    EXPECT_DOUBLE_EQ(chain.on(p).least, 10);
    EXPECT_GE(chain.on(p).expected, 10);
    EXPECT_NEAR(many.on(p).expected, 10.0 / p, 0.01);
    EXPECT_LE(many.on(p).least, many.on(p).expected);
    EXPECT_LE(many.on(p).expected, many.on(p).most);
  }
  EXPECT_DOUBLE_EQ(chain.on(1).expected, 10);
}

TEST(LockQueue, NobodyWaitsAloneOrWithoutALock) {
  EXPECT_DOUBLE_EQ(time_with_lock(10, {100, 9}, 1), 10);
  EXPECT_DOUBLE_EQ(time_with_lock(10, {0, 0}, 4), 2.5);
}

// Held for all of the time: one after the other.
TEST(LockQueue, WhatIsHeldThroughoutIsSerial) {
  for (const int p : {2, 3, 16}) EXPECT_NEAR(time_with_lock(10, {1000, 10}, p), 10, 1e-6) << p;
}

// 30 of 50 are held: with two members the lock never rests.
TEST(LockQueue, AFullLockDecides) {
  EXPECT_NEAR(time_with_lock(50, {1000, 30}, 2), 30, 0.1);
  EXPECT_NEAR(time_with_lock(50, {1000, 30}, 16), 30, 0.1);
}

TEST(LockQueue, ASeldomHeldLockCostsLittle) {
  EXPECT_NEAR(time_with_lock(100, {1000, 1}, 2), 50, 0.5);
  EXPECT_GE(time_with_lock(100, {1000, 1}, 2), 50);
}

TEST(LockQueue, ManyAcquiresAreToldBySome) {
  EXPECT_NEAR(time_with_lock(50, {1e8, 30}, 4), time_with_lock(50, {1e5, 30}, 4), 0.1);
}

TEST(Stretch, OneRunOrTheSameWorkShowsNone) {
  EXPECT_FALSE(stretch({{1, 10}}).seen());
  EXPECT_FALSE(stretch({{1, 10}, {2, 10.1}}).seen());
  EXPECT_DOUBLE_EQ(stretch({{1, 10}}).on(64).most, 1);
}

TEST(Stretch, GrowthGoesOnOrStops) {
  const stretch s({{1, 10}, {2, 12}});
  EXPECT_TRUE(s.seen());
  EXPECT_DOUBLE_EQ(s.on(1).expected, 1);
  EXPECT_DOUBLE_EQ(s.on(2).expected, 1.2);
  EXPECT_DOUBLE_EQ(s.on(6).least, 1.2);
  EXPECT_DOUBLE_EQ(s.on(6).most, 2);
  EXPECT_DOUBLE_EQ(s.on(6).expected, 1.6);
}

}  // namespace
}  // namespace kasuri::predict
