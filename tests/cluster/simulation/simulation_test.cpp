// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include "cluster/transport/simulated/simulated.hpp"
#include "platform/memory/memory.hpp"
#include "platform/memory/shared_memory.hpp"

namespace kasuri::cluster {
namespace {

simulation_options ranks(int n) {
  simulation_options o;
  o.ranks = n;
  return o;
}

TEST(Simulation, PutsAndGetsArriveByTheFlush) {
  for (int n : {2, 3, 8}) {
    simulation_options o = ranks(n);
    o.jitter_ns = 5000;
    simulation s(o);
    s.run([n](int rank, transport& net) {
      window w = net.allocate(1 << 16);
      std::vector<int> mine(100);
      std::iota(mine.begin(), mine.end(), rank * 1000);
      const int right = (rank + 1) % n;
      net.put(right, w, 400, mine.data(), 400);
      net.flush(right);
      net.barrier();
      const int left = (rank + n - 1) % n;
      std::vector<int> here(100);
      std::memcpy(here.data(), w.local + 400, 400);
      std::vector<int> expected(100);
      std::iota(expected.begin(), expected.end(), left * 1000);
      EXPECT_EQ(here, expected);
      std::vector<int> got(100);
      net.get(right, w, 400, got.data(), 400);
      net.flush(right);
      EXPECT_EQ(got, mine);
      net.barrier();
      net.free(w);
    });
  }
}

TEST(Simulation, AWordIsAddedToByAll) {
  simulation s(ranks(16));
  s.run([](int rank, transport& net) {
    window w = net.allocate(64);
    for (int i = 0; i != 50; ++i) net.fetch_add(3, w, 8, 1);
    net.barrier();
    EXPECT_EQ(net.load(3, w, 8), 16u * 50u);
    for (int i = 0; i != 20; ++i) {
      std::uint64_t seen = net.load(5, w, 16);
      while (true) {
        const std::uint64_t before = net.compare_swap(5, w, 16, seen, seen + 2);
        if (before == seen) break;
        seen = before;
      }
    }
    net.barrier();
    EXPECT_EQ(net.load(5, w, 16), 16u * 20u * 2u);
    static_cast<void>(rank);
  });
}

TEST(Simulation, OneRanksStoresToAWordKeepTheirOrder) {
  simulation_options o = ranks(2);
  o.jitter_ns = 100'000;
  simulation s(o);
  s.run([](int rank, transport& net) {
    window w = net.allocate(64);
    if (rank == 0) {
      for (std::uint64_t i = 1; i <= 100; ++i) net.store(1, w, 0, i);
      EXPECT_EQ(net.load(1, w, 0), 100u);
    }
    net.barrier();
  });
}

TEST(Simulation, TimeIsLatencyAndBandwidth) {
  simulation_options o = ranks(2);
  o.latency_ns = 1000;
  o.bytes_per_ns = 1;
  o.occupancy_ns = 0;
  simulation s(o);
  s.run([](int rank, transport& net) {
    window w = net.allocate(1 << 20);
    std::vector<std::byte> buffer(10'000);
    net.barrier();
    if (rank == 0) {
      std::uint64_t before = net.now_ns();
      net.get(1, w, 0, buffer.data(), buffer.size());
      net.flush(1);
      EXPECT_EQ(net.now_ns() - before, 2000u + 8u + 10'000u);
      before = net.now_ns();
      net.spend(12345);
      EXPECT_EQ(net.now_ns() - before, 12345u);
    }
    net.barrier();
  });
}

TEST(Simulation, ARingEndsANapAndIsNotLost) {
  simulation s(ranks(2));
  s.run([](int rank, transport& net) {
    if (rank == 0) {
      net.ring(1);
      net.spend(1'000'000);
      net.ring(1);
    } else {
      net.spend(500'000);
      std::uint64_t before = net.now_ns();
      net.nap(UINT64_MAX);  // rung already
      EXPECT_EQ(net.now_ns(), before);
      net.nap(UINT64_MAX);
      EXPECT_GE(net.now_ns(), 1'000'000u);
      before = net.now_ns();
      net.nap(777);
      EXPECT_EQ(net.now_ns() - before, 777u);
    }
    net.barrier();
  });
}

TEST(Simulation, CollectivesGiveAllTheSame) {
  simulation s(ranks(7));
  s.run([](int rank, transport& net) {
    std::array<std::byte, 4> mine;
    mine.fill(static_cast<std::byte>(rank));
    std::vector<std::byte> all(28);
    net.all_gather(mine, all);
    for (std::size_t i = 0; i != all.size(); ++i) EXPECT_EQ(all[i], static_cast<std::byte>(i / 4));
    net.broadcast(4, mine);
    EXPECT_EQ(mine[2], std::byte{4});
  });
}

TEST(Simulation, AnAliasIsTheSameMemory) {
  simulation s(ranks(2));
  s.run([](int rank, transport& net) {
    const std::size_t page = platform::page_size();
    window w = net.allocate(4 * page);
    auto* const view = static_cast<std::byte*>(platform::reserve(2 * page));
    net.alias(w, page, 2 * page, view);
    const int number = 4711 + rank;
    net.put(1 - rank, w, page + 100, &number, sizeof number);
    net.flush(1 - rank);
    net.barrier();
    int seen = 0;
    std::memcpy(&seen, view + 100, sizeof seen);
    EXPECT_EQ(seen, 4711 + 1 - rank);
    net.barrier();
    platform::unmap_shared(view, 2 * page);
    net.free(w);
  });
}

TEST(Simulation, TheSameSeedGivesTheSameRun) {
  const auto digest = [](std::uint64_t seed) {
    simulation_options o = ranks(8);
    o.jitter_ns = 3000;
    o.seed = seed;
    simulation s(o);
    s.run([](int rank, transport& net) {
      window w = net.allocate(64);
      for (int i = 0; i != 20; ++i) net.fetch_add((rank * 7 + i) % 8, w, 0, 1);
      net.barrier();
    });
    return s.time().digest();
  };
  EXPECT_EQ(digest(1), digest(1));
  EXPECT_NE(digest(1), digest(2));
}

TEST(Simulation, ADeadlockIsNamed) {
  simulation s(ranks(2));
  try {
    s.run([](int rank, transport& net) {
      if (rank == 1) net.nap(UINT64_MAX);
    });
    FAIL() << "ended";
  } catch (const simulation_error& e) {
    EXPECT_STREQ(e.what(), "everybody waits: rank 1 for a ring");
  }
}

TEST(Simulation, ADeadRankEndsTheRun) {
  simulation_options o = ranks(3);
  o.dying_rank = 2;
  o.dies_at_ns = 1'000'000;
  simulation s(o);
  EXPECT_THROW(s.run([](int, transport& net) {
    window w = net.allocate(64);
    while (net.load(2, w, 0) == 0) net.spend(10'000);
  }),
               simulation_error);
}

TEST(Simulation, WhatARankThrowsComesOut) {
  simulation s(ranks(3));
  EXPECT_THROW(s.run([](int rank, transport& net) {
    net.spend(100);
    if (rank == 1) throw std::out_of_range("here");
    net.barrier();
  }),
               std::out_of_range);
}

TEST(Simulation, AccessOutsideAWindowIsNamed) {
  simulation s(ranks(2));
  EXPECT_THROW(s.run([](int rank, transport& net) {
    window w = net.allocate(64);
    int x = 0;
    net.put(1 - rank, w, 62, &x, 4);
    net.flush(1 - rank);
  }),
               simulation_error);
}

}  // namespace
}  // namespace kasuri::cluster
