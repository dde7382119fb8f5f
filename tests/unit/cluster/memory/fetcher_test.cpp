// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/fetcher.hpp"

#include <gtest/gtest.h>

#include "cache_parts.hpp"

namespace kasuri::cluster {
namespace {

using test::block_size;
using test::cache_parts;
using test::few_blocks;
using test::on_caches;

TEST(Fetcher, BringsWhatIsMissingAndKeepsWhatWasWrittenHere) {
  on_caches(2, few_blocks(16), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank == 1)
      for (std::uint64_t i = 0; i != 4 * block_size; ++i) c.byte_at(array + i) = std::byte{7};
    c.network.barrier();
    if (rank != 0) return;
    c.bring({array + 100, 50, access::write});
    for (std::uint64_t i = 100; i != 150; ++i) c.byte_at(array + i) = std::byte{9};
    EXPECT_EQ(c.counts.fetched_bytes.get(), 0U);  // nothing is read
    c.bring({array, 2 * block_size, access::read});
    EXPECT_EQ(c.counts.fetched_bytes.get(), 2 * block_size - 50);
    EXPECT_EQ(c.byte_at(array + 99), std::byte{7});
    EXPECT_EQ(c.byte_at(array + 100), std::byte{9});
    EXPECT_EQ(c.byte_at(array + 150), std::byte{7});
    EXPECT_EQ(c.byte_at(array + 2 * block_size - 1), std::byte{7});
    EXPECT_TRUE(c.block_at(array).readable.covers(0, block_size));
    EXPECT_TRUE(c.block_at(array).dirty.covers({100, 150}));
    EXPECT_EQ(c.lists.clock.size(), 2U);
    EXPECT_FALSE(c.lists.untold.none());
    EXPECT_EQ(c.block_at(array).check(), nullptr);
    c.bring({array + 5, 10, access::read});
    EXPECT_EQ(c.counts.misses.get(), 1U);
  });
}

TEST(Fetcher, FetchesALittleOfABlockThatOthersWriteToo) {
  on_caches(2, few_blocks(16), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    c.bring({array, 8, access::read});
    EXPECT_EQ(c.counts.fetched_bytes.get(), block_size);  // the whole block at first
    c.drops.apply(notice::make(1, 1, array, array + block_size));
    EXPECT_FALSE(c.block_at(array).readable.covers(0, 8));
    c.bring({array + 600, 8, access::read});
    EXPECT_EQ(c.counts.fetched_bytes.get(), block_size + 512);
    EXPECT_EQ(c.counts.refetched_bytes.get(), 512U);
  });
}

TEST(Fetcher, WhatIsHereNeedsNothingFromElsewhere) {
  on_caches(2, few_blocks(16), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    const auto here = [&c](const checkout_request& r) {
      const block_part it = c.parts_of(r)[0];
      c.locks.lock(it.index);
      const bool found = c.how.enter_if_here(it);
      c.blocks[it.index].unlock();
      return found;
    };
    EXPECT_FALSE(here({array, 8, access::read}));
    EXPECT_FALSE(here({array, 8, access::write}));  // it has no place in the cache
    c.bring({array, 8, access::write});
    EXPECT_TRUE(here({array + 8, 8, access::write}));
    EXPECT_TRUE(here({array, 16, access::read}));
    EXPECT_FALSE(here({array, 17, access::read}));
  });
}

TEST(Fetcher, ASuspectBlockThatHasNotChangedIsNotFetchedAgain) {
  memory_options o = few_blocks(16);
  o.stamps_at_once = true;
  on_caches(2, o, [](cache_parts& c, std::uint64_t array, int rank) {
    const global_range second{array + block_size, array + block_size + 8};
    if (rank == 0) {
      c.bring({array, 2 * block_size, access::read});
      EXPECT_EQ(c.counts.fetched_bytes.get(), 2 * block_size);
    }
    c.network.barrier();
    if (rank == 1) c.stamps.raise({&second, 1});
    c.network.barrier();
    if (rank != 0) return;
    c.drops.apply({0, 0, notice::all_bytes});
    EXPECT_TRUE(c.block_at(array).has(block::suspect));
    EXPECT_TRUE(c.block_at(array).readable.empty());
    c.bring({array, 2 * block_size, access::read});
    EXPECT_FALSE(c.block_at(array).has(block::suspect));
    EXPECT_EQ(c.counts.version_checks.get(), 2U);
    EXPECT_EQ(c.counts.unchanged.get(), 1U);
    EXPECT_EQ(c.counts.refetched_bytes.get(), block_size);
  });
}

}  // namespace
}  // namespace kasuri::cluster
