// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/notices/versions.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "cache_parts.hpp"

namespace kasuri::cluster {
namespace {

using test::block_size;
using test::cache_parts;
using test::few_blocks;
using test::on_caches;

std::uint64_t version_of(cache_parts& c, std::uint64_t offset) {
  std::uint64_t now = 0;
  transfers under_way(c.network);
  c.stamps.get(*c.places.find({offset, offset}), c.range.block_of(offset), now, under_way);
  under_way.finish();
  return now;
}

TEST(Versions, AreRaisedOnceARankReadsThem) {
  on_caches(3, few_blocks(16), [](cache_parts& c, std::uint64_t array, int rank) {
    const global_range written{array + 10, array + 2 * block_size + 1};
    if (rank == 2) c.stamps.raise({&written, 1});  // nobody reads them
    c.network.barrier();
    if (rank == 0) {
      c.stamps.want();
      c.stamps.want();  // once
      EXPECT_EQ(version_of(c, array), 0U);
    }
    c.network.barrier();
    if (rank == 2) c.stamps.raise({&written, 1});
    c.network.barrier();
    if (rank != 0) return;
    for (std::uint64_t b = 0; b != 3; ++b) EXPECT_NE(version_of(c, array + b * block_size), 0U);
    EXPECT_EQ(version_of(c, array + 3 * block_size), 0U);
  });
}

TEST(Versions, AreAskedForByOneRankForAll) {
  on_caches(3, few_blocks(16), [](cache_parts& c, std::uint64_t, int rank) {
    const auto told = [&] {
      std::uint64_t word = 0;
      std::memcpy(&word, c.control.where().local + control_window::versions_word, sizeof word);
      return word;
    };
    if (rank == 0) c.stamps.want();
    c.network.barrier();
    EXPECT_NE(told(), 0U);
    if (rank == 2) std::memset(c.control.where().local + control_window::versions_word, 0, 8);
    c.network.barrier();
    if (rank == 1) c.stamps.want();
    c.network.barrier();
    EXPECT_EQ(told() == 0, rank == 2) << "rank 1 has told all what rank 0 told them before";
  });
}

TEST(Versions, NeverComeBack) {
  memory_options o = few_blocks(16);
  o.stamps_at_once = true;
  std::set<std::uint64_t> seen;
  on_caches(3, o, [&](cache_parts& c, std::uint64_t array, int rank) {
    for (int round = 0; round != 5; ++round) {
      for (int writer = 0; writer != 3; ++writer) {
        const global_range written{array, array + 8};
        if (rank == writer) c.stamps.raise({&written, 1});
        c.network.barrier();
        if (rank == 0) {
          EXPECT_TRUE(seen.insert(version_of(c, array)).second);
        }
        c.network.barrier();
      }
    }
  });
  EXPECT_EQ(seen.size(), 15U);
}

}  // namespace
}  // namespace kasuri::cluster
