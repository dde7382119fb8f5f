// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/cache/uncached.hpp"

#include <gtest/gtest.h>

#include "cache_parts.hpp"

namespace kasuri::cluster {
namespace {

using test::block_size;
using test::cache_parts;
using test::few_blocks;
using test::on_caches;

memory_options off() {
  memory_options o = few_blocks(16);
  o.cached = false;
  return o;
}

TEST(Uncached, ACheckoutForgetsItsBytesAtItsEnd) {
  on_caches(2, off(), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank == 0) {
      pin& p = c.check_out({array + 10, block_size, access::read_write});
      EXPECT_EQ(c.counts.fetched_bytes.get(), block_size);  // its own bytes and no more
      EXPECT_TRUE(c.block_at(array).readable.empty());
      c.byte_at(array + 10) = std::byte{5};
      c.byte_at(array + block_size) = std::byte{6};
      c.ends.end_checkout(p);
      EXPECT_EQ(p.offset.load(), 0U);
      EXPECT_TRUE(c.block_at(array).valid.empty());
      EXPECT_TRUE(c.block_at(array).dirty.empty());
      EXPECT_TRUE(c.block_at(array + block_size).valid.empty());
      EXPECT_EQ(c.counts.written_back_bytes.get(), block_size);
    }
    c.network.barrier();
    if (rank == 1) {
      EXPECT_EQ(c.byte_at(array + 10), std::byte{5});
      EXPECT_EQ(c.byte_at(array + block_size), std::byte{6});
    }
  });
}

TEST(Uncached, AnotherCheckoutKeepsWhatItHolds) {
  on_caches(2, off(), [](cache_parts& c, std::uint64_t array, int rank) {
    if (rank != 0) return;
    pin& a = c.check_out({array, 100, access::read});
    pin& b = c.check_out({array + 50, 100, access::read});
    EXPECT_EQ(c.counts.fetched_bytes.get(), 150U);  // what the first has brought is here
    c.ends.end_checkout(a);
    EXPECT_TRUE(c.block_at(array).valid.covers({50, 150}));
    EXPECT_FALSE(c.block_at(array).valid.covers({0, 1}));
    c.ends.end_checkout(b);
    EXPECT_TRUE(c.block_at(array).valid.empty());
    EXPECT_EQ(c.block_at(array).check(), nullptr);
  });
}

TEST(Uncached, MoreBlocksThanAreLockedAtATimeEndInSteps) {
  memory_options o = off();
  o.cache_bytes = std::size_t{32} << 20;
  on_caches(2, o, [](cache_parts& c, std::uint64_t, int rank) {
    constexpr std::uint64_t bytes = 2500 * block_size;
    const std::uint64_t array = c.places.add_listed(bytes, bytes, [](std::uint64_t) { return 1; });
    if (rank != 0) return;
    pin& p = c.check_out({array + 7, bytes - 20, access::read_write});
    c.byte_at(array + 2000 * block_size) = std::byte{1};
    c.ends.end_checkout(p);
    EXPECT_EQ(c.counts.written_back_bytes.get(), bytes - 20);
    for (std::uint64_t b = 0; b != 2500; ++b)
      ASSERT_TRUE(c.block_at(array + b * block_size).valid.empty()) << b;
  });
}

}  // namespace
}  // namespace kasuri::cluster
