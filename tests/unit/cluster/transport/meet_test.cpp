// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/meet.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <vector>

#include "cluster/transport/call_tree.hpp"
#include "cluster/transport/simulated/simulated.hpp"
#include "cluster/transport/tree_place.hpp"

namespace kasuri::cluster {
namespace {

TEST(TreePlace, EveryRankIsTheChildOfOne) {
  for (const int ranks : {1, 2, 3, 16, 17, 18, 100, 257, 300, 1000, 10'000}) {
    std::vector<int> parents(static_cast<std::size_t>(ranks), -1);
    std::vector<int> depth(static_cast<std::size_t>(ranks));
    for (int r = 0; r != ranks; ++r) {
      const tree_place at = tree_place::of(r, ranks);
      EXPECT_LE(at.children.size(), 16U);
      int seat = 0;
      for (const int c : at.children) {
        ASSERT_GT(c, r);
        ASSERT_LT(c, ranks);
        EXPECT_EQ(parents[static_cast<std::size_t>(c)], -1);
        parents[static_cast<std::size_t>(c)] = r;
        const tree_place of_child = tree_place::of(c, ranks);
        EXPECT_EQ(of_child.parent, r);
        EXPECT_EQ(of_child.seat, seat++);
        depth[static_cast<std::size_t>(c)] = depth[static_cast<std::size_t>(r)] + 1;
      }
    }
    EXPECT_EQ(std::ranges::count(parents, -1), 1);
    EXPECT_LE(*std::ranges::max_element(depth), ranks <= 17 ? 1 : ranks <= 289 ? 2 : 4);
  }
}

/// The ranks that have told it, as a sorted list; some tell nothing.
class names final : public carried {
 public:
  explicit names(std::uint64_t mine) {
    if (mine % 3 != 0) list_.push_back(mine);
  }
  void add(std::span<const std::byte> more) override {
    const std::size_t before = list_.size();
    list_.resize(before + more.size() / 8);
    std::memcpy(list_.data() + before, more.data(), more.size());
    std::ranges::sort(list_);
  }
  std::span<const std::byte> told() override { return std::as_bytes(std::span(list_)); }
  void learn(std::span<const std::byte> all) override {
    learned.resize(all.size() / 8);
    std::memcpy(learned.data(), all.data(), all.size());
  }
  std::vector<std::uint64_t> learned;

 private:
  std::vector<std::uint64_t> list_;
};

TEST(Meet, WhatRanksTellGetsToAllAndAnOutcomeDown) {
  for (const int ranks : {1, 2, 4, 17, 40, 300}) {
    for (const std::uint64_t jitter : {0U, 20'000U}) {
      simulation_options options;
      options.ranks = ranks;
      options.jitter_ns = jitter;
      simulation all(options);
      all.run([&](int rank, transport& net) {
        for (std::uint64_t round = 1; round != 6; ++round) {
          if (rank % 7 == static_cast<int>(round)) net.spend(100'000);
          const std::uint64_t base = round * 3000;
          names mine(base + static_cast<std::uint64_t>(rank));
          meet(net, {.what = collective_call::kind::run, .sizes = {100, round}}, &mine);
          if (ranks == 1) continue;
          std::vector<std::uint64_t> expected;
          for (std::uint64_t r = base; r != base + static_cast<std::uint64_t>(ranks); ++r)
            if (r % 3 != 0) expected.push_back(r);
          EXPECT_EQ(mine.learned, expected);
          if (rank == 0) {
            std::vector<std::byte> outcome(8 * (round - 1), static_cast<std::byte>(round));
            net.calls().hand_down(outcome);
            outcome.assign(outcome.size(), std::byte{99});  // it is copied
          } else {
            while (!net.calls().has_outcome()) net.nap(10'000);
            const std::vector<std::byte> outcome = net.calls().take_outcome();
            EXPECT_EQ(outcome,
                      std::vector<std::byte>(8 * (round - 1), static_cast<std::byte>(round)));
          }
          meet(net, {.what = collective_call::kind::file});  // with nothing
          EXPECT_EQ(net.entered().number, 2 * round);
          EXPECT_EQ(net.entered().what, collective_call::kind::file);
        }
      });
    }
  }
}

TEST(Meet, OfManyRanksTakesAFewTripsAndTwoWordsARank) {
  constexpr int ranks = 1000;
  simulation_options options;
  options.ranks = ranks;
  simulation all(options);
  std::uint64_t words = 0;
  all.run([&](int rank, transport& net) {
    meet(net, {.what = collective_call::kind::file});
    net.barrier();
    const std::uint64_t before = all.traffic().words;
    const std::uint64_t since = net.now_ns();
    meet(net, {.what = collective_call::kind::file});
    EXPECT_LE(net.now_ns() - since, 15'000U);
    net.barrier();
    if (rank == 0) words = all.traffic().words - before;
  });
  EXPECT_EQ(words, 2U * (ranks - 1));
  EXPECT_EQ(all.traffic().gets + all.traffic().puts, 0U);
}

}  // namespace
}  // namespace kasuri::cluster
