// SPDX-License-Identifier: Apache-2.0
// Graphs of which the time on P workers is known, on a machine where nothing but work takes time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "simulate/machines.hpp"
#include "simulate/virtual_pool.hpp"
#include "unit/simulate/nothing_costs.hpp"

namespace kasuri::simulate {
namespace {

double time_of(const graph& g, int workers, const cost_model& costs = nothing_costs()) {
  const platform::topology machine = machine_of(std::to_string(workers) + "x1");
  const run_result r =
      pool(g, machine, costs, {.by = policy::near, .workers = workers, .sweeps = 1}).run();
  EXPECT_EQ(r.twice, 0u);
  EXPECT_NEAR(r.busy, g.total_work(), 1e-9 * g.total_work());
  return r.time;
}

/// As a loop of spawns: one of `tasks` is called, the rest is what a thief may take.
std::uint32_t one_by_one(graph& g, const std::vector<std::uint32_t>& tasks) {
  std::uint32_t rest = tasks.back();
  for (std::size_t i = tasks.size() - 1; i-- > 0;) rest = g.fork(0, tasks[i], rest);
  return rest;
}

std::uint32_t halved(graph& g, int tasks, double work) {
  if (tasks == 1) return g.leaf(work);
  const std::uint32_t second = halved(g, tasks / 2, work);
  const std::uint32_t first = halved(g, tasks - tasks / 2, work);
  return g.fork(0, first, second);
}

graph rooted(graph g, std::uint32_t root) {
  g.announce_work();
  g.set_root(root);
  return g;
}

constexpr int worker_counts[] = {1, 2, 3, 4, 7, 16, 48};

TEST(Optimum, AChainTakesAsLongOnAnyNumber) {
  graph g("chain");
  std::uint32_t next = g.leaf(10);
  for (int i = 0; i != 99; ++i) next = g.step(10, next);
  const graph chain = rooted(std::move(g), next);
  for (const int p : worker_counts) EXPECT_DOUBLE_EQ(time_of(chain, p), 1000) << p;
}

TEST(Optimum, IndependentTasksTakeTheirRounds) {
  for (const int tasks : {1, 2, 5, 12, 48, 100}) {
    graph g("tasks");
    const std::uint32_t root = halved(g, tasks, 1000);
    const graph all = rooted(std::move(g), root);
    for (const int p : worker_counts)
      EXPECT_DOUBLE_EQ(time_of(all, p), 1000 * std::ceil(tasks / double(p))) << tasks << ' ' << p;
  }
}

// P (P - 1) tasks of one unit, then one of P units: a greedy schedule in that order takes 2 P - 1,
// the best one P (Graham 1966: no greedy one is worse).
TEST(Optimum, ALongTaskThatBeginsLastTakesGrahamsBound) {
  for (const int p : {2, 3, 4, 8}) {
    graph g("late");
    std::vector<std::uint32_t> tasks;
    tasks.push_back(g.leaf(p));
    for (int i = 0; i != p * (p - 1); ++i) tasks.push_back(g.leaf(1));
    std::ranges::reverse(tasks);
    const std::uint32_t late = one_by_one(g, tasks);
    EXPECT_DOUBLE_EQ(time_of(rooted(g, late), p), 2 * p - 1) << p;

    graph h("early");
    std::ranges::reverse(tasks);
    tasks.assign(1, h.leaf(p));
    for (int i = 0; i != p * (p - 1); ++i) tasks.push_back(h.leaf(1));
    const std::uint32_t early = one_by_one(h, tasks);
    EXPECT_DOUBLE_EQ(time_of(rooted(h, early), p), p) << p;
  }
}

// Graham's example (1969): tasks of 3, 2, 2, 2, 4, 4, 4, 4, 9; the first before the last, the
// fourth before the four of 4. By a list it takes 12 on three, 15 on four, 13 with each shortened
// by one. A worker that ends a task goes on with what follows it here, so that the longest chain
// never waits: 12 and 12, and 10.
TEST(Optimum, GrahamsAnomaliesDoNotOccurWhereChainsGoOn) {
  const auto example = [](double less) {
    graph g("anomaly");
    std::vector<std::uint32_t> fours;
    for (int i = 0; i != 4; ++i) fours.push_back(g.leaf(4 - less));
    const std::uint32_t fourth = g.step(2 - less, one_by_one(g, fours));
    const std::uint32_t first = g.step(3 - less, g.leaf(9 - less));
    const std::uint32_t second = g.leaf(2 - less);
    const std::uint32_t third = g.leaf(2 - less);
    const std::uint32_t root = one_by_one(g, {first, second, third, fourth});
    return rooted(std::move(g), root);
  };
  EXPECT_DOUBLE_EQ(time_of(example(0), 3), 12);
  EXPECT_DOUBLE_EQ(time_of(example(0), 4), 12);
  EXPECT_DOUBLE_EQ(time_of(example(1), 3), 10);
}

TEST(Optimum, ATreeIsBoundByItsPathAndItsWork) {
  // Each inner node works 8, both sides follow: the levels above the workers are not full.
  graph g("tree");
  std::vector<std::uint32_t> level;
  for (int i = 0; i != 64; ++i) level.push_back(g.leaf(8));
  while (level.size() > 1) {
    std::vector<std::uint32_t> above;
    for (std::size_t i = 0; i != level.size(); i += 2)
      above.push_back(g.fork(8, level[i], level[i + 1]));
    level = above;
  }
  const graph tree = rooted(std::move(g), level[0]);
  EXPECT_DOUBLE_EQ(time_of(tree, 1), 8 * 127);
  EXPECT_DOUBLE_EQ(time_of(tree, 2), 8 * (1 + 63));
  EXPECT_DOUBLE_EQ(time_of(tree, 4), 8 * (1 + 1 + 31));
  EXPECT_DOUBLE_EQ(time_of(tree, 64), 8 * 7);
}

// ---- loops -------------------------------------------------------------------------------------

graph loop_of(double work, std::uint64_t iterations, double longest, double place = 0.4) {
  graph g("loop");
  const std::uint32_t root = g.loop(work, iterations, {longest, place});
  g.set_root(root);
  return g;
}

TEST(Optimum, ALoopOnOneWorkerTakesItsWork) {
  for (const std::uint64_t n : {1, 2, 3, 10, 1000, 10'000'000})
    EXPECT_NEAR(time_of(loop_of(1e6, n, 0), 1), 1e6, 1) << n;
  EXPECT_NEAR(time_of(loop_of(1e6, 100, 5e5), 1), 1e6, 1);
}

TEST(Optimum, ALoopOfAsManyIterationsAsWorkersTakesOne) {
  for (const int p : worker_counts)
    EXPECT_DOUBLE_EQ(time_of(loop_of(1000.0 * p, static_cast<std::uint64_t>(p), 0), p), 1000) << p;
}

TEST(Optimum, ALoopIsSharedAmongAllWorkers) {
  for (const int p : worker_counts)
    for (const double longest : {0.0, 1e5, 2e6}) {
      const graph g = loop_of(1e7, 100'000, longest);
      const double least = std::max(1e7 / p, longest);
      const double time = time_of(g, p);
      EXPECT_GE(time, least * (1 - 1e-9)) << p;
      const double chunk = 2048 * 1e7 / 100'000;  // nobody waits for longer
      EXPECT_LE(time, 1e7 / p + longest + chunk) << p << ' ' << longest;
    }
}

// 63 of one unit and one of 33: where it comes first, the other worker has the rest.
TEST(Optimum, ALongIterationThatComesFirstIsHidden) {
  EXPECT_NEAR(time_of(loop_of(96, 64, 33, 0), 2), 48, 1);
  EXPECT_GT(time_of(loop_of(96, 64, 33, 0.45), 2), 55);
}

TEST(Optimum, LoopsStandBetweenOtherWork) {
  graph g("mixed");
  const std::uint32_t after = g.leaf(100);
  const std::uint32_t loop = g.loop(4000, 4, {}, after);
  const std::uint32_t root = g.step(50, loop);
  g.set_root(root);
  EXPECT_DOUBLE_EQ(g.total_work(), 4150);
  EXPECT_DOUBLE_EQ(g.longest_path(), 1150);
  EXPECT_DOUBLE_EQ(time_of(g, 1), 4150);
  EXPECT_DOUBLE_EQ(time_of(g, 4), 1150);
}

}  // namespace
}  // namespace kasuri::simulate
