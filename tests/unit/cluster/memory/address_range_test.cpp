// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/space/address_range.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "cluster/memory/loopback.hpp"

namespace kasuri::cluster {
namespace {

TEST(AddressRange, IsCutIntoBlocks) {
  kasuri::test::loopback_host host(1);
  kasuri::test::loopback network(host, 0);
  memory_options o;
  o.block_bytes = 8192;
  o.range_bytes = (std::size_t{1} << 20) - 1;
  const address_range r(network, o);
  EXPECT_EQ(r.bytes(), std::uint64_t{1} << 20);
  EXPECT_EQ(r.block_of(8191), 0U);
  EXPECT_EQ(r.block_of(8192), 1U);
  EXPECT_EQ(r.within(8200), 8U);
  EXPECT_EQ(r.start_of_block(16383), 8192U);
  EXPECT_EQ(r.whole_blocks(8193), 16384U);
  EXPECT_TRUE(r.holds(reinterpret_cast<std::uintptr_t>(r.at(5))));
  EXPECT_FALSE(r.holds(reinterpret_cast<std::uintptr_t>(r.base() + r.bytes())));
  EXPECT_FALSE(r.holds(reinterpret_cast<std::uintptr_t>(r.base()) - 1));
}

TEST(AddressRange, WalksTheBlocksOfARange) {
  kasuri::test::loopback_host host(1);
  kasuri::test::loopback network(host, 0);
  memory_options o;
  o.range_bytes = std::size_t{1} << 20;
  const address_range r(network, o);
  const auto parts_of = [&](std::uint64_t begin, std::uint64_t end) {
    std::vector<std::pair<std::uint64_t, byte_range>> found;
    r.each_block({begin, end}, [&](std::uint64_t i, byte_range p) { found.emplace_back(i, p); });
    return found;
  };
  using parts = std::vector<std::pair<std::uint64_t, byte_range>>;
  EXPECT_TRUE(parts_of(5000, 5000).empty());
  EXPECT_EQ(parts_of(5000, 5001), (parts{{1, {904, 905}}}));
  EXPECT_EQ(parts_of(4096, 8192), (parts{{1, {0, 4096}}}));
  EXPECT_EQ(parts_of(4095, 8193), (parts{{0, {4095, 4096}}, {1, {0, 4096}}, {2, {0, 1}}}));
}

}  // namespace
}  // namespace kasuri::cluster
