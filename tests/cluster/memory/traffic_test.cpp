// SPDX-License-Identifier: Apache-2.0
// How much is fetched, and fetched again: what others wrote, and little more.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "cluster/memory/memory.hpp"
#include "cluster/simulated_memory.hpp"
#include "cluster/transport/simulated/simulated.hpp"
#include "kasuri/global/checkout.hpp"
#include "kasuri/global/memory_counters.hpp"
#include "kasuri/global/vector.hpp"
#include "support/units.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;

memory_options roomy() {
  memory_options o;
  o.range_bytes = std::size_t{64} << 20;
  o.heap_bytes = 64 * kib;
  o.same_address = false;
  return o;
}

/// What rank 0 fetches when it reads an array again of which a child on rank 1 wrote `d` bytes.
std::uint64_t fetched_after_join(std::size_t d, std::size_t pieces, const memory_options& options,
                                 memory_counts* counts = nullptr) {
  std::uint64_t fetched = 0;
  token token_of_child;
  on_simulated_ranks(3, options, [&](int rank, transport& net, memory& m) {
    const std::size_t n = 3 * 1024 * kib;
    const global::vector<char> v(n);
    const auto read_all = [&] {
      for (std::size_t lo = 0; lo != n; lo += 64 * kib)
        (void)global::checkout(v.view().subview(lo, 64 * kib), global::read);
    };
    if (rank == 0) read_all();
    net.barrier();
    if (rank == 1) {
      std::mt19937 random(1);
      for (std::size_t i = 0; i != pieces; ++i) {
        const std::size_t at = random() % (n - d);
        const auto x = global::checkout(v.view().subview(at, d / pieces), global::write);
        std::fill(x.begin(), x.end(), 'x');
      }
      token_of_child = m.release();
    }
    net.barrier();
    if (rank == 0) {
      m.acquire(token_of_child);
      const std::uint64_t before = m.counts().fetched_bytes;
      read_all();
      fetched = m.counts().fetched_bytes - before;
      if (counts != nullptr) *counts = m.counts();
    }
  });
  return fetched;
}

TEST(Traffic, AJoinCostsWhatTheChildWrote) {
  for (std::size_t d : {8 * kib, 100 * kib, 1000 * kib}) {
    for (std::size_t pieces : {1U, 10U, 1000U})
      EXPECT_LE(fetched_after_join(d, pieces, roomy()), d + 64 * kib) << d << " in " << pieces;
  }
  EXPECT_EQ(fetched_after_join(0, 1, roomy()), 0U);
}

TEST(Traffic, AfterAnOverflowOnlyVersionsAreAskedFor) {
  memory_options o = roomy();
  o.most_notices = 4;
  o.stamps_at_once = true;
  memory_counts counts;
  const std::size_t d = 64 * kib;
  // Each of the 16 pieces changes the version of at most three blocks.
  EXPECT_LE(fetched_after_join(d, 16, o, &counts), d + 16 * 2 * 4 * kib);
  EXPECT_GT(counts.version_checks, 400U);
  EXPECT_GT(counts.unchanged, 400U);
}

/// What rank 0 fetches, and writes back, with `checkouts` of 1000 bytes of rank 1's in turn.
memory_counts used_again(bool cached, int checkouts, bool write) {
  memory_options o = roomy();
  o.cached = cached;
  memory_counts counts;
  on_simulated_ranks(2, o, [&](int rank, transport& net, memory& m) {
    const global::vector<char> v(64 * kib);
    const auto part = v.view().subview(40 * kib, 1000);
    if (rank == 1) std::ranges::fill(global::checkout(part, global::write), 'a');
    net.barrier();
    for (int i = 0; rank == 0 && i != checkouts; ++i) {
      if (write) {
        for (char& c : global::checkout(part, global::read_write)) ++c;
      } else {
        EXPECT_EQ(std::ranges::count(global::checkout(part, global::read), 'a'), 1000);
      }
    }
    if (rank == 0) counts = m.counts();
    net.barrier();
    // With the cache on what rank 0 wrote is not told of yet.
    if (rank == 1 && write && !cached) {
      EXPECT_EQ(std::ranges::count(global::checkout(part, global::read), 'a' + checkouts), 1000);
    }
    net.barrier();
  });
  return counts;
}

