// SPDX-License-Identifier: Apache-2.0
// Who is home of what, where regions lie, and the log of notices.

#include "cluster/memory/space/region.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "cluster/memory/memory.hpp"
#include "cluster/memory/notices/notice_ring.hpp"
#include "cluster/transport/simulated/simulated.hpp"
#include "loopback.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;

constexpr std::uint64_t page = 4096;

region make(region::kind_t kind, std::uint64_t pages, std::uint64_t chunk_pages, int ranks) {
  region r;
  r.kind = kind;
  r.begin = 10 * page;
  r.end = r.used = r.begin + pages * page;
  r.chunk = chunk_pages * page;
  r.ranks = ranks;
  if (kind == region::kind_t::listed) {
    std::vector<std::uint32_t> filled(static_cast<std::size_t>(ranks));
    for (std::uint64_t c = 0; c != r.chunks(); ++c) {
      const auto owner = static_cast<std::size_t>(c * 5 % static_cast<unsigned>(ranks));
      r.owners.push_back(static_cast<std::int32_t>(owner));
      r.places.push_back(filled[owner]++);
    }
  }
  return r;
}

TEST(Region, EachPageHasAPlaceOfItsOwn) {
  for (auto kind : {region::kind_t::blocked, region::kind_t::cyclic, region::kind_t::listed})
    for (std::uint64_t pages : {1U, 2U, 7U, 24U, 25U})
      for (int ranks : {1, 2, 3, 8}) {
        const auto p = static_cast<std::uint64_t>(ranks);
        const std::uint64_t chunk = kind == region::kind_t::blocked ? (pages + p - 1) / p : 3;
        const region r = make(kind, pages, chunk, ranks);
        std::set<std::pair<int, std::uint64_t>> places;
        for (std::uint64_t at = r.begin; at != r.end; at += page) {
          const home_place home = r.home_of(at);
          EXPECT_LT(home.rank, ranks);
          EXPECT_LT(home.offset, r.most_chunks() * r.chunk);
          EXPECT_TRUE(places.emplace(home.rank, home.offset).second);
          // The run stays in one chunk, and in the region.
          EXPECT_GE(home.run, page);
          EXPECT_LE(at + home.run, r.end);
          EXPECT_EQ(r.home_of(at + home.run - page).offset, home.offset + home.run - page);
          EXPECT_EQ(r.home_of(at + 77).offset, home.offset + 77);
        }
      }
}

TEST(RegionMap, FindsWhatWasAddedAndKeepsGaps) {
  region_map map;
  EXPECT_EQ(map.find(page, page + 1), nullptr);
  const auto add = [&](std::uint64_t pages) {
    auto r = std::make_unique<region>();
    const auto start = map.room(pages * page, page, page, 100 * page);
    if (!start) return static_cast<const region*>(nullptr);
    r->begin = *start;
    r->end = *start + pages * page;
    r->used = r->end - 10;
    return map.add(std::move(r));
  };
  const region* a = add(10);
  const region* b = add(5);
  const region* c = add(20);
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(a->begin, page);
  EXPECT_EQ(b->begin, a->end + page);
  EXPECT_EQ(c->begin, b->end + page);
  EXPECT_EQ(map.find(b->begin, b->used), b);
  EXPECT_EQ(map.find(b->begin, b->used + 1), nullptr);
  EXPECT_EQ(map.find(b->begin - 1, b->begin), nullptr);
  map.remove(b);
  EXPECT_EQ(map.find(a->end + page, a->end + 2 * page), nullptr);
  EXPECT_GT(add(6)->begin, c->end);  // the hole is too small
  EXPECT_EQ(add(5)->begin, a->end + page);
  EXPECT_EQ(add(90), nullptr);
}

