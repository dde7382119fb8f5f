// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/arrivals.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "cache_parts.hpp"

namespace kasuri::cluster {
namespace {

using test::block_size;
using test::cache_parts;
using test::few_blocks;
using test::on_caches;

/// Begins to fetch so many blocks from `offset` on.
std::uint64_t begin(cache_parts& c, std::uint64_t offset, std::uint64_t count) {
  auto fetch = c.locks.prepare(c.parts_of({offset, count * block_size, access::read}));
  EXPECT_TRUE(c.lists.used.take(count * block_size));
  for (const block_part& it : fetch->parts) EXPECT_TRUE(c.blocks[it.index].try_lock());
  return c.locks.begin(std::move(fetch), count);
}

TEST(Arrivals, AFetchIsLandedByItsNumber) {
  on_caches(2, few_blocks(16), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank == 1) c.byte_at(array + 5) = std::byte{9};
    c.network.barrier();
    if (rank != 0) return;
    const std::uint64_t first = begin(c, array, 2);
    const std::uint64_t second = begin(c, array + 2 * block_size, 1);
    EXPECT_NE(first, second);
    EXPECT_EQ(c.locks.blocks(), 3U);
    EXPECT_TRUE(c.block_at(array).has(block::arriving));
    EXPECT_FALSE(c.block_at(array).try_lock());
    c.locks.land(first);
    EXPECT_EQ(c.locks.blocks(), 1U);
    EXPECT_FALSE(c.block_at(array).has(block::arriving | block::locked));
    EXPECT_TRUE(c.block_at(array).readable.covers(0, block_size));
    EXPECT_EQ(c.byte_at(array + 5), std::byte{9});
    c.locks.land(first);  // somebody has
    c.locks.land_all();
    EXPECT_EQ(c.locks.blocks(), 0U);
    EXPECT_TRUE(c.block_at(array + 2 * block_size).has(block::resident));
    EXPECT_EQ(c.lists.used.in_use(), 3 * block_size);
  });
}

TEST(Arrivals, AThreadThatWantsABlockLandsItsFetch) {
  on_caches(2, few_blocks(16), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    begin(c, array + block_size, 3);
    const std::uint64_t middle = c.range.block_of(array + 2 * block_size);
    c.locks.lock(middle);
    EXPECT_EQ(c.locks.blocks(), 0U);
    EXPECT_TRUE(c.blocks[middle].has(block::resident));
    c.blocks[middle].unlock();
    c.locks.lock(c.range.block_of(array));  // of no fetch
    c.block_at(array).unlock();
  });
}

}  // namespace
}  // namespace kasuri::cluster