TEST(Traffic, WithTheCacheOffEachCheckoutFetchesAndWritesBack) {
  EXPECT_EQ(used_again(true, 5, false).fetched_bytes, 4 * kib);
  EXPECT_EQ(used_again(true, 5, true).written_back_bytes, 0U);
  for (const bool write : {false, true}) {
    const memory_counts off = used_again(false, 5, write);
    EXPECT_EQ(off.fetched_bytes, 5000U);
    EXPECT_EQ(off.refetched_bytes, 4000U);
    EXPECT_EQ(off.misses, 5U);
    EXPECT_EQ(off.written_back_bytes, write ? 5000U : 0U);
    EXPECT_EQ(off.notices_sent, 0U);
  }
}

TEST(Traffic, WithTheCacheOffCheckoutsAtTheSameTimeShareWhatIsHere) {
  memory_options o = roomy();
  o.cached = false;
  on_simulated_ranks(2, o, [&](int rank, transport& net, memory& m) {
    const global::vector<char> v(64 * kib);
    const auto part = v.view().subview(40 * kib, 3 * 4 * kib);
    if (rank == 0) {
      auto all = global::checkout(part, global::read);
      auto again = global::checkout(part, global::read);
      EXPECT_EQ(m.counts().fetched_bytes, part.size());
      all.check_in();
      // What the second holds stays; it is the last.
      (void)global::checkout(part.subview(100, 5000), global::read);
      EXPECT_EQ(m.counts().fetched_bytes, part.size());
      again.check_in();
      (void)global::checkout(part.subview(100, 5000), global::read);
      EXPECT_EQ(m.counts().fetched_bytes, part.size() + 5000);
    }
    net.barrier();
  });
}

TEST(Traffic, WithTheCacheOffWhatIsWrittenUnderAnotherCheckoutIsNotLost) {
  memory_options o = roomy();
  o.cached = false;
  on_simulated_ranks(2, o, [&](int rank, transport& net, memory&) {
    const global::vector<char> v(64 * kib);
    const auto part = v.view().subview(40 * kib, 1000);
    if (rank == 0) {
      {
        auto mine = global::checkout(part, global::write);
        std::ranges::fill(mine, 'a');
        EXPECT_EQ(global::get(part.begin() + 3), 'a');
        mine[3] = 'b';
      }
      auto first = global::checkout(part.subview(100, 200), global::read_write);
      auto second = global::checkout(part.subview(200, 200), global::read_write);
      second[0] = 'c';
      second.check_in();
      first[100] = 'd';
      first[101] = 'e';
    }
    net.barrier();
    if (rank == 1) {
      const auto x = global::checkout(part, global::read);
      EXPECT_EQ(x[2], 'a');
      EXPECT_EQ(x[3], 'b');
      EXPECT_EQ(x[200], 'd');
      EXPECT_EQ(x[201], 'e');
    }
    net.barrier();
  });
}

// Versions are raised for each array by itself, where ranges of several arrays are told of at once,
// and for blocks at both ends.
TEST(Traffic, VersionsOfArraysThatLieSideBySide) {
  memory_options o = roomy();
  o.most_notices = 1;  // one notice for all that was written
  o.stamps_at_once = true;
  token token_of_writer;
  on_simulated_ranks(3, o, [&](int rank, transport& net, memory& m) {
    constexpr std::size_t n = 6 * 4 * kib;
    std::vector<global::vector<char>> arrays;
    for (int i = 0; i != 4; ++i) arrays.emplace_back(n);
    const auto sum = [&](std::size_t i) {
      const auto x = global::checkout(arrays[i].view(), global::read);
      return static_cast<std::size_t>(std::accumulate(x.begin(), x.end(), 0));
    };
    if (rank == 0) {
      for (std::size_t i = 0; i != arrays.size(); ++i) EXPECT_EQ(sum(i), 0U);
    }
    net.barrier();
    if (rank == 1) {
      // All of two neighbours, the last byte of the first, the first of the last.
      for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
        const auto x = global::checkout(arrays[i].view(), global::write);
        std::fill(x.begin(), x.end(), static_cast<char>(1));
      }
      global::put(arrays[0].end() - 1, 1);
      global::put(arrays[3].begin(), 1);
      token_of_writer = m.release();
    }
    net.barrier();
    if (rank == 0) {
      m.acquire(token_of_writer);
      const memory_counts before = m.counts();
      EXPECT_EQ(sum(0), 1U);
      EXPECT_EQ(sum(1), n);
      EXPECT_EQ(sum(2), n);
      EXPECT_EQ(sum(3), 1U);
      // Rank 0 has two of six blocks of each array at home.
      EXPECT_EQ(m.counts().version_checks - before.version_checks, 16U);
      EXPECT_EQ(m.counts().unchanged - before.unchanged, 7U);
    }
  });
}

