// SPDX-License-Identifier: Apache-2.0
// Checkouts in two steps, on the simulated network: what travels while the program computes, and
// what becomes of it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/memory/memory.hpp"
#include "cluster/transport/simulated/simulated.hpp"
#include "kasuri/global/algorithm/pieces_ahead.hpp"
#include "kasuri/global/algorithm/search.hpp"
#include "kasuri/global/begin_checkout.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/global/vector.hpp"
#include "loopback.hpp"
#include "support/units.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;

constexpr std::size_t piece = 64 * kib;

memory_options roomy_cache() {
  memory_options o;
  o.range_bytes = std::size_t{64} << 20;
  o.heap_bytes = 64 * kib;
  o.cache_bytes = std::size_t{8} << 20;
  o.same_address = false;
  return o;
}

/// Rank 0 of two runs `reads`, with a view of `bytes` bytes that are at home at rank 1.
void read_from_the_other(
    const memory_options& options, std::size_t bytes,
    const std::function<void(global::view<unsigned char>, transport&, memory&)>& reads) {
  simulation_options net;
  net.ranks = 2;
  simulation all(net);
  all.run([&](int rank, transport& network) {
    memory m(network, options);
    all.process_of(rank).memory = &m;
    {
      const global::vector<unsigned char> v(2 * bytes);
      const auto part = v.view().subview(bytes, bytes);
      if (rank == 1) {
        const auto x = global::checkout(part, global::write);
        for (std::size_t i = 0; i != bytes; ++i) x[i] = static_cast<unsigned char>(i * 255 / bytes);
      }
      network.barrier();
      if (rank == 0) reads(part, network, m);
      network.barrier();
    }
    all.process_of(rank).memory = nullptr;
  });
}

bool as_written(const auto& some, std::size_t at, std::size_t bytes) {
  for (std::size_t i = 0; i != some.size(); ++i)
    if (some[i] != static_cast<unsigned char>((at + i) * 255 / bytes)) return false;
  return true;
}

/// Virtual time of a loop over the pieces that computes `ns` for each.
std::uint64_t time_of_loop(std::uint64_t ns, bool ahead) {
  constexpr std::size_t bytes = 16 * piece;
  std::uint64_t took = 0;
  read_from_the_other(roomy_cache(), bytes, [&](auto v, transport& net, memory&) {
    const std::uint64_t since = net.now_ns();
    global::detail::pieces_ahead<unsigned char> next(ahead ? bytes : 0, piece, v);
    for (std::size_t at = 0; at != bytes; at += piece) {
      const auto some = global::checkout(v.subview(at, piece), global::read);
      next.begin(at + piece);
      net.spend(ns);
      EXPECT_TRUE(as_written(some, at, bytes));
    }
    took = net.now_ns() - since;
  });
  return took;
}

TEST(Ahead, APieceTravelsWhileAnotherIsUsed) {
  const std::uint64_t travel = time_of_loop(0, false) / 16;
  EXPECT_LE(time_of_loop(travel, true), 18 * travel);
  EXPECT_GE(time_of_loop(travel, false), 31 * travel);
}

TEST(Ahead, ASearchTakesTwoStepsATrip) {
  constexpr std::size_t bytes = std::size_t{1} << 20;  // 256 blocks: eight steps that meet new ones
  memory_options o = roomy_cache();
  read_from_the_other(o, bytes, [&](auto v, transport& net, memory& m) {
    const std::uint64_t before = net.now_ns();
    (void)global::get(v.begin());
    const std::uint64_t trip = net.now_ns() - before;
    const std::uint64_t since = net.now_ns();
    const auto found = global::lower_bound(v, 200);
    const std::uint64_t took = net.now_ns() - since;
    EXPECT_EQ(found - v.begin(), static_cast<std::ptrdiff_t>((200 * bytes + 254) / 255));
    EXPECT_LE(took, 6 * trip);
    EXPECT_LE(m.counts().misses, 1U + 3 * 5);
    EXPECT_EQ(global::upper_bound(v, 255) - v.end(), 0);
    EXPECT_EQ(global::lower_bound(v, 0) - v.begin(), 0);
  });
}

