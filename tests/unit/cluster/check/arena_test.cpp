// SPDX-License-Identifier: Apache-2.0
#include "cluster/check/arena.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "cluster/transport/simulated/simulated.hpp"

namespace kasuri::cluster {
namespace {

constexpr std::size_t part_bytes = 4096;
constexpr std::size_t fixed_bytes = 24;
constexpr std::uint64_t first_room = 96;  // behind fixed_start and what is fixed, rounded

/// body(arena, rank) at each rank; messages may overtake one another.
void on_arenas(int ranks, const std::function<void(arena&, int)>& body) {
  simulation_options network;
  network.ranks = ranks;
  network.jitter_ns = 3000;
  simulation all(network);
  all.run([&](int rank, transport& net) {
    arena records(net, part_bytes, fixed_bytes);
    records.clear();
    net.barrier();
    body(records, rank);
    net.barrier();
  });
}

TEST(Arena, NoTwoRanksGetTheSameRoom) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> taken;  // of the part of rank 1
  on_arenas(4, [&taken](arena& records, int rank) {
    for (std::uint64_t i = 1; i != 6; ++i) {
      const std::uint64_t bytes = i * 7 + static_cast<std::uint64_t>(rank);
      const std::uint64_t at = records.take(1, bytes);
      EXPECT_EQ(at % 16, 0U);
      taken.emplace_back(at, bytes);
    }
  });
  std::ranges::sort(taken);
  ASSERT_EQ(taken.size(), 20U);
  EXPECT_EQ(taken.front().first, first_room);
  for (std::size_t i = 1; i != taken.size(); ++i)
    EXPECT_GE(taken[i].first, taken[i - 1].first + taken[i - 1].second);
}

TEST(Arena, WhatOneRankWritesTheOthersRead) {
  on_arenas(3, [](arena& records, int rank) {
    const std::uint64_t at = records.take(rank, 16);
    EXPECT_EQ(at, first_room);  // each rank's part is its own
    const std::uint64_t mine[2] = {100U + static_cast<unsigned>(rank), 7};
    const int next = (rank + 1) % 3;
    records.write(next, at, mine, sizeof mine);
    records.network().barrier();
    std::uint64_t seen[2] = {};
    records.read(next, at, seen, sizeof seen);
    EXPECT_EQ(seen[0], mine[0]);
    EXPECT_EQ(seen[1], 7U);
    records.read(rank, at, seen, sizeof seen);  // this rank's own part
    EXPECT_EQ(seen[0], 100U + static_cast<unsigned>((rank + 2) % 3));
    EXPECT_EQ(*reinterpret_cast<const std::uint64_t*>(records.local(at)), seen[0]);
  });
}

TEST(Arena, IsEmptyAgainWhenItHasBeenCleared) {
  on_arenas(2, [](arena& records, int rank) {
    const std::uint64_t fixed = ~std::uint64_t{0};
    records.write(1 - rank, arena::fixed_start + 16, &fixed, sizeof fixed);
    EXPECT_EQ(records.take(1 - rank, 1000), first_room);
    records.network().barrier();
    records.clear();
    std::uint64_t left = 1;
    records.read(rank, arena::fixed_start + 16, &left, sizeof left);
    EXPECT_EQ(left, 0U);
    EXPECT_EQ(records.take(rank, 1000), first_room);
  });
}

TEST(Arena, ALockIsHeldByOneRankAtATime) {
  int inside = 0;
  std::uint64_t sum = 0;
  on_arenas(4, [&](arena& records, int rank) {
    for (int i = 0; i != 5; ++i) {
      records.lock(2, arena::fixed_start);
      EXPECT_EQ(++inside, 1);
      std::uint64_t count = 0;
      records.read(2, arena::fixed_start + 8, &count, sizeof count);
      ++count;
      records.write(2, arena::fixed_start + 8, &count, sizeof count);
      --inside;
      records.unlock(2, arena::fixed_start);
    }
    records.network().barrier();
    if (rank == 2) records.read(2, arena::fixed_start + 8, &sum, sizeof sum);
  });
  EXPECT_EQ(sum, 20U);
}

TEST(ArenaDeathTest, OneThatIsFullEndsTheProcessWithALine) {
  on_arenas(2, [](arena& records, int rank) {
    if (rank != 0) return;
    EXPECT_EQ(records.take(1, part_bytes - first_room), first_room);
    EXPECT_EXIT(records.take(1, 1), testing::ExitedWithCode(2),
                "the record of tasks and accesses at rank 1 is full; KASURI_CHECK_MEMORY=4096 is "
                "too small; accepted: more");
  });
}

}  // namespace
}  // namespace kasuri::cluster
