// SPDX-License-Identifier: Apache-2.0
// What the table of blocks finds when an array ends: each block that was met, and little else.

#include "cluster/memory/blocks/block_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>

namespace kasuri::cluster {
namespace {

std::set<std::uint64_t> forgotten(const block_table& table, block_span gone) {
  std::set<std::uint64_t> found;
  table.forget(gone, [&](std::uint64_t index) {
    EXPECT_TRUE(gone.has(index)) << index;
    EXPECT_TRUE(found.insert(index).second) << index << " twice";
  });
  return found;
}

TEST(block_table, forgets_each_block_that_was_met_and_few_others) {
  const block_table table(10'000);
  for (const std::uint64_t index : {0, 63, 64, 4095, 4096, 9999}) table.meet(index);
  const std::set<std::uint64_t> found = forgotten(table, {0, 10'000});
  for (const std::uint64_t index : {0, 63, 64, 4095, 4096, 9999}) EXPECT_EQ(found.count(index), 1U);
  EXPECT_EQ(found.size(), 4 * 64U + 16U);  // of the last group there are 16
}

TEST(block_table, has_forgotten_what_it_was_told_to) {
  const block_table table(1'000);
  table.meet(500);
  EXPECT_EQ(forgotten(table, {448, 64}).size(), 64U);
  EXPECT_TRUE(forgotten(table, {0, 1'000}).empty());
}

TEST(block_table, keeps_a_group_that_another_array_has_a_part_of) {
  const block_table table(1'000);
  table.meet(100);
  table.meet(101);
  EXPECT_EQ(forgotten(table, {90, 11}).count(100), 1U);
  EXPECT_EQ(forgotten(table, {101, 10}).count(101), 1U);
}

TEST(block_table, of_nothing_has_nothing_to_forget) {
  const block_table table(0);
  EXPECT_TRUE(forgotten(table, {0, 0}).empty());
}

TEST(block_table, agrees_with_a_set_over_random_arrays) {
  constexpr std::uint64_t count = 50'000;
  const block_table table(count);
  std::set<std::uint64_t> met;
  std::mt19937_64 random(1);
  for (int step = 0; step != 2'000; ++step) {
    for (int i = 0; i != 20; ++i) {
      const std::uint64_t index = random() % count;
      table.meet(index);
      met.insert(index);
    }
    const std::uint64_t first = random() % count;
    const block_span gone{first, random() % (count - first + 1) % 9'000};
    const std::set<std::uint64_t> found = forgotten(table, gone);
    for (auto at = met.lower_bound(gone.first); at != met.end() && gone.has(*at);) {
      ASSERT_EQ(found.count(*at), 1U) << "step " << step;
      at = met.erase(at);
    }
  }
}

}  // namespace
}  // namespace kasuri::cluster
