// SPDX-License-Identifier: Apache-2.0
#include "sched/rules/interval.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace kasuri::sched {
namespace {

/// The workers at which the leaves of a binary tree of `levels` forks begin.
void leaves(const interval& in, int levels, std::vector<int>& at) {
  if (levels == 0) return at.push_back(in.first_worker());
  const auto [left, right] = in.split(1, 1);
  leaves(left, levels - 1, at);
  leaves(right, levels - 1, at);
}

TEST(interval, halves_give_each_worker_its_blocks) {
  std::vector<int> at;
  leaves(interval::of_workers(0, 4), 3, at);
  EXPECT_EQ(at, (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
  at.clear();
  leaves(interval::of_workers(0, 3), 2, at);  // [0, .75), [.75, 1.5), [1.5, 2.25), [2.25, 3)
  EXPECT_EQ(at, (std::vector<int>{0, 0, 1, 2}));
}

TEST(interval, is_split_in_proportion) {
  const interval all = interval::of_workers(2, 8);
  const auto [left, right] = all.split(3, 1);
  EXPECT_EQ(left, interval::of_workers(2, 6));
  EXPECT_EQ(right, interval::of_workers(8, 2));
  EXPECT_EQ(all.part(0.25, 0.5), interval::of_workers(4, 2));
}

TEST(interval, of_shares_that_say_nothing) {
  const interval all = interval::of_workers(0, 2);
  EXPECT_EQ(all.split(0, 0).first, interval::of_workers(0, 1));
  EXPECT_TRUE(all.split(0, 5).first.empty());
  EXPECT_EQ(all.split(0, 5).second, all);
  EXPECT_TRUE(all.split(5, -1).second.empty());
  EXPECT_EQ(all.split(-1, -1).first, interval::of_workers(0, 1));
  const double nothing = 0;
  EXPECT_EQ(all.split(nothing / nothing, 1).second, all);
  constexpr double endless = std::numeric_limits<double>::infinity();
  EXPECT_EQ(all.split(endless, endless).first, interval::of_workers(0, 1));
  EXPECT_EQ(all.split(1e308, 1e308).first, interval::of_workers(0, 1));
  EXPECT_EQ(all.split(endless, 1).first, all);
}

TEST(interval, knows_the_workers_that_it_reaches) {
  const interval all = interval::of_workers(0, 3);
  const auto [left, right] = all.split(1, 1);
  EXPECT_EQ(left.first_worker(), 0);
  EXPECT_EQ(left.last_worker(), 1);
  EXPECT_EQ(right.first_worker(), 1);
  EXPECT_EQ(right.last_worker(), 2);
  EXPECT_TRUE(left.spans());
  EXPECT_FALSE(interval::of_workers(1, 1).spans());
  EXPECT_TRUE(right.holds(2));
  EXPECT_FALSE(right.holds(0));
  EXPECT_FALSE(right.holds(-1));
}

TEST(interval, deals_cells_round_and_round) {
  const interval all = interval::of_workers(1, 3);
  for (std::uint32_t k = 0; k != 7; ++k)
    EXPECT_EQ(all.cell(k), interval::of_workers(1 + static_cast<int>(k % 3), 1));
  const interval ragged = interval::of_workers(0, 3).split(1, 1).second;  // [1.5, 3)
  EXPECT_EQ(ragged.cell(0).length(), std::uint64_t{1} << 31);
  EXPECT_EQ(ragged.cell(1), interval::of_workers(2, 1));
}

}  // namespace
}  // namespace kasuri::sched