TEST(Traffic, WhatIsDoubtedTwiceIsAskedForItsVersion) {
  memory_options o = roomy();
  o.most_notices = 4;  // of a release of 16 pieces nothing but "everything" is told
  constexpr int rounds = 4;
  constexpr std::size_t n = 3 * 1024 * kib;
  constexpr std::size_t others = n / 3 * 2;
  std::array<token, rounds> tokens;
  on_simulated_ranks(3, o, [&](int rank, transport& net, memory& m) {
    const global::vector<char> v(n);
    for (int round = 0; round != rounds; ++round) {
      const memory_counts before = m.counts();
      for (std::size_t lo = 0; rank == 0 && lo != n; lo += 64 * kib) {
        const auto x = global::checkout(v.view().subview(lo, 64 * kib), global::read);
        EXPECT_EQ(x[4 * kib - 1], lo % (192 * kib) == 0 ? round : 0);
      }
      const std::uint64_t fetched = m.counts().fetched_bytes - before.fetched_bytes;
      const std::uint64_t asked = m.counts().version_checks - before.version_checks;
      if (rank == 0 && round < 2) {  // new, and doubted for the first time
        EXPECT_EQ(asked, 0U);
        EXPECT_EQ(fetched, others);
      } else if (rank == 0) {  // all is found unchanged but what rank 1 wrote
        EXPECT_GE(asked, others / (4 * kib) - 16);
        EXPECT_LE(fetched, 16 * 4 * kib);
      }
      net.barrier();
      if (rank == 1) {
        for (std::size_t lo = 0; lo != n; lo += 192 * kib)
          std::ranges::fill(global::checkout(v.view().subview(lo, 4 * kib), global::write),
                            static_cast<char>(round + 1));
        tokens[static_cast<std::size_t>(round)] = m.release();
      }
      net.barrier();
      if (rank == 0) m.acquire(tokens[static_cast<std::size_t>(round)]);
    }
  });
}

/// Sweeps over a plate whose halves two ranks update; what a rank fetches in each but the first.
TEST(Traffic, ASweepFetchesItsHalo) {
  constexpr std::size_t rows = 64;
  constexpr std::size_t columns = 1000;
  constexpr int sweeps = 10;
  std::array<token, 2> tokens;
  on_simulated_ranks(2, roomy(), [&](int rank, transport& net, memory& m) {
    const global::vector<double> a(rows * columns);
    const global::vector<double> b(rows * columns);
    std::uint64_t after_first = 0;
    for (int sweep = 0; sweep != sweeps; ++sweep) {
      const auto from = (sweep % 2 == 0 ? a : b).view();
      const auto to = (sweep % 2 == 0 ? b : a).view();
      const std::size_t first = rank == 0 ? 1 : rows / 2;
      const std::size_t last = rank == 0 ? rows / 2 : rows - 1;
      for (std::size_t r = first; r != last; ++r) {
        auto [in, out] = global::checkout_all(
            global::request(from.subview((r - 1) * columns, 3 * columns), global::read),
            global::request(to.subview(r * columns, columns), global::write));
        for (std::size_t c = 0; c != columns; ++c)
          out[c] = (in[c] + in[c + columns] + in[c + 2 * columns] + 1) / 3;
      }
      tokens[static_cast<std::size_t>(rank)] = m.release();
      net.barrier();
      m.acquire(tokens[static_cast<std::size_t>(1 - rank)]);
      net.barrier();
      if (sweep == 1) after_first = m.counts().fetched_bytes;  // both plates have been met
    }
    const std::uint64_t halos = (sweeps - 2) * columns * sizeof(double);
    EXPECT_LE(m.counts().fetched_bytes - after_first, halos * 12 / 10) << "rank " << rank;
  });
}

}  // namespace
}  // namespace kasuri::test
