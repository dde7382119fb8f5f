// SPDX-License-Identifier: Apache-2.0
// The scheduler on the simulated network: results against serial ones, every task once, what a
// steal costs, and that a seed replays.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <stdexcept>
#include <string>

#include "kasuri/global/parallel_for.hpp"
#include "many_ranks.hpp"
#include "support/scale.hpp"

namespace kasuri::cluster {
namespace {

using test::on_ranks;
using test::spend;
using test::this_rank;

std::uint64_t hash(std::uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9;
  return x ^ (x >> 32);
}

// How often each task of the computation that runs now has run. All ranks are in this process.
std::vector<int> runs_of;

/// A random tree of forks: node `id` with `left` levels below it at most.
std::uint64_t random_tree(std::uint64_t id, int left) {
  const std::uint64_t h = hash(id);
  ++runs_of[id % runs_of.size()];
  spend(h % 3000);
  if (left == 0 || h % 16 == 0) return h;
  const auto [a, b] = global::parallel_invoke([=] { return random_tree(2 * id, left - 1); },
                                              [=] { return random_tree(2 * id + 1, left - 1); });
  return hash(a) + 3 * b + h;
}

std::uint64_t serial_tree(std::uint64_t id, int left, std::vector<int>& runs) {
  const std::uint64_t h = hash(id);
  ++runs[id % runs.size()];
  if (left == 0 || h % 16 == 0) return h;
  const std::uint64_t a = serial_tree(2 * id, left - 1, runs);
  const std::uint64_t b = serial_tree(2 * id + 1, left - 1, runs);
  return hash(a) + 3 * b + h;
}

/// Messages are late by up to 20 us unless the seed is a multiple of three.
simulation_options hosts_of_up_to_four(int ranks, std::uint64_t seed) {
  simulation_options o;
  o.ranks = ranks;
  o.ranks_per_host = 1 + static_cast<int>(seed % 4);
  o.seed = seed;
  o.jitter_ns = seed % 3 == 0 ? 0 : 20'000;
  o.until_ns = 100'000'000'000;
  return o;
}

void check_balance(const test::outcome& o) {
  const global::rank_counters t = o.total();
  EXPECT_EQ(t.steals + t.received, t.ran);
  EXPECT_EQ(t.ran, t.joined);
  EXPECT_EQ(t.sent, t.received);
  EXPECT_EQ(t.posted, t.taken_back + t.steals);
  EXPECT_LE(t.most_steal_trips, 3u);
  EXPECT_EQ(t.steal_trips, 3 * t.steals);
  EXPECT_EQ(t.failed_trips, t.failed_probes);
}

class OnRanks : public testing::TestWithParam<int> {};

TEST_P(OnRanks, RandomTreesMatchSerialOnes) {
  const int ranks = GetParam();
  const int seeds = kasuri::test::scaled(40);
  for (int seed = 1; seed <= seeds; ++seed) {
    const int depth = 6 + seed % 6;
    const std::uint64_t root = hash(static_cast<std::uint64_t>(seed)) | 1;
    std::vector<int> serial_runs(4099);
    const std::uint64_t expected = serial_tree(root, depth, serial_runs);
    runs_of.assign(serial_runs.size(), 0);
    scheduler_options how;
    how.adws = seed % 4 == 0;
    std::vector<std::uint64_t> results(static_cast<std::size_t>(ranks));
    const auto o =
        on_ranks(hosts_of_up_to_four(ranks, static_cast<std::uint64_t>(seed)), how, [&](int rank) {
          results[static_cast<std::size_t>(rank)] =
              global::run([=] { return random_tree(root, depth); });
        });
    for (const std::uint64_t r : results) ASSERT_EQ(r, expected) << "seed " << seed;
    ASSERT_EQ(runs_of, serial_runs) << "seed " << seed;
    check_balance(o);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, OnRanks, testing::Values(1, 2, 3, 8, 64));

TEST(Simulated, WorkSpreads) {
  const auto o = on_ranks(hosts_of_up_to_four(16, 3), {}, [](int) {
    global::run([] { global::parallel_for(0, 1024, 1, [](int, int) { spend(100'000); }); });
  });
  EXPECT_GT(o.total().steals, 15u);
  // 102.4 ms of work: at most a third lost.
  EXPECT_LT(o.ns, 102'400'000u / 16 * 3 / 2);
  check_balance(o);
}

template <class Index>
void loop_over(Index first, Index last, std::size_t grain, std::size_t most_pieces) {
  static std::vector<int> times;
  static std::size_t pieces;
  const auto size = static_cast<std::size_t>(static_cast<std::int64_t>(last) - first);
  times.assign(size, 0);
  pieces = 0;
  on_ranks(hosts_of_up_to_four(4, 2), {}, [=](int) {
    global::run([=] {
      global::parallel_for(first, last, grain, [first](Index lo, Index hi) {
        spend(1000);
        ++pieces;
        for (std::int64_t i = lo; i != hi; ++i) ++times[static_cast<std::size_t>(i - first)];
      });
    });
  });
  EXPECT_EQ(std::ranges::count(times, 1), static_cast<std::ptrdiff_t>(size));
  EXPECT_LE(pieces, most_pieces);
}

TEST(Simulated, LoopsWithGrainsWiderThanTheirIndex) {
  loop_over<signed char>(-128, 127, 1000, 1);
  loop_over<signed char>(-128, 127, 256, 1);
  loop_over<signed char>(-128, 127, 200, 2);
  loop_over<unsigned char>(0, 255, std::size_t{1} << 40, 1);
  loop_over<short>(-32768, 32767, 65536 + 8, 1);
  loop_over<int>(-5, 5, ~std::size_t{0}, 1);
  loop_over<int>(-5, 5, 0, 10);
}

TEST(Simulated, ASeedReplays) {
  const auto once = [](std::uint64_t seed) {
    runs_of.assign(64, 0);
    return on_ranks(hosts_of_up_to_four(7, seed), {},
                    [](int) { global::run([] { return random_tree(1, 10); }); })
        .digest;
  };
  EXPECT_EQ(once(5), once(5));
  EXPECT_NE(once(5), once(8));
}

TEST(Simulated, SeveralRunsFollowEachOther) {
  on_ranks(hosts_of_up_to_four(4, 1), {}, [](int) {
    for (int i = 0; i != 20; ++i)
      ASSERT_EQ(global::run([=] {
                  const auto [a, b] = global::parallel_invoke([=] { return i; },
                                                              [=] { return spend(5000), 2 * i; });
                  return a + b;
                }),
                3 * i);
  });
}

TEST(Simulated, RunsDoNotNest) {
  on_ranks(hosts_of_up_to_four(2, 1), {}, [](int) {
    const bool refused = global::run([] {
      try {
        global::run([] {});
      } catch (const global::error& e) {
        return std::string(e.what()).starts_with("global::run: called from inside a task");
      }
      return false;
    });
    EXPECT_TRUE(refused);
  });
}

/// Throws in the leaf `bad`, which is reached through several ranks.
int throwing(int low, int high, int bad) {
  if (high - low == 1) {
    spend(200'000);
    if (low == bad) throw std::out_of_range("leaf " + std::to_string(low));
    return 1;
  }
  const int middle = (low + high) / 2;
  const auto [a, b] = global::parallel_invoke([=] { return throwing(low, middle, bad); },
                                              [=] { return throwing(middle, high, bad); });
  return a + b;
}

TEST(Simulated, CountersAreNotForTasks) {
  on_ranks(hosts_of_up_to_four(4, 2), {}, [](int) {
    const bool refused = global::run([] {
      try {
        (void)global::counters();
      } catch (const global::error& e) {
        return std::string(e.what()).starts_with("global::counters: called from inside a task");
      }
      return false;
    });
    EXPECT_TRUE(refused);
  });
}

TEST(Simulated, ExceptionsArriveAtAllRanks) {
  int remote_at_root = 0;
  for (int bad = 0; bad != 32; ++bad) {
    int caught = 0;
    const auto o =
        on_ranks(hosts_of_up_to_four(4, static_cast<std::uint64_t>(bad)), {}, [&](int rank) {
          try {
            global::run([=] { return throwing(0, 32, bad); });
          } catch (const global::remote_exception& e) {
            EXPECT_EQ(e.type(), "std::out_of_range");
            EXPECT_EQ(e.text(), "leaf " + std::to_string(bad));
            ++caught;
            if (rank == 0) ++remote_at_root;
          } catch (const std::out_of_range& e) {
            EXPECT_EQ(rank, 0);
            EXPECT_EQ(e.what(), "leaf " + std::to_string(bad));
            ++caught;
          }
          // The next run is not disturbed.
          EXPECT_EQ(global::run([] { return throwing(0, 32, -1); }), 32);
        });
    EXPECT_EQ(caught, 4);
    EXPECT_EQ(o.total().steals, o.total().ran);
  }
  EXPECT_GT(remote_at_root, 0);
  EXPECT_LT(remote_at_root, 32);
}

TEST(Simulated, TheFirstClosuresExceptionWins) {
  on_ranks(hosts_of_up_to_four(2, 4), {}, [](int) {
    std::string text;
    try {
      global::run([] {
        global::parallel_invoke(
            [] {
              spend(500'000);
              throw std::runtime_error("first");
            },
            [] { throw std::runtime_error("second"); });
      });
    } catch (const global::remote_exception& e) {
      text = e.text();
    } catch (const std::runtime_error& e) {
      text = e.what();
    }
    EXPECT_EQ(text, "first");
  });
}

template <std::size_t Words>
struct load {
  std::array<std::uint64_t, Words> words;
};

/// A closure of `Words` words, stolen, that returns a sum; and one that returns much.
template <std::size_t Words>
void travel_with(int seed) {
  const auto o = on_ranks(hosts_of_up_to_four(3, static_cast<std::uint64_t>(seed)), {}, [](int) {
    const std::uint64_t sum = global::run([] {
      load<Words> l;
      for (std::size_t i = 0; i != Words; ++i) l.words[i] = hash(i);
      const auto [a, b] = global::parallel_invoke(
          [] {
            spend(1'000'000);
            return std::uint64_t{0};
          },
          [l] {
            std::uint64_t s = 0;
            for (const std::uint64_t w : l.words) s += w;
            return s;
          });
      return a + b;
    });
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i != Words; ++i) expected += hash(i);
    EXPECT_EQ(sum, expected);
  });
  EXPECT_EQ(o.total().steals, 1u);
  EXPECT_EQ(o.total().most_steal_trips, 3u);
}

TEST(Simulated, ClosuresOfAllSizesTravel) {
  travel_with<1>(1);
  travel_with<7>(2);
  travel_with<9>(3);
  travel_with<100>(4);
  travel_with<300>(5);
  travel_with<global::detail::largest_closure / 8>(6);
}

TEST(Simulated, LargeResultsTravel) {
  using many = load<global::detail::largest_result / 8>;
  on_ranks(hosts_of_up_to_four(2, 9), {}, [](int) {
    const std::uint64_t last = global::run([] {
      const auto [a, b] = global::parallel_invoke([] { return spend(1'000'000), 1; },
                                                  [] {
                                                    many m;
                                                    for (auto& w : m.words)
                                                      w = hash(&w - m.words.data());
                                                    return m;
                                                  });
      std::uint64_t wrong = 0;
      for (std::size_t i = 0; i != b.words.size(); ++i) wrong += b.words[i] != hash(i);
      return wrong;
    });
    EXPECT_EQ(last, 0u);
  });
}

int chain_down(int left) {
  if (left == 0) return 0;
  const auto [a, b] =
      global::parallel_invoke([=] { return chain_down(left - 1); }, [=] { return spend(200), 1; });
  return a + b;
}

TEST(Simulated, DeepRecursionLeavesMostForksAtHome) {
  simulation_options deep = hosts_of_up_to_four(4, 2);
  deep.stack_bytes = std::size_t{4} << 20;  // without optimisation a call takes more
  const auto o =
      on_ranks(deep, {}, [](int) { EXPECT_EQ(global::run([] { return chain_down(600); }), 600); });
  check_balance(o);
}

TEST(Simulated, WhatBlocksLeavesItsForksToOthers) {
  // The root's second fork is stolen; it waits for it with older forks open. They still get run.
  const auto o = on_ranks(hosts_of_up_to_four(2, 6), {}, [](int) {
    const int sum = global::run([] {
      const auto [a, b] = global::parallel_invoke(
          [] {
            const auto [c, d] = global::parallel_invoke([] { return spend(100'000), 1; },
                                                        [] { return spend(3'000'000), 2; });
            return c + d;
          },
          [] { return spend(100'000), 4; });
      return a + b;
    });
    EXPECT_EQ(sum, 7);
  });
  check_balance(o);
}

TEST(Simulated, QuietWhenThereIsNothing) {
  // One rank computes for a second and forks nothing: the others probe seldom.
  const auto o = on_ranks(hosts_of_up_to_four(32, 4), {},
                          [](int) { global::run([] { spend(1'000'000'000); }); });
  const auto t = o.total();
  EXPECT_EQ(t.steals, 0u);
  EXPECT_LT(t.failed_probes / 31, 12u + 5 + 10 + 1000 / 5);
}

TEST(Simulated, SleepersAreRungWhenWorkComes) {
  // All have been asleep for long when the work begins: their naps are longer than the work takes.
  scheduler_options how;
  how.longest_nap_ns = 1'000'000'000;
  const auto o = on_ranks(hosts_of_up_to_four(16, 4), how, [](int) {
    global::run([] {
      spend(3'000'000'000);
      global::parallel_for(0, 256, 1, [](int, int) { spend(1'000'000); });
    });
  });
  EXPECT_LT(o.ns, 3'000'000'000u + 2 * 16'000'000u);
}

TEST(Simulated, AThiefWaitsForNoLeaf) {
  // The victim sits in a leaf of 10 ms; what it has forked before starts elsewhere at once.
  static std::uint64_t started, forked;
  on_ranks(hosts_of_up_to_four(2, 3), {}, [](int) {
    global::run([] {
      spend(50'000'000);
      forked = current_process->network->now_ns();
      global::parallel_invoke([] { spend(10'000'000); },
                              [] { started = current_process->network->now_ns(); });
    });
  });
  EXPECT_LT(started - forked, 100'000u);
}

}  // namespace
}  // namespace kasuri::cluster
