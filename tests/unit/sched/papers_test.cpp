// SPDX-License-Identifier: Apache-2.0
// On the papers' machines: in which order workers steal, which nodes the ranges of a fork cover.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "platform/cpu/topology.hpp"
#include "sched/rules/interval.hpp"
#include "support/papers_machines.hpp"

namespace kasuri::sched {
namespace {

using test::a64fx;
using test::machine_of;
using test::opteron;
using test::phi;
using test::xeon;

/// a, a + 1, ... b.
std::vector<int> from_to(int a, int b) {
  std::vector<int> all(static_cast<std::size_t>(b - a + 1));
  std::iota(all.begin(), all.end(), a);
  return all;
}

std::vector<int> operator+(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

using groups = std::vector<std::vector<int>>;

TEST(papers_order, of_stealing_goes_from_the_cluster_to_the_socket_to_the_machine) {
  const platform::topology machine = machine_of(xeon);
  EXPECT_EQ(platform::victim_order(machine, 0, 36),
            (groups{from_to(1, 8), from_to(9, 17), from_to(18, 35)}));
  EXPECT_EQ(platform::victim_order(machine, 20, 36),
            (groups{from_to(21, 26) + from_to(18, 19), from_to(27, 35), from_to(0, 17)}));
}

TEST(papers_order, of_stealing_goes_from_the_die_to_the_package_to_the_machine) {
  const platform::topology machine = machine_of(opteron);
  EXPECT_EQ(platform::victim_order(machine, 13, 48),
            (groups{from_to(14, 17) + from_to(12, 12), from_to(18, 23),
                    from_to(24, 47) + from_to(0, 11)}));
  EXPECT_EQ(platform::victim_order(machine, 47, 48),
            (groups{from_to(42, 46), from_to(36, 41), from_to(0, 35)}));
}

TEST(papers_order, of_stealing_goes_from_the_core_to_the_ring) {
  const platform::topology machine = machine_of(phi);
  EXPECT_EQ(platform::victim_order(machine, 5, 244),
            (groups{{6, 7, 4}, from_to(8, 243) + from_to(0, 3)}));
}

TEST(papers_order, of_stealing_goes_from_the_memory_group_to_the_others) {
  const platform::topology machine = machine_of(a64fx);
  EXPECT_EQ(platform::victim_order(machine, 12, 48),
            (groups{from_to(13, 23), from_to(24, 47) + from_to(0, 11)}));
}

/// The nodes that the workers of each of `parts` equal parts of the machine are on.
std::vector<std::vector<int>> nodes_of_ranges(const platform::topology& machine, int parts) {
  const auto workers = static_cast<int>(machine.pus.size());
  const auto all = interval::of_workers(0, workers);
  std::vector<std::vector<int>> of;
  for (int i = 0; i != parts; ++i) {
    const interval part = all.part(1.0 * i / parts, 1.0 * (i + 1) / parts);
    std::vector<int> nodes;
    for (int w = part.first_worker(); w <= part.last_worker(); ++w) {
      const int node = platform::pu_of_worker(machine, w).numa_node;
      if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
    }
    of.push_back(nodes);
  }
  return of;
}

TEST(papers_ranges, of_equal_shares_are_nodes) {
  EXPECT_EQ(nodes_of_ranges(machine_of(xeon), 2), (groups{{0, 1}, {2, 3}}));
  EXPECT_EQ(nodes_of_ranges(machine_of(xeon), 4), (groups{{0}, {1}, {2}, {3}}));
  EXPECT_EQ(nodes_of_ranges(machine_of(opteron), 4), (groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(nodes_of_ranges(machine_of(opteron), 8),
            (groups{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}));
  EXPECT_EQ(nodes_of_ranges(machine_of(phi), 4), (groups{{0}, {0}, {0}, {0}}));
  EXPECT_EQ(nodes_of_ranges(machine_of(a64fx), 4), (groups{{0}, {1}, {2}, {3}}));
  // Three parts of four nodes: the middle one has a piece of two.
  EXPECT_EQ(nodes_of_ranges(machine_of(a64fx), 3), (groups{{0, 1}, {1, 2}, {2, 3}}));
}

}  // namespace
}  // namespace kasuri::sched
