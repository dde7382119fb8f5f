// SPDX-License-Identifier: Apache-2.0
// The lists that blocks are entered in, and the directory, each by itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "cluster/memory/base/byte_set.hpp"
#include "cluster/memory/blocks/block_table.hpp"
#include "cluster/memory/blocks/doubts.hpp"
#include "cluster/memory/blocks/resident_clock.hpp"
#include "cluster/memory/blocks/room.hpp"
#include "cluster/memory/blocks/unkept_bytes.hpp"
#include "cluster/memory/blocks/untold_writes.hpp"
#include "cluster/memory/memory.hpp"
#include "loopback.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;

using indices = std::vector<std::uint64_t>;

class BlockLists : public ::testing::Test {
 protected:
  loopback_host host_{1};
  loopback network_{host_, 0};
};

TEST(Room, IsTakenUpToTheLimitAndSettledBehind) {
  cluster::room r(4 * 4096);
  EXPECT_TRUE(r.take(3 * 4096));
  EXPECT_FALSE(r.take(2 * 4096));
  EXPECT_TRUE(r.fits(4096));
  EXPECT_TRUE(r.take(4096));
  EXPECT_FALSE(r.fits(1));
  r.settle(2 * 4096, 4096);  // of two blocks another thread has brought one
  EXPECT_EQ(r.in_use(), 3U * 4096);
  r.give_back(3 * 4096);
  EXPECT_EQ(r.in_use(), 0U);
}

TEST_F(BlockLists, AllThatWereMetAreToldOfADoubtOnce) {
  doubts d(network_);
  EXPECT_FALSE(d.ever());
  const std::uint64_t before = d.number();
  EXPECT_FALSE(d.watch(indices{3, 9}, before));
  EXPECT_EQ(d.raise(), (indices{3, 9}));
  EXPECT_TRUE(d.ever());
  EXPECT_TRUE(d.raise().empty());
}

TEST_F(BlockLists, AFetchThatADoubtOvertakesKnowsIt) {
  doubts d(network_);
  const std::uint64_t before = d.number();
  EXPECT_TRUE(d.raise().empty());
  EXPECT_TRUE(d.watch(indices{5}, before));
  EXPECT_FALSE(d.watch({}, d.number()));
}

TEST_F(BlockLists, UntoldWritesCountUntilTheyAreTold) {
  untold_writes u(network_);
  EXPECT_TRUE(u.none());
  u.add_blocks(indices{1, 2});
  u.add_ranges(std::vector<global_range>{{8192, 8200}});
  EXPECT_FALSE(u.none());
  EXPECT_TRUE(u.counts_right());
  EXPECT_EQ(u.take_blocks(), (indices{1, 2}));
  EXPECT_EQ(u.take_ranges().size(), 1U);
  u.put_back(indices{2});  // bytes of it are still written
  u.told(2);
  EXPECT_FALSE(u.none());
  EXPECT_TRUE(u.counts_right());
  u.forget({2, 1}, {2 * 4096, 3 * 4096});
  EXPECT_TRUE(u.none());
  EXPECT_TRUE(u.counts_right());
}

TEST_F(BlockLists, TheClockSparesWhatWasUsedOrIsLocked) {
  const block_table blocks(8);
  resident_clock clock(network_, blocks);
  for (const std::uint64_t index : {0, 1, 2, 3}) {
    blocks[index].set(block::resident);
    ASSERT_TRUE(blocks[index].try_lock());
  }
  clock.add(indices{0, 1, 2, 3});
  for (const std::uint64_t index : {0, 1, 2, 3}) blocks[index].unlock();
  blocks[0].touch();
  ASSERT_TRUE(blocks[1].try_lock());
  bool met_locked = false;
  EXPECT_EQ(clock.take(victims::any, 1, met_locked), indices{2});
  EXPECT_TRUE(met_locked);
  EXPECT_FALSE(blocks[2].try_lock());  // the caller has it
  EXPECT_EQ(clock.all(), (indices{3, 0, 1}));
  EXPECT_FALSE(blocks[0].has(block::touched));
  blocks[3].dirty.add({0, 8});
  EXPECT_EQ(clock.take(victims::clean, 2, met_locked), indices{0});
  clock.forget({3, 1});
  EXPECT_EQ(clock.all(), indices{1});
  blocks[3].dirty.clear();
}

TEST_F(BlockLists, OneOfTwoEqualCheckoutsKeepsTheBytes) {
  unkept_bytes u(network_);
  const block_part part{7, {16, 32}, true, false, nullptr};
  u.add(part);
  u.add(part);
  u.add({7, {48, 64}, true, false, nullptr});
  byte_set others;
  u.end(7, part.part, others);
  EXPECT_TRUE(others.covers({16, 32}));
  EXPECT_TRUE(others.covers({48, 64}));
  byte_set last;
  u.end(7, part.part, last);
  EXPECT_FALSE(last.covers({16, 32}));
  EXPECT_TRUE(last.covers({48, 64}));
}

TEST(Block, SaysWhichInvariantIsBroken) {
  const block_table blocks(1);
  block& b = blocks[0];
  EXPECT_EQ(b.check(), nullptr);
  b.dirty.add({0, 8});
  EXPECT_NE(b.check(), nullptr);
  b.valid.add({0, 64});
  b.publish({0, 8});
  EXPECT_EQ(b.check(), nullptr);
  b.set(block::suspect);
  EXPECT_NE(b.check(), nullptr);  // it may still be read
  b.readable.clear();
  EXPECT_EQ(b.check(), nullptr);
  ASSERT_TRUE(b.try_lock());
  EXPECT_NE(b.check(), nullptr);
  b.valid.clear();
  b.dirty.clear();
}

TEST(Directory, PlacesRegionsWithABlockBetween) {
  on_ranks<loopback>(2, [](transport& network) {
    memory_options o;
    o.range_bytes = std::size_t{1} << 20;
    o.heap_bytes = 4096;
    o.same_address = false;
    cluster::memory m(network, o);
    const std::uint64_t first = m.arrays().add_blocked(10000);
    const std::uint64_t second = m.arrays().add_cyclic(30000, 4096);
    EXPECT_GE(second, first + 4 * 4096);
    EXPECT_EQ(m.arrays().find({first, first + 10001}), nullptr);
    int away = 0;
    const region& where = *m.arrays().find({second, second + 30000});
    m.arrays().each_away(where, {second + 100, second + 3 * 4096 + 50},
                         [&](std::uint64_t index, byte_range part) {
                           ++away;
                           EXPECT_FALSE(m.arrays().is_home(where, index));
                           EXPECT_LT(part.begin, part.end);
                         });
    EXPECT_EQ(away, 2);  // of four blocks, dealt out to two ranks
    EXPECT_EQ(m.check(), nullptr);
    m.free_array(first);
    EXPECT_EQ(m.arrays().find({first, first + 1}), nullptr);
    EXPECT_EQ(m.check(), nullptr);
  });
}

}  // namespace
}  // namespace kasuri::test