TEST(GlobalSizes, FollowTheNumberOfRanks) {
  constexpr std::size_t gib = std::size_t{1} << 30;
  constexpr std::size_t mib = std::size_t{1} << 20;
  for (const int ranks : {1, 2, 255, 256, 257, 1000, 1024, 2432, 16384, 65535}) {
    const auto n = static_cast<std::size_t>(ranks);
    for (const std::size_t range : {std::size_t{0}, 64 * gib, 1024 * gib}) {
      for (const std::size_t heap : {std::size_t{0}, mib}) {
        if (range != 0 && n * heap > range / 2) continue;  // the user wants both: refused by a line
        const cluster::global_sizes made = cluster::sizes_for(ranks, range, heap);
        EXPECT_LE(n * made.heap_bytes, made.range_bytes / 2)
            << ranks << ' ' << range << ' ' << heap;
        EXPECT_GE(made.heap_bytes, mib / 16) << ranks;
        EXPECT_LE(made.range_bytes, 16384 * gib) << ranks;
        if (range != 0) {
          EXPECT_EQ(made.range_bytes, range);
        }
        if (heap != 0) {
          EXPECT_EQ(made.heap_bytes, heap);
        }
      }
    }
  }
  const cluster::global_sizes few = cluster::sizes_for(256, 0, 0);
  EXPECT_EQ(few.range_bytes, 256 * gib);
  EXPECT_EQ(few.heap_bytes, 256 * mib);
  EXPECT_EQ(cluster::sizes_for(1024, 0, 0).heap_bytes, 256 * mib);
}

// All ranks are in one process here: of each size there is a part of 4,096.
TEST(GlobalSizes, OfThousandRanksThatStart) {
  constexpr std::size_t part = 4096;
  cluster::simulation_options net;
  net.ranks = 1024;
  cluster::simulation all(net);
  const cluster::global_sizes sizes = cluster::sizes_for(net.ranks, 0, 0);
  cluster::memory_options o;
  o.range_bytes = sizes.range_bytes / part;
  o.heap_bytes = sizes.heap_bytes / part;
  o.cache_bytes = std::size_t{64} << 10;
  o.log_entries = cluster::notices_for(net.ranks);
  o.same_address = false;
  int started = 0;
  all.run([&](int, cluster::transport& network) {
    cluster::memory m(network, o);
    const std::uint64_t array = m.arrays().add_blocked(std::uint64_t{64} << 20);
    started += m.arrays().home_rank(array) == 0 ? 1 : 0;
    network.barrier();
  });
  EXPECT_EQ(started, net.ranks);
}

TEST(NoticeLog, TellsWhatCanBeReadStill) {
  on_ranks(2, [](transport& network) {
    constexpr std::uint64_t entries = 8;
    const window w = network.allocate(page);
    notice_ring log(network, w, 0, 64, entries);
    const auto append = [&](std::uint64_t from, std::uint64_t count) {
      std::vector<notice> some;
      for (std::uint64_t i = from; i != from + count; ++i)
        some.push_back(notice::make(network.rank(), i + 1, i * 10, i * 10 + 5));
      log.append(some);
    };
    if (network.rank() == 1) append(0, 6);
    network.barrier();
    std::vector<notice> found;
    if (network.rank() == 0) {
      ASSERT_TRUE(log.read(1, 2, 6, found));
      ASSERT_EQ(found.size(), 4U);
      EXPECT_EQ(found[3].number(), 6U);
      EXPECT_EQ(found[3].rank(), 1);
      EXPECT_EQ(found[3].begin, 50U);
      EXPECT_EQ(found[3].end, 55U);
    }
    network.barrier();
    if (network.rank() == 1) append(6, 7);
    network.barrier();
    if (network.rank() == 0) {
      EXPECT_FALSE(log.read(1, 2, 10, found));  // entries 2 to 4 have been replaced
      EXPECT_EQ(found.size(), 4U);
      EXPECT_FALSE(log.read(1, 0, 13, found));
      ASSERT_TRUE(log.read(1, 5, 13, found));  // over the end of the ring
      EXPECT_EQ(found.back().number(), 13U);
      EXPECT_EQ(found[4].number(), 6U);
    }
    network.barrier();
    if (network.rank() == 1) append(13, 30);  // more than the ring holds
    network.barrier();
    found.clear();
    if (network.rank() == 0) {
      ASSERT_TRUE(log.read(1, 35, 43, found));
      for (std::uint64_t i = 0; i != 8; ++i) EXPECT_EQ(found[i].number(), 36 + i);
    }
    network.barrier();
  });
}

}  // namespace
}  // namespace kasuri::test
