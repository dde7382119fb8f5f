// SPDX-License-Identifier: Apache-2.0
// Values of all ranks put together, by the public functions on the simulated network, against
// serial folds: small ones, that travel with the announcement, and large ones.

#include "kasuri/global/collective.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/jittery_network.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/global/run.hpp"
#include "many_ranks.hpp"

namespace kasuri::cluster {
namespace {

using test::on_ranks;

/// x -> a x + b: composition does not commute. So many bytes that the value is small or large.
template <std::size_t Words>
struct line {
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  std::array<std::uint64_t, Words> more{};

  friend bool operator==(const line&, const line&) = default;
};

template <class Line>
Line after(const Line& f, const Line& g) {
  Line both{f.a * g.a, f.a * g.b + f.b, {}};
  for (std::size_t i = 0; i != both.more.size(); ++i) both.more[i] = f.more[i] + g.more[i];
  return both;
}

template <class Line>
Line value_of(int rank, std::uint32_t round) {
  Line l{
      2 * static_cast<std::uint32_t>(rank) + 3, 7 * static_cast<std::uint32_t>(rank) + round, {}};
  for (std::size_t i = 0; i != l.more.size(); ++i)
    l.more[i] = static_cast<std::uint64_t>(rank + 1) * (i + round);
  return l;
}

/// The combination of the values of ranks [0, last].
template <class Line>
Line fold(int last, std::uint32_t round) {
  Line sum = value_of<Line>(0, round);
  for (int r = 1; r <= last; ++r) sum = after(sum, value_of<Line>(r, round));
  return sum;
}

template <class Line>
void all_of_them(int ranks, std::uint64_t seed) {
  on_ranks(kasuri::test::jittery_network(ranks, seed), {}, [&](int rank) {
    const auto op = [](const Line& f, const Line& g) { return after(f, g); };
    for (std::uint32_t round = 0; round != 6; ++round) {
      test::spend(static_cast<std::uint64_t>((rank * 7 + static_cast<int>(round)) % 5) * 10'000);
      const Line mine = value_of<Line>(rank, round);
      const int root = static_cast<int>(round) % ranks;
      EXPECT_EQ(global::broadcast(mine, root), value_of<Line>(root, round));
      const Line reduced = global::reduce(mine, op, root);
      if (rank == root)
        EXPECT_EQ(reduced, fold<Line>(ranks - 1, round));
      else
        EXPECT_EQ(reduced, mine);
      EXPECT_EQ(global::all_reduce(mine, op), fold<Line>(ranks - 1, round));
      EXPECT_EQ(global::scan(mine, op), fold<Line>(rank, round));
      const Line init{5, 6, {}};
      const Line before = global::exclusive_scan(mine, init, op);
      EXPECT_EQ(before, rank == 0 ? init : after(init, fold<Line>(rank - 1, round)));
    }
  });
}

class Values : public testing::TestWithParam<int> {};

TEST_P(Values, AreCombinedInTheOrderOfRanks) {
  for (std::uint64_t seed = 1; seed != 5; ++seed) {
    all_of_them<line<0>>(GetParam(), seed);    // 8 bytes
    all_of_them<line<15>>(GetParam(), seed);   // 128, the most that are small
    all_of_them<line<16>>(GetParam(), seed);   // the least that are large
    all_of_them<line<600>>(GetParam(), seed);  // more than a page
  }
}

TEST_P(Values, OfManySizesShareOneWindow) {
  on_ranks(kasuri::test::jittery_network(GetParam(), 2), {}, [&](int rank) {
    const auto check = [&]<std::size_t Words>(std::integral_constant<std::size_t, Words>) {
      using of_size = line<Words>;
      const auto op = [](const of_size& f, const of_size& g) { return after(f, g); };
      EXPECT_EQ(global::all_reduce(value_of<of_size>(rank, Words), op),
                fold<of_size>(GetParam() - 1, Words));
    };
    for (int i = 0; i != 3; ++i) {
      check(std::integral_constant<std::size_t, 20>{});
      check(std::integral_constant<std::size_t, 2000>{});  // a larger one takes its place
      check(std::integral_constant<std::size_t, 100>{});
      check(std::integral_constant<std::size_t, 0>{});
    }
  });
}

TEST_P(Values, OfDoublesHaveTheSameBitsEverywhereAndEachTime) {
  const int ranks = GetParam();
  std::vector<double> sums;
  for (std::uint64_t seed = 1; seed != 4; ++seed) {
    on_ranks(kasuri::test::jittery_network(ranks, seed), {}, [&](int rank) {
      struct wide {
        double x;
        std::array<double, 20> more;
      };
      const double mine = 1.0 / (1 + rank);
      sums.push_back(global::all_reduce(mine, [](double a, double b) { return a + b; }));
      const wide all = global::all_reduce(
          wide{mine, {}}, [](const wide& a, const wide& b) { return wide{a.x + b.x, {}}; });
      EXPECT_EQ(global::broadcast(all.x), all.x);
    });
  }
  for (const double sum : sums) EXPECT_EQ(sum, sums[0]);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Values, testing::Values(1, 2, 3, 4, 5, 8, 13));

// Messages of a large value, beside the exchange that each call begins with: at most one a round.
TEST(ValuesOfManyRanks, TakeMessagesAsTheLogarithmOfTheRanks) {
  using large = line<30>;
  const auto op = [](const large& f, const large& g) { return after(f, g); };
  for (const int ranks : {16, 256}) {
    simulation sim(kasuri::test::jittery_network(ranks, 1));
    no_coherence memory;
    std::uint64_t first = 0;
    sim.run([&](int rank, transport& net) {
      simulated_rank me(sim, rank, memory, {});
      global::scan(value_of<large>(rank, 1), op);  // makes the window
      net.barrier();
      if (rank == 0) first = sim.traffic().puts;
      net.barrier();
      global::scan(value_of<large>(rank, 2), op);
      net.barrier();
      if (rank == 0) {
        const std::uint64_t rounds = ranks == 16 ? 4 : 8;
        EXPECT_LE(sim.traffic().puts - first, rounds * static_cast<std::uint64_t>(ranks));
        first = sim.traffic().puts;
      }
      net.barrier();
      global::reduce(value_of<large>(rank, 3), op, 1);
      net.barrier();
      if (rank == 0) {
        EXPECT_EQ(sim.traffic().puts - first, static_cast<std::uint64_t>(ranks));
      }
      net.barrier();
    });
  }
}

TEST(ValuesRefused, InATaskAndForRanksThatThereAreNot) {
  const auto said_by = [](auto f) -> std::string {
    try {
      f();
    } catch (const global::error& e) {
      return e.what();
    }
    return "nothing";
  };
  on_ranks(kasuri::test::jittery_network(3, 1), {}, [&](int) {
    const auto sum = [](int a, int b) { return a + b; };
    EXPECT_NE(
        said_by([&] { global::broadcast(1, 3); }).find("rank 3 as the root; accepted: 0 to 2"),
        std::string::npos);
    EXPECT_NE(said_by([&] { global::reduce(1, sum, -1); }).find("rank -1 as the root"),
              std::string::npos);
    const bool refused = global::run([=] {
      try {
        global::all_reduce(1, sum);
      } catch (const global::error& e) {
        return std::string(e.what()).find(
                   "global::all_reduce of the ranks' values: used inside a "
                   "task") != std::string::npos;
      }
      return false;
    });
    EXPECT_TRUE(refused);
    EXPECT_EQ(global::all_reduce(1, sum), 3);
  });
}

}  // namespace
}  // namespace kasuri::cluster
