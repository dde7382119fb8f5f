// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "simulate/machines.hpp"
#include "simulate/simulate.hpp"
#include "simulate/virtual_pool.hpp"
#include "unit/simulate/nothing_costs.hpp"

namespace kasuri::simulate {
namespace {

constexpr policy all_policies[] = {policy::near, policy::random, policy::adws, policy::numa,
                                   policy::custom};

run_result simulated(const graph& g, const char* machine, int workers, policy by, int sweeps = 3,
                     std::uint64_t seed = 1, const cost_model& costs = {}) {
  const platform::topology t = machine_of(machine);
  return pool(g, t, costs,
              {.by = by, .lies = data::blocked, .workers = workers, .sweeps = sweeps, .seed = seed})
      .run();
}

/// A trace of a random tree, as an application writes it: parents first.
std::string random_trace(int tasks, std::uint64_t seed) {
  std::ostringstream out;
  out << "{\"id\": 0, \"parent\": -1, \"work\": 100}\n";
  for (int i = 1; i != tasks; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    out << "{\"id\": " << i << ", \"parent\": " << (seed >> 33) % static_cast<unsigned>(i)
        << ", \"work\": " << (seed >> 20) % 5000 << "}\n";
  }
  return out.str();
}

graph traced(const std::string& text) {
  std::istringstream from(text);
  return read_trace(from, "trace");
}

TEST(Simulate, EachStepRunsOncePerSweepUnderEachPolicy) {
  const graph graphs[] = {make_graph({.kind = "jacobi", .size = 100}),
                          make_graph({.kind = "cilksort", .size = 200'000}),
                          make_graph({.kind = "uts", .size = 6}),
                          make_graph({.kind = "fib", .size = 12}), traced(random_trace(500, 7))};
  for (const graph& g : graphs) {
    const std::uint64_t nodes = simulated(g, "1x1", 1, policy::near, 1).nodes;
    EXPECT_GT(nodes, g.forks());
    for (const policy by : all_policies)
      for (const int workers : {1, 2, 7, 48, 100}) {
        const run_result r = simulated(g, "48x8", workers, by);
        EXPECT_EQ(r.nodes, 3 * nodes) << g.name() << ' ' << workers << ' ' << static_cast<int>(by);
        EXPECT_EQ(r.twice, 0u);
        EXPECT_EQ(r.sweep_ends.size(), 3u);
        EXPECT_NEAR(r.busy, 3 * g.total_work(), 1e-6 * r.busy);
      }
  }
}

TEST(Simulate, OneWorkerTakesTheSumOfTheWork) {
  const graph g = make_graph({.kind = "uts", .size = 6});
  EXPECT_NEAR(simulated(g, "1x1", 1, policy::near, 1, 1, nothing_costs()).time, g.total_work(),
              1e-9 * g.total_work());
  // And of the forks: each costs a spawn.
  const double spawns = static_cast<double>(g.forks()) * cost_model{}.spawn;
  EXPECT_NEAR(simulated(g, "1x1", 1, policy::near, 1).time, g.total_work() + spawns, 1);
}

// Blumofe and Leiserson, JACM 1999: T1/P + O(Tinf); with stealing for nothing the constant is 1.
TEST(Simulate, GreedyBoundHolds) {
  for (const char* kind : {"jacobi", "cilksort", "uts"}) {
    const graph g = make_graph(
        {.kind = kind, .size = *kind == 'u' ? std::optional<std::int64_t>{7} : std::nullopt});
    for (const int workers : {2, 8, 48})
      for (const policy by : {policy::near, policy::random}) {
        const run_result r = simulated(g, "48x8", workers, by, 1, 1, nothing_costs());
        EXPECT_GE(r.time * (1 + 1e-9), std::max(g.total_work() / workers, g.longest_path()));
        EXPECT_LE(r.time, g.total_work() / workers + g.longest_path()) << kind << ' ' << workers;
      }
  }
}

TEST(Simulate, TheSameSeedIsTheSameRun) {
  const graph g = make_graph({.kind = "cilksort", .size = 1'000'000});
  for (const policy by : all_policies) {
    const run_result a = simulated(g, "48x8", 48, by, 2, 5);
    const run_result b = simulated(g, "48x8", 48, by, 2, 5);
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.probes, b.probes);
    EXPECT_EQ(a.last_worker, b.last_worker);
  }
  EXPECT_NE(simulated(g, "48x8", 48, policy::random, 2, 5).last_worker,
            simulated(g, "48x8", 48, policy::random, 2, 6).last_worker);
}

TEST(Simulate, BalancedJacobiStaysUnderAdws) {
  for (const int workers : {2, 8, 32}) {
    const graph g = make_graph({.kind = "jacobi", .size = 256});
    const run_result r = simulated(g, "32x4", workers, policy::adws, 10);
    EXPECT_EQ(r.revisits, 9u * 256);
    EXPECT_EQ(r.same_worker, r.revisits) << workers;
    for (int b = 0; b != 256; ++b)
      EXPECT_EQ(r.last_worker[static_cast<std::size_t>(b)], b * workers / 256);
  }
}

// Eight blocks of 1 ms, so that nothing is worth stealing. Root [0, 4): the forks over four, two
// and two workers are sent, those within a worker are not.
TEST(Simulate, AdwsPlacesAsWorkedOutByHand) {
  const graph g = make_graph({.kind = "jacobi", .size = 8, .work = 1e6});
  const run_result r = simulated(g, "4x1", 4, policy::adws, 1);
  EXPECT_EQ(r.routed, 3u);
  EXPECT_EQ(r.last_worker, (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
}

// The first four blocks work three times as long: 3/4 of the line are theirs, [0, 3). They split
// into [0, 1.5) and [1.5, 3), then [0, .75), [.75, 1.5), [1.5, 2.25), [2.25, 3); the others into
// halves and quarters of [3, 4). A block runs where its interval begins.
TEST(Simulate, AdwsFollowsSharesAsWorkedOutByHand) {
  const graph g = make_graph({.kind = "jacobi", .size = 8, .work = 1e6, .imbalance = 3});
  const run_result r = simulated(g, "4x1", 4, policy::adws, 1);
  // Sent: the forks over [0, 4), [0, 3), [0, 1.5) and [1.5, 3).
  EXPECT_EQ(r.routed, 4u);
  EXPECT_EQ(r.last_worker, (std::vector<int>{0, 0, 1, 2, 3, 3, 3, 3}));
}

TEST(Simulate, NumaRunsBlocksOnTheirNode) {
  const graph g = make_graph({.kind = "jacobi", .size = 512});
  const run_result numa = simulated(g, "48x8", 48, policy::numa, 5);
  const run_result random = simulated(g, "48x8", 48, policy::random, 5);
  EXPECT_LT(20 * numa.remote, numa.accesses);
  EXPECT_GT(2 * random.remote, random.accesses);
}

TEST(Simulate, MachinesAreThoseOfThePapers) {
  EXPECT_EQ(machine_of("opteron-6172").pus.size(), 48u);
  EXPECT_EQ(machine_of("opteron-6172").pus[47].numa_node, 7);
  EXPECT_EQ(machine_of("opteron-6172").pus[47].package, 3);
  EXPECT_EQ(machine_of("xeon-phi").pus.size(), 244u);
  EXPECT_EQ(machine_of("2432=cluster").numa_nodes.size(), 38u);
  EXPECT_EQ(machine_of("48x8").pus[6].numa_node, 1);
}

TEST(Simulate, TracesAreRead) {
  const graph g = traced(
      "{\"id\": 5, \"parent\": -1, \"work\": 10}\n"
      "{\"id\": 6, \"parent\": 5, \"work\": 20}\n"
      "{\"id\": 7, \"parent\": 5, \"work\": 30}\n"
      "{\"id\": 8, \"parent\": 5, \"work\": 40}\n"
      "{\"id\": 9, \"parent\": null, \"work\": 1}\n");
  EXPECT_EQ(g.total_work(), 101);
  EXPECT_EQ(g.longest_path(), 51);  // the second root is a phase of its own
  EXPECT_EQ(g.blocks(), 4);
}

TEST(Simulate, BadWordsAreRefusedInALineThatNamesThem) {
  const auto complaint = [](auto f) -> std::string {
    try {
      f();
    } catch (const bad_value& problem) {
      return problem.what();
    }
    return "nothing";
  };
  for (const char* name : {"0x1", "4x8", "x", "48x", "=cluster", "70000=cluster", "a:b"})
    EXPECT_TRUE(complaint([&] { machine_of(name); }).starts_with("--machine " + std::string(name)))
        << name;
  EXPECT_EQ(complaint([] { make_graph({.kind = "sort"}); }),
            "--graph sort: not known; accepted: jacobi, cilksort, uts, fib, amr:FILE");
  EXPECT_EQ(complaint([] { make_graph({.kind = "fib", .size = 99}); }),
            "--size 99: not possible for fib; accepted: 1 to 34");
  for (const std::string word :
       {"steal", "steal-far=", "steal-far=-1", "steel=4", "spawn=4x", "spawn=inf"})
    EXPECT_TRUE(complaint([&] { with_costs({}, {word}); }).starts_with("--cost " + word)) << word;
  EXPECT_EQ(with_costs({}, {"spawn=5", "remote=2e3"}).remote, 2000);
  for (const char* line : {"{}", "no", "{\"id\": 1, \"parent\": 4, \"work\": 1}",
                           "{\"id\": 1, \"parent\": 1, \"work\": 1}", "{\"id\": 1, \"parent\": -1}",
                           "{\"id\": 1, \"parent\": -1, \"work\": -2}", ""})
    EXPECT_TRUE(complaint([&] { traced(line); }).starts_with("--graph trace: line ")) << line;
}

TEST(Simulate, CommandRefusesWithStatusTwo) {
  request r;
  r.policies = {"best"};
  EXPECT_EQ(simulate_command(r), 2);
  r = {};
  r.sweeps = 0;
  EXPECT_EQ(simulate_command(r), 2);
  r = {};
  r.data = "far";
  EXPECT_EQ(simulate_command(r), 2);
  r = {};
  r.workers = -3;
  EXPECT_EQ(simulate_command(r), 2);
}

}  // namespace
}  // namespace kasuri::simulate
