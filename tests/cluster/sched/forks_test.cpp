// SPDX-License-Identifier: Apache-2.0
// Forks of many closures, groups of tasks and work at its data, on the simulated network.

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "cluster/jittery_network.hpp"
#include "cluster/memory/memory.hpp"
#include "cluster/simulated_memory.hpp"
#include "kasuri/global/tasks/at_home.hpp"
#include "kasuri/global/atomic.hpp"
#include "kasuri/global/checkout.hpp"
#include "kasuri/global/invoke.hpp"
#include "kasuri/global/parallel_for.hpp"
#include "kasuri/global/tasks/task_group.hpp"
#include "kasuri/global/vector.hpp"
#include "many_ranks.hpp"

namespace kasuri::cluster {
namespace {

using test::spend;
using test::this_rank;

/// body(rank) at each rank, with the scheduler and global memory started.
template <class Body>
test::outcome with_memory(int ranks, std::uint64_t seed, Body body) {
  test::outcome all;
  simulation sim(kasuri::test::jittery_network(ranks, seed));
  scheduler_options how;
  how.adws = seed % 3 == 0;
  how.seed = seed;
  sim.run([&](int rank, transport& net) {
    memory m(net, kasuri::test::small_memory());
    sim.process_of(rank).memory = &m;
    {
      simulated_rank me(sim, rank, m, how);
      body(rank);
      auto counted = me.scheduler().gather_counters();
      if (rank == 0) all.counters = std::move(counted);
      net.barrier();
    }
    sim.process_of(rank).memory = nullptr;
  });
  return all;
}

class Forks : public testing::TestWithParam<int> {
 protected:
  static constexpr std::uint64_t seeds = 7;
};

long busy(long value) {
  spend(50'000);
  return value;
}

TEST_P(Forks, OfManyClosuresReturnTheResultsInOrder) {
  for (std::uint64_t seed = 1; seed != seeds; ++seed) {
    const auto o = with_memory(GetParam(), seed, [](int) {
      const bool right = global::run([] {
        const auto three =
            global::parallel_invoke([] { return busy(1); }, [] { busy(0); }, [] { return 'c'; });
        static_assert(
            std::is_same_v<decltype(three), const std::tuple<long, std::monostate, char>>);
        const auto eight = global::parallel_invoke(
            [] { return busy(1); }, [] { return busy(2); }, [] { return 3.0; },
            global::share(5, [] { return busy(4); }), [] { return busy(5); }, [] { busy(0); },
            [] { return busy(7); }, [] { return busy(8); });
        const auto [a, b, c, d, e, f, g, h] = eight;
        static_cast<void>(f);
        static_assert(
            std::is_void_v<decltype(global::parallel_invoke([] {}, [] {}, [] {}, [] {}, [] {}))>);
        return std::get<0>(three) == 1 && std::get<2>(three) == 'c' && a == 1 && b == 2 &&
               c == 3.0 && d == 4 && e == 5 && g == 7 && h == 8;
      });
      EXPECT_TRUE(right);
    });
    if (GetParam() == 8) {
      EXPECT_GT(o.total().ran, 0u) << seed;
    }
  }
}

/// What the run throws, of whatever rank.
template <class F>
std::string thrown_by(F f) {
  try {
    global::run(f);
  } catch (const global::remote_exception& e) {
    return e.text();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "nothing";
}

TEST_P(Forks, OfManyClosuresThrowWhatTheFirstHasThrown) {
  for (std::uint64_t seed = 1; seed != seeds; ++seed) {
    with_memory(GetParam(), seed, [](int) {
      const auto fork = [](int bad) {
        return [bad] {
          const auto leaf = [bad](int i) {
            return [i, bad] {
              spend(30'000);
              if (i >= bad) throw std::runtime_error("leaf " + std::to_string(i));
              return i;
            };
          };
          global::parallel_invoke(leaf(0), leaf(1), leaf(2), leaf(3), leaf(4), leaf(5));
        };
      };
      EXPECT_EQ(thrown_by(fork(6)), "nothing");
      EXPECT_EQ(thrown_by(fork(5)), "leaf 5");
      const std::string text = thrown_by(fork(3));
      // Under adws the second half may go first.
      EXPECT_TRUE(text == "leaf 3" || text == "leaf 4" || text == "leaf 5") << text;
    });
  }
}

/// Random groups: how often each task of node `id` ran is counted in the array.
void grow(global::view<std::uint32_t> counts, std::uint64_t id, int left) {
  global::task_group group;
  const std::uint64_t children = (id * 0x9e3779b97f4a7c15u >> 60) % 6;
  for (std::uint64_t i = 0; left != 0 && i != children; ++i)
    group.run([=] { grow(counts, id * 7 + i, left - 1); });
  spend(id % 7 * 10'000);
  global::fetch_add(counts.begin() + static_cast<std::ptrdiff_t>(id % counts.size()), 1);
  if (id % 3 == 0) return;  // the end of the group waits
  group.wait();
}

void grow_serially(std::vector<std::uint32_t>& counts, std::uint64_t id, int left) {
  const std::uint64_t children = (id * 0x9e3779b97f4a7c15u >> 60) % 6;
  for (std::uint64_t i = 0; left != 0 && i != children; ++i)
    grow_serially(counts, id * 7 + i, left - 1);
  ++counts[id % counts.size()];
}

TEST_P(Forks, OfGroupsRunEachTaskOnce) {
  for (std::uint64_t seed = 1; seed != seeds; ++seed) {
    std::vector<std::uint32_t> expected(1024);
    grow_serially(expected, 11 + seed, 5);
    const auto o = with_memory(GetParam(), seed, [&](int rank) {
      const global::vector<std::uint32_t> counts(expected.size());
      global::run([v = counts.view(), seed] { grow(v, 11 + seed, 5); });
      if (rank != 0) return;
      for (std::size_t i = 0; i != expected.size(); ++i)
        ASSERT_EQ(global::get(counts.begin() + static_cast<std::ptrdiff_t>(i)), expected[i]) << i;
    });
    const auto t = o.total();
    EXPECT_EQ(t.ran, t.joined);
    EXPECT_EQ(t.posted, t.taken_back + t.steals);
  }
}

// Groups of one task whose ends interleave, with forks between.
TEST_P(Forks, OfSeveralGroupsEndInAnyOrder) {
  for (std::uint64_t seed = 1; seed != seeds; ++seed) {
    with_memory(GetParam(), seed, [](int) {
      const global::vector<std::uint32_t> counts(2000);
      const long sum = global::run([v = counts.view()] {
        const auto count = [v](std::ptrdiff_t i) {
          return [v, i] {
            spend(20'000);
            global::fetch_add(v.begin() + i, 1);
          };
        };
        global::task_group first;
        global::task_group second;
        long inner = 0;
        for (std::ptrdiff_t i = 0; i != 10; ++i) {
          first.run(count(i));
          second.run(count(1000 + i));
          const auto [a, b] = global::parallel_invoke([] { return busy(1); }, [] { return 2L; });
          inner += a + b;
        }
        first.wait();
        long early = 0;
        for (std::ptrdiff_t i = 0; i != 10; ++i) early += global::atomic_load(v.begin() + i);
        first.run(count(10));
        second.wait();
        first.wait();
        long all = inner;
        for (std::ptrdiff_t i = 0; i != 2000; ++i) all += global::atomic_load(v.begin() + i);
        return 1000 * all + early;
      });
      EXPECT_EQ(sum, 1000 * (30 + 21) + 10);
    });
  }
}

TEST_P(Forks, OfAGroupThrowAndAreCancelled) {
  for (std::uint64_t seed = 1; seed != seeds; ++seed) {
    with_memory(GetParam(), seed, [](int) {
      const auto throwing = [] {
        global::task_group group;
        for (int i = 0; i != 20; ++i)
          group.run([i] {
            spend(20'000);
            if (i == 7) throw std::out_of_range("task 7");
          });
        group.wait();
      };
      EXPECT_EQ(thrown_by(throwing), "task 7");
      const int ran = global::run([] {
        global::task_group group;
        group.cancel();
        if (!group.canceled()) return -1;
        group.wait();
        if (group.canceled()) return -2;
        const auto cell = global::allocate<std::uint32_t>(2);
        global::atomic_store(cell, 0);
        for (int i = 0; i != 5; ++i) group.run([cell] { global::fetch_add(cell, 1); });
        group.cancel();
        group.wait();
        const auto first = static_cast<int>(global::atomic_load(cell));
        group.run([cell] { global::fetch_add(cell, 100); });
        group.wait();
        const auto both = static_cast<int>(global::atomic_load(cell));
        global::deallocate(cell, 2);
        return both - first == 100 && first <= 5 ? 1 : -3;
      });
      EXPECT_EQ(ran, 1);
    });
  }
}

TEST_P(Forks, OfWorkAtItsDataRunThere) {
  for (std::uint64_t seed = 1; seed != seeds; ++seed) {
    const int ranks = GetParam();
    const auto o = with_memory(ranks, seed, [ranks](int) {
      const global::vector<std::uint32_t> array(1024 * static_cast<std::size_t>(ranks),
                                                global::cyclic(1024));
      const std::size_t elsewhere = global::run([v = array.view()] {
        std::size_t wrong = 0;
        for (std::uint32_t i = 0; i != 60; ++i) {
          const auto p = v.begin() + i * 37 % static_cast<std::ptrdiff_t>(v.size());
          const std::uint32_t before = global::get(p);
          const auto [rank, seen] = global::at_home(p, [p, i] {
            struct answer {
              int rank;
              std::uint32_t seen;
            };
            const answer a{this_rank(), global::get(p)};
            global::put(p, i);
            return a;
          });
          wrong += rank == global::home_of(p) ? 0 : 1;
          wrong += seen == before && global::get(p) == i ? 0 : 1;
        }
        return wrong;
      });
      EXPECT_EQ(elsewhere, 0u);
      EXPECT_EQ(thrown_by([v = array.view()] {
                  global::at_home(v.end() - 1, [] { throw std::range_error("at home"); });
                }),
                "at home");
    });
    if (ranks > 1) {
      EXPECT_GT(o.total().sent, 0u);
    }
    EXPECT_EQ(o.total().sent, o.total().received);
    EXPECT_EQ(o.total().ran, o.total().joined);
  }
}

// While no run goes on the ranks take no closures: a task keeps what it forks, and cannot send any.
TEST_P(Forks, OfATaskBetweenRunsStay) {
  for (std::uint64_t seed = 1; seed != seeds; ++seed) {
    const int ranks = GetParam();
    const auto o = with_memory(ranks, seed, [ranks](int rank) {
      const global::vector<int> array(1024 * static_cast<std::size_t>(ranks), global::cyclic(1024));
      global::run([] {});
      struct between {
        global::ptr<int> elsewhere;
        int ranks;
        long sum = 0;
        std::string error = {};
      } all{array.begin() + (rank + 1) % ranks * 1024, ranks};
      current_process->scheduler->pool().enter(
          [](void* arg) {
            auto& mine = *static_cast<between*>(arg);
            const auto [a, b, c] = global::parallel_invoke(
                [] { return busy(1); }, [] { return busy(2); }, [] { return busy(4); });
            mine.sum = a + b + c;
            if (mine.ranks == 1) return;
            try {
              global::at_home(mine.elsewhere, [] { return 0; });
            } catch (const global::error& e) {
              mine.error = e.what();
            }
          },
          &all);
      EXPECT_EQ(all.sum, 7);
      if (ranks > 1) {
        EXPECT_NE(all.error.find("used outside of global::run"), std::string::npos) << all.error;
      }
      global::run([] {});
    });
    EXPECT_EQ(o.total().posted, 0u);
    EXPECT_EQ(o.total().sent, 0u);
    EXPECT_EQ(o.total().ran, 0u);
  }
}

// A share without bound is none: the others still get theirs.
TEST_P(Forks, WithAShareWithoutBoundEnd) {
  for (std::uint64_t seed = 0; seed != seeds; ++seed) {
    with_memory(GetParam(), seed, [](int) {
      constexpr double endless = std::numeric_limits<double>::infinity();
      const long sum = global::run([] {
        const auto [a, b] = global::parallel_invoke(
            global::share(endless, [] { return busy(1); }), global::share(endless, [] {
              const auto [c, d] = global::parallel_invoke([] { return busy(2); },
                                                          global::share(3, [] { return busy(4); }));
              return c + d;
            }));
        return a + b;
      });
      EXPECT_EQ(sum, 7);
    });
  }
}

// All tasks send work everywhere, and what is sent forks: more than the inboxes hold.
TEST_P(Forks, OfWorkAtItsDataFromAllTasksEnd) {
  for (std::uint64_t seed = 1; seed != seeds; ++seed) {
    const int ranks = GetParam();
    with_memory(ranks, seed, [ranks](int) {
      const global::vector<std::uint32_t> array(1024 * static_cast<std::size_t>(ranks),
                                                global::cyclic(1024));
      global::run([v = array.view()] {
        global::parallel_for(0, 200, 1, [v](int lo, int) {
          const auto p = v.begin() + lo * 53 % static_cast<std::ptrdiff_t>(v.size());
          global::at_home(p, [v, p] {
            global::parallel_invoke(
                [p] { global::fetch_add(p, 1); },
                [v] { global::at_home(v.begin(), [v] { global::fetch_add(v.begin() + 1, 1); }); });
          });
        });
      });
      std::uint32_t sum = 0;
      for (std::ptrdiff_t i = 0; i != static_cast<std::ptrdiff_t>(array.size()); ++i)
        sum += global::atomic_load(array.begin() + i);
      EXPECT_EQ(sum, 400u);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Forks, testing::Values(1, 2, 3, 4, 5, 8));

TEST(AtHome, OutsideOfTasksIsRefusedWhereTheHomeIsElsewhere) {
  with_memory(2, 1, [](int rank) {
    const global::vector<int> array(4096);
    const auto mine = rank == 0 ? array.begin() : array.end() - 1;
    const auto other = rank == 0 ? array.end() - 1 : array.begin();
    EXPECT_EQ(global::at_home(mine, [] { return 5; }), 5);
    EXPECT_THROW(global::at_home(other, [] { return 5; }), global::error);
  });
}

}  // namespace
}  // namespace kasuri::cluster