TEST(Ahead, WhatIsHereIsNotUnderWay) {
  read_from_the_other(roomy_cache(), 16 * kib, [](auto v, transport&, memory& m) {
    auto first = global::begin_checkout(v, global::read);
    EXPECT_TRUE(first.under_way());
    // Another of the same is on the way of the first.
    auto second = global::begin_checkout(v, global::read_write);
    EXPECT_FALSE(second.under_way());
    EXPECT_TRUE(as_written(second.wait(), 0, 16 * kib));
    EXPECT_TRUE(as_written(first.wait(), 0, 16 * kib));
    EXPECT_EQ(first.wait().size(), 0U);  // once
    EXPECT_FALSE(global::begin_checkout(v, global::read).under_way());
    EXPECT_FALSE(global::begin_checkout(v.subview(0, 0), global::read).under_way());
    EXPECT_EQ(m.counts().fetched_bytes, 16 * kib);
    EXPECT_EQ(m.checked_out(), 0U);
  });
}

TEST(Ahead, WhatIsGivenUpIsHere) {
  read_from_the_other(roomy_cache(), 16 * kib, [](auto v, transport& net, memory& m) {
    {
      auto begun = global::begin_checkout(v, global::read);
      auto moved = std::move(begun);
      EXPECT_FALSE(begun.under_way());
      EXPECT_TRUE(moved.under_way());
      moved = global::begin_checkout(v.subview(0, 1), global::read);
    }
    EXPECT_EQ(m.checked_out(), 0U);
    const std::uint64_t since = net.now_ns();
    EXPECT_TRUE(as_written(global::checkout(v, global::read), 0, 16 * kib));
    EXPECT_EQ(net.now_ns(), since);
  });
}

// What lies beside it in a block, checked out in between, waits for the block in its place.
TEST(Ahead, ANeighbourOnTheSameBlock) {
  read_from_the_other(roomy_cache(), 16 * kib, [](auto v, transport&, memory& m) {
    auto begun = global::begin_checkout(v.subview(100, 200), global::read);
    {
      const auto x = global::checkout(v.subview(300, 50), global::read_write);
      EXPECT_TRUE(as_written(x, 300, 16 * kib));
      std::ranges::fill(x, 77);
    }
    (void)m.release();
    EXPECT_TRUE(as_written(begun.wait(), 100, 16 * kib));
    EXPECT_EQ(global::get(v.begin() + 320), 77);
  });
}

TEST(Ahead, NoMoreThanAPartOfTheCache) {
  memory_options o = roomy_cache();
  o.cache_bytes = 256 * kib;
  o.moved_bytes = std::size_t{1} << 30;
  read_from_the_other(o, std::size_t{1} << 20, [&](auto v, transport&, memory& m) {
    EXPECT_FALSE(global::begin_checkout(v.subview(0, 100 * kib), global::read).under_way());
    // Eight at a time fit and others push them out; none is lost.
    for (std::size_t lo = 0; lo != v.size(); lo += 128 * kib) {
      std::vector<global::begun_checkout<unsigned char, global::read_t>> some;
      for (std::size_t at = 0; at != 128 * kib; at += 16 * kib)
        some.push_back(global::begin_checkout(v.subview(lo + at, 16 * kib), global::read));
      for (std::size_t i = 0; i != some.size(); ++i)
        EXPECT_TRUE(as_written(some[i].wait(), lo + i * 16 * kib, v.size()));
    }
    EXPECT_EQ(m.counts().fetched_bytes, v.size());
    EXPECT_GT(m.counts().evicted_blocks, 0U);
    EXPECT_LE(m.resident_bytes(), o.cache_bytes);
  });
}

TEST(Ahead, NothingBeginsWithTheCacheOff) {
  memory_options o = roomy_cache();
  o.cached = false;
  read_from_the_other(o, 16 * kib, [](auto v, transport&, memory& m) {
    auto begun = global::begin_checkout(v, global::read);
    EXPECT_FALSE(begun.under_way());
    EXPECT_EQ(m.counts().fetched_bytes, 0U);
    EXPECT_TRUE(as_written(begun.wait(), 0, 16 * kib));
  });
}

