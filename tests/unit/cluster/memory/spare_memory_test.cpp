// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/blocks/spare_memory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "cluster/memory/loopback.hpp"
#include "platform/memory/fixed_memory.hpp"

namespace kasuri::cluster {
namespace {

using kasuri::test::loopback;
using kasuri::test::loopback_host;

class SpareMemory : public ::testing::Test {
 protected:
  static memory_options small() {
    memory_options o;
    o.range_bytes = std::size_t{64} << 20;
    o.cache_bytes = std::size_t{1} << 20;  // an eighth may be spare: 32 blocks
    o.moved_bytes = 16384;                 // 4 blocks
    o.same_address = false;
    return o;
  }
  void SetUp() override {
    ASSERT_TRUE(platform::open_memory(range_.base(), 400 * range_.block_bytes()));
  }
  /// Blocks [first, first + count), with their first byte set, are evicted.
  void evict(std::uint64_t first, std::uint64_t count, std::byte value) {
    std::vector<std::uint64_t> gone;
    for (std::uint64_t i = first; i != first + count; ++i) {
      ASSERT_TRUE(blocks_[i].try_lock());
      *at(i) = value;
      gone.push_back(i);
    }
    spares_.keep(gone);
    for (const std::uint64_t i : gone) blocks_[i].unlock();
  }
  bool move_to(std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t i = first; i != first + count; ++i) EXPECT_TRUE(blocks_[i].try_lock());
    const bool moved = spares_.move_to({first, count});
    for (std::uint64_t i = first; i != first + count; ++i) blocks_[i].unlock();
    return moved;
  }
  std::byte* at(std::uint64_t index) { return range_.at(range_.bytes_of(index)); }

  loopback_host host_{1};
  loopback network_{host_, 0};
  memory_options options_ = small();
  address_range range_{network_, options_};
  block_table blocks_{range_.block_of(range_.bytes())};
  spare_memory spares_{network_, options_, range_, blocks_};
};

TEST_F(SpareMemory, OfALongRunMovesToTheNext) {
  evict(10, 8, std::byte{5});
  EXPECT_TRUE(blocks_[10].has(block::spare));
  EXPECT_FALSE(move_to(100, 3));  // too short to be worth it
  EXPECT_TRUE(move_to(100, 4));
  EXPECT_EQ(*at(100), std::byte{5});
  EXPECT_FALSE(blocks_[10].has(block::spare));
  EXPECT_EQ(*at(10), std::byte{0});
  EXPECT_TRUE(blocks_[14].has(block::spare));
  EXPECT_TRUE(move_to(200, 4));
  EXPECT_FALSE(move_to(300, 4));  // there is no more
  EXPECT_EQ(spares_.check(), nullptr);
}

TEST_F(SpareMemory, OfAShortRunGoesAtOnce) {
  evict(10, 3, std::byte{5});
  EXPECT_FALSE(blocks_[10].has(block::spare));
  EXPECT_EQ(*at(10), std::byte{0});
}

TEST_F(SpareMemory, TheOldestGoesWhereThereIsTooMuch) {
  evict(0, 16, std::byte{1});
  evict(50, 16, std::byte{2});
  EXPECT_TRUE(blocks_[0].has(block::spare));
  evict(100, 16, std::byte{3});
  EXPECT_FALSE(blocks_[0].has(block::spare));
  EXPECT_EQ(*at(0), std::byte{0});
  EXPECT_TRUE(blocks_[50].has(block::spare));
  EXPECT_TRUE(blocks_[100].has(block::spare));
  EXPECT_EQ(spares_.check(), nullptr);
}

TEST_F(SpareMemory, ABlockThatIsBroughtAgainKeepsItsOwn) {
  evict(10, 4, std::byte{5});
  ASSERT_TRUE(blocks_[12].try_lock());  // a fetch finds the memory still there
  blocks_[12].reset(block::spare);
  blocks_[12].unlock();
  EXPECT_FALSE(move_to(100, 4));  // the run is short of a block
  EXPECT_EQ(*at(12), std::byte{5});
  EXPECT_EQ(*at(10), std::byte{0});
}

TEST_F(SpareMemory, ALockedBlockIsNotTaken) {
  evict(10, 4, std::byte{5});
  ASSERT_TRUE(blocks_[11].try_lock());
  EXPECT_FALSE(move_to(100, 4));
  EXPECT_EQ(*at(11), std::byte{5});
  blocks_[11].unlock();
}

}  // namespace
}  // namespace kasuri::cluster
