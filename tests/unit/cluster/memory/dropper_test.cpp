// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/dropper.hpp"

#include <gtest/gtest.h>

#include "cache_parts.hpp"

namespace kasuri::cluster {
namespace {

using test::block_size;
using test::cache_parts;
using test::few_blocks;
using test::on_caches;

TEST(Dropper, DropsTheBytesNamedAndNoOthers) {
  on_caches(2, few_blocks(16), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    c.bring({array, 3 * block_size, access::read});
    c.bring({array + 40, 20, access::write});
    c.drops.apply(notice::make(1, 1, array + 30, array + block_size + 10));
    block& first = c.block_at(array);
    EXPECT_TRUE(first.valid.covers({0, 30}));
    EXPECT_TRUE(first.valid.covers({40, 60}));  // written here
    EXPECT_FALSE(first.valid.covers({30, 31}));
    EXPECT_FALSE(first.valid.covers({60, 61}));
    EXPECT_TRUE(first.has(block::dropped));
    block& second = c.block_at(array + block_size);
    EXPECT_FALSE(second.valid.covers({9, 10}));
    EXPECT_TRUE(second.valid.covers({10, block_size}));
    EXPECT_TRUE(c.block_at(array + 2 * block_size).readable.covers(0, block_size));
    EXPECT_EQ(first.check(), nullptr);
    EXPECT_EQ(second.check(), nullptr);
  });
}

TEST(Dropper, LeavesHomesAndBlocksThatAreNotHereAlone) {
  on_caches(2, few_blocks(16), [](cache_parts& c, std::uint64_t array, int rank) {
    c.bring({array, 8, access::read});
    const std::uint32_t before = c.block_at(array + block_size).state.load();
    c.drops.apply(notice::make(rank == 0 ? 1 : 0, 1, array, array + 2 * block_size));
    EXPECT_EQ(c.block_at(array + block_size).state.load(), before);
    EXPECT_EQ(c.block_at(array).readable.empty(), rank == 0);
  });
}

TEST(Dropper, MakesAllThatWasMetSuspectWhenNoticesAreLost) {
  on_caches(2, few_blocks(16), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    c.bring({array, 2 * block_size, access::read});
    c.drops.apply({0, 0, notice::all_bytes});
    EXPECT_EQ(c.counts.overflows.get(), 1U);
    for (std::uint64_t b = 0; b != 2; ++b) {
      EXPECT_TRUE(c.block_at(array + b * block_size).has(block::suspect));
      EXPECT_TRUE(c.block_at(array + b * block_size).readable.empty());
      EXPECT_FALSE(c.block_at(array + b * block_size).has(block::watched));
    }
    EXPECT_FALSE(c.block_at(array + 2 * block_size).has(block::suspect));
  });
}

}  // namespace
}  // namespace kasuri::cluster
