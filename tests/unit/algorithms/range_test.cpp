// SPDX-License-Identifier: Apache-2.0
#include "kasuri/range.hpp"

#include <climits>
#include <cstdint>
#include <deque>
#include <vector>

#include <gtest/gtest.h>

namespace kasuri {
namespace {

TEST(range, size_of_integers) {
  EXPECT_EQ(blocked_range(3, 10).size(), 7u);
  EXPECT_EQ(blocked_range(-3, 4).size(), 7u);
  EXPECT_EQ(blocked_range(5, 5).size(), 0u);
  EXPECT_TRUE(blocked_range(5, 2).empty());
  EXPECT_EQ(blocked_range(INT_MIN, INT_MAX).size(), std::size_t{UINT_MAX});
  EXPECT_EQ(blocked_range(INT64_MIN, INT64_MAX).size(), SIZE_MAX);
  EXPECT_EQ((blocked_range<std::uint8_t>(0, 255).size()), 255u);
  EXPECT_EQ((blocked_range<std::int8_t>(-128, 127).size()), 255u);
}

TEST(range, size_of_iterators) {
  std::vector<int> v(12);
  std::deque<int> d(9);
  EXPECT_EQ(blocked_range(v.begin(), v.end()).size(), 12u);
  EXPECT_EQ(blocked_range(d.cbegin(), d.cend()).size(), 9u);
}

TEST(range, slice_keeps_the_grain) {
  const auto part = blocked_range(-100, 100, 7).slice(50, 60);
  EXPECT_EQ(part.begin(), -50);
  EXPECT_EQ(part.end(), -40);
  EXPECT_EQ(part.grain(), 7u);
}

TEST(range, tiles_cover_each_place_once) {
  for (std::size_t extent = 1; extent < 150; ++extent)
    for (const std::size_t grain : {0u, 1u, 7u, 149u, 1000u}) {
      const detail::tiling tiles(extent, grain, 32);
      const blocked_range<std::size_t> all(0, extent);
      std::size_t next = 0;
      for (std::size_t k = 0; k < tiles.count; ++k) {
        const auto piece = tiles.piece(all, k);
        EXPECT_EQ(piece.begin(), next);
        EXPECT_FALSE(piece.empty());
        next = piece.end();
      }
      EXPECT_EQ(next, extent);
      EXPECT_TRUE(grain != 0 || tiles.count <= 32);
    }
}

TEST(range, blocks_cover_each_place_once) {
  for (std::size_t size = 1; size < 100; ++size)
    for (std::size_t blocks = 1; blocks <= size; ++blocks) {
      EXPECT_EQ(detail::block_begin(0, blocks, size), 0u);
      EXPECT_EQ(detail::block_begin(blocks, blocks, size), size);
      for (std::size_t k = 0; k < blocks; ++k) {
        const std::size_t length =
            detail::block_begin(k + 1, blocks, size) - detail::block_begin(k, blocks, size);
        EXPECT_EQ(length, size / blocks + (k < size % blocks));
      }
    }
}

}  // namespace
}  // namespace kasuri
