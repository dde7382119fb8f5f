// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/evictor.hpp"

#include <gtest/gtest.h>

#include "cache_parts.hpp"

namespace kasuri::cluster {
namespace {

using test::block_size;
using test::cache_parts;
using test::few_blocks;
using test::on_caches;

TEST(Evictor, LeavesBlocksThatAreCheckedOut) {
  on_caches(2, few_blocks(8), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    pin& kept = c.check_out({array + block_size + 10, 10, access::read});
    for (std::uint64_t b = 0; b != 8; ++b) c.bring({array + b * block_size, 8, access::read});
    EXPECT_FALSE(c.lists.used.fits(block_size));
    for (int i = 0; i != 20; ++i) c.evicts.make_room(8 * block_size);
    EXPECT_EQ(c.lists.used.in_use(), block_size);
    EXPECT_TRUE(c.block_at(array + block_size).has(block::resident));
    EXPECT_TRUE(c.block_at(array + block_size).readable.covers(10, 20));
    EXPECT_EQ(c.evicts.make_room(8 * block_size), eviction::all_pinned);
    kept.drop();
    EXPECT_EQ(c.evicts.make_room(8 * block_size), eviction::some);
    EXPECT_EQ(c.lists.used.in_use(), 0U);
    EXPECT_EQ(c.counts.evicted_blocks.get(), 8U);
  });
}

TEST(Evictor, SaysThatOthersHaveBlocksLocked) {
  on_caches(2, few_blocks(4), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    c.bring({array, 8, access::read});
    ASSERT_TRUE(c.block_at(array).try_lock());
    EXPECT_EQ(c.evicts.make_room(4 * block_size), eviction::all_locked);
    c.block_at(array).unlock();
    EXPECT_EQ(c.evicts.make_room(4 * block_size), eviction::some);
  });
}

TEST(Evictor, TakesCleanBlocksAloneForWhatCanDoWithout) {
  on_caches(2, few_blocks(4), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    for (std::uint64_t b = 0; b != 4; ++b) c.bring({array + b * block_size, 8, access::write});
    for (int i = 0; i != 10; ++i) EXPECT_FALSE(c.evicts.try_take_room(block_size));
    EXPECT_EQ(c.counts.written_back_bytes.get(), 0U);
    c.tells.tell();
    bool taken = false;
    for (int i = 0; i != 10 && !taken; ++i) taken = c.evicts.try_take_room(block_size);
    EXPECT_TRUE(taken);
    c.lists.used.give_back(block_size);
    EXPECT_FALSE(c.evicts.try_take_room(5 * block_size));  // more than there ever is
  });
}

}  // namespace
}  // namespace kasuri::cluster
