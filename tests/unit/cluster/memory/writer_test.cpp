// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/writer.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "cache_parts.hpp"

namespace kasuri::cluster {
namespace {

using test::block_size;
using test::cache_parts;
using test::few_blocks;
using test::on_caches;

void write(cache_parts& c, std::uint64_t offset, std::byte value) {
  pin& p = c.check_out({offset, 1, access::write});
  c.byte_at(offset) = value;
  p.drop();
}

TEST(Writer, BringsHomeAndTellsOfRangesThatTouchAsOne) {
  token told;
  on_caches(2, few_blocks(16), [&](cache_parts& c, std::uint64_t array, int rank) {
    if (rank == 0) {
      for (std::uint64_t i = 0; i != 10; ++i) write(c, array + block_size - 5 + i, std::byte{3});
      write(c, array + 5 * block_size, std::byte{4});
      EXPECT_FALSE(c.lists.untold.none());
      c.tells.tell();
      EXPECT_TRUE(c.lists.untold.none());
      EXPECT_EQ(c.counts.written_back_bytes.get(), 11U);
      EXPECT_EQ(c.counts.notices_sent.get(), 2U);
      EXPECT_FALSE(c.block_at(array).has(block::listed));
      EXPECT_TRUE(c.block_at(array).dirty.empty());
      c.tells.tell();  // nothing more
      EXPECT_EQ(c.counts.notices_sent.get(), 2U);
      told = c.log.position();
    }
    c.network.barrier();
    if (rank != 1) return;
    std::vector<global_range> read;
    c.log.learn(told, [&](const notice& n) { read.push_back({n.begin, n.end}); });
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read[0].begin, array + block_size - 5);
    EXPECT_EQ(read[0].end, array + block_size + 5);
    EXPECT_EQ(read[1].begin, array + 5 * block_size);
    EXPECT_EQ(c.byte_at(array + block_size), std::byte{3});
    EXPECT_EQ(c.byte_at(array + 5 * block_size), std::byte{4});
  });
}

TEST(Writer, LeavesWhatIsBeingWrittenForALaterRelease) {
  on_caches(2, few_blocks(16), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    write(c, array + 1, std::byte{1});
    pin& lasts = c.check_out({array + 100, 50, access::write});
    c.tells.tell();
    EXPECT_EQ(c.counts.written_back_bytes.get(), 1U);
    EXPECT_TRUE(c.block_at(array).dirty.covers({100, 150}));
    EXPECT_TRUE(c.block_at(array).has(block::listed));
    EXPECT_FALSE(c.lists.untold.none());
    EXPECT_TRUE(c.lists.untold.counts_right());
    lasts.drop();
    c.tells.tell();
    EXPECT_EQ(c.counts.written_back_bytes.get(), 51U);
    EXPECT_TRUE(c.lists.untold.none());
  });
}

TEST(Writer, TellsOfWhatEvictionHasBroughtHome) {
  on_caches(2, few_blocks(4), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    for (std::uint64_t b = 0; b != 4; ++b) write(c, array + b * block_size, std::byte{1});
    while (c.lists.used.in_use() != 0)
      ASSERT_EQ(c.evicts.make_room(4 * block_size), eviction::some);
    EXPECT_EQ(c.counts.written_back_bytes.get(), 4U);
    EXPECT_EQ(c.counts.notices_sent.get(), 0U);
    c.tells.tell();
    EXPECT_EQ(c.counts.written_back_bytes.get(), 4U);
    EXPECT_EQ(c.counts.notices_sent.get(), 4U);
    EXPECT_TRUE(c.lists.untold.none());
  });
}

}  // namespace
}  // namespace kasuri::cluster