// What is on its way, or has arrived and is not used, gives room to checkouts.
TEST(Ahead, BegunOnesLeaveAllRoomToCheckouts) {
  memory_options o = roomy_cache();
  o.cache_bytes = 256 * kib;  // an eighth of it is kept free
  o.moved_bytes = std::size_t{1} << 30;
  read_from_the_other(o, 1024 * kib, [&](auto v, transport&, memory& m) {
    std::vector<global::begun_checkout<unsigned char, global::read_t>> some;
    bool any = false;
    for (std::size_t at = 0; at != 320 * kib; at += 8 * kib) {
      some.push_back(global::begin_checkout(v.subview(at, 8 * kib), global::read));
      any = any || some.back().under_way();
    }
    EXPECT_TRUE(any);
    EXPECT_TRUE(as_written(global::checkout(v.subview(512 * kib, 220 * kib), global::read),
                           512 * kib, v.size()));
    for (std::size_t i = 0; i != some.size(); ++i)
      EXPECT_TRUE(as_written(some[i].wait(), i * 8 * kib, v.size()));
    EXPECT_LE(m.resident_bytes(), o.cache_bytes);
  });
}

// Room is wanted, and the block that could give it is on its way to the one who waits.
TEST(Ahead, WhoWantsRoomLetsAllArrive) {
  memory_options o = roomy_cache();
  o.cache_bytes = 256 * kib;
  o.moved_bytes = std::size_t{1} << 30;
  o.block_bytes = 16 * kib;
  read_from_the_other(o, 1024 * kib, [&](auto v, transport&, memory& m) {
    // The beginning of the block is written here, the rest is not.
    std::ranges::fill(global::checkout(v.subview(0, 100), global::write), 1);
    (void)m.release();
    auto begun = global::begin_checkout(v.subview(0, 16 * kib), global::read);
    EXPECT_TRUE(begun.under_way());
    const auto others = global::checkout(v.subview(16 * kib, 13 * 16 * kib), global::read);
    EXPECT_EQ(global::get(v.end() - 1),
              static_cast<unsigned char>((v.size() - 1) * 255 / v.size()));
    EXPECT_EQ(global::get(v.begin() + 1000), static_cast<unsigned char>(1000 * 255 / v.size()));
  });
}

TEST(Ahead, DoesNotWaitForWhatIsWrittenToComeHome) {
  memory_options o = roomy_cache();
  o.cache_bytes = 256 * kib;
  o.moved_bytes = std::size_t{1} << 30;
  read_from_the_other(o, 1024 * kib, [&](auto v, transport& net, memory& m) {
    for (std::size_t at = 512 * kib; at != 736 * kib; at += 4 * kib)
      std::ranges::fill(global::checkout(v.subview(at, 4 * kib), global::write), 1);
    const std::uint64_t since = net.now_ns();
    auto begun = global::begin_checkout(v.subview(0, 8 * kib), global::read);
    EXPECT_EQ(net.now_ns(), since);
    EXPECT_EQ(m.counts().written_back_bytes, 0U);
    EXPECT_TRUE(as_written(begun.wait(), 0, v.size()));
  });
}

TEST(Ahead, FinishedByAnotherThread) {
  for (const bool checked : {false, true}) {
    memory_options o = roomy_cache();
    o.checked = checked;
    on_ranks(2, [&](transport& net) {
      memory m(net, o);
      const std::uint64_t start = m.arrays().add_blocked(128 * kib);
      if (net.rank() == 0) {
        const checkout_request r{start + 64 * kib, 100, access::read_write};
        const memory::begun b = m.begin(r);
        EXPECT_EQ(m.checked_out(), checked ? 1U : 0U);
        std::thread([&] {
          const held h = m.finish(r, b);
          EXPECT_EQ(h.data[99], std::byte{0});
          m.check_in(*h.kept);
        }).join();
        EXPECT_EQ(m.checked_out(), 0U);
      }
      net.barrier();
      m.free_array(start);
    });
  }
}

TEST(Ahead, OutsideOfAnAllocation) {
  read_from_the_other(roomy_cache(), 16 * kib, [](auto v, transport&, memory& m) {
    EXPECT_THROW((void)global::begin_checkout(v.begin() + 100, std::size_t{1} << 40, global::read),
                 global::error);
    EXPECT_EQ(m.checked_out(), 0U);
  });
}

TEST(AheadDeathTest, HeldOverAFork) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  memory_options o = roomy_cache();
  o.checked = true;
  const auto program = [&] {
    read_from_the_other(o, 16 * kib, [](auto v, transport&, memory& m) {
      const auto begun = global::begin_checkout(v.subview(0, 20), global::read);
      (void)m.release();
    });
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(2),
              "checkout of 20 bytes.*held over a fork or join");
}

}  // namespace
}  // namespace kasuri::test
