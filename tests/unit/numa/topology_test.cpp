// SPDX-License-Identifier: Apache-2.0
// The nodes of described machines, those of the papers among them, where data lies on them, in which
// order their workers steal, and which nodes the ranges of a fork cover.
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <vector>

#include "numa/nodes.hpp"
#include "sched/interval.hpp"

namespace kasuri::numa {
namespace {

platform::topology machine_of(const char* synthetic) {
  ::setenv("HWLOC_SYNTHETIC", synthetic, 1);
  platform::topology read = platform::read_topology();
  ::unsetenv("HWLOC_SYNTHETIC");
  return read;
}

node_map described(const char* synthetic) { return node_map(machine_of(synthetic)); }

// Two Xeon E5-2699 v3, each as two clusters; four Opteron 6172 of two dies each; Xeon Phi 7120; A64FX.
constexpr const char* xeon =
    "Package:2 L3Cache:2(size=23592960) [NUMANode(memory=16GiB)] L2Cache:9(size=256KiB) "
    "L1dCache:1(size=32KiB) Core:1 PU:1";
constexpr const char* opteron =
    "Package:4 L3Cache:2(size=5118KiB) [NUMANode(memory=16GiB)] L2Cache:6(size=512KiB) "
    "L1dCache:1(size=64KiB) Core:1 PU:1";
constexpr const char* phi =
    "Package:1 [NUMANode(memory=16GiB)] L2Cache:61(size=512KiB) L1dCache:1(size=32KiB) Core:1 PU:4";
constexpr const char* a64fx =
    "Package:1 L2Cache:4(size=8MiB) [NUMANode(memory=8GiB)] L1dCache:12(size=64KiB) Core:1 PU:1";

struct machine {
  const char* text;
  int nodes;
  int cpus_of_a_node;
};

class papers : public testing::TestWithParam<machine> {};

TEST_P(papers, have_their_nodes) {
  const node_map map = described(GetParam().text);
  ASSERT_EQ(map.all().size(), static_cast<std::size_t>(GetParam().nodes));
  EXPECT_FALSE(map.has_choice()) << "nothing can be placed on a machine that is only described";
  for (int n = 0; n != GetParam().nodes; ++n) {
    EXPECT_EQ(map.all()[static_cast<std::size_t>(n)].number, n);
    EXPECT_EQ(map.all()[static_cast<std::size_t>(n)].cpus, GetParam().cpus_of_a_node);
    EXPECT_EQ(map.index_of(n), n);
    EXPECT_EQ(map.nearest_to(n * GetParam().cpus_of_a_node), n);
    EXPECT_EQ(map.nearest_to((n + 1) * GetParam().cpus_of_a_node - 1), n);
  }
}

INSTANTIATE_TEST_SUITE_P(machines, papers,
                         testing::Values(machine{xeon, 4, 9}, machine{opteron, 8, 6},
                                         machine{phi, 1, 244}, machine{a64fx, 4, 12}));

/// The node of each of `blocks` blocks of 64 KiB.
std::vector<int> nodes_of_blocks(const node_map& map, const distribution& d, std::size_t blocks) {
  constexpr std::size_t block = 64 * 1024;
  std::vector<int> of;
  for (std::size_t b = 0; b != blocks; ++b)
    of.push_back(d.node_at(b * block, blocks * block, map.round(), 4096));
  return of;
}

TEST(papers_data, blocks_of_rows) {
  EXPECT_EQ(nodes_of_blocks(described(xeon), distribution::blocked(), 8),
            (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(nodes_of_blocks(described(opteron), distribution::blocked(), 8),
            (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(nodes_of_blocks(described(phi), distribution::blocked(), 8),
            (std::vector<int>{0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(nodes_of_blocks(described(a64fx), distribution::blocked(), 6),
            (std::vector<int>{0, 0, 1, 2, 2, 3}));
}

TEST(papers_data, block_cyclic_columns_by_four) {
  const auto by_four = distribution::block_cyclic(4 * 64 * 1024);
  EXPECT_EQ(nodes_of_blocks(described(xeon), by_four, 18),
            (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0, 0}));
  EXPECT_EQ(nodes_of_blocks(described(opteron), by_four, 9),
            (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 2}));
}

TEST(papers_data, quadrants) {
  // A matrix of 4 x 4 blocks.
  constexpr std::size_t block = 64 * 1024;
  const auto quadrants = distribution::tiles(4, 4 * block, 2, 2 * block);
  EXPECT_EQ(nodes_of_blocks(described(xeon), quadrants, 16),
            (std::vector<int>{0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3}));
  EXPECT_EQ(nodes_of_blocks(described(a64fx), quadrants, 16),
            (std::vector<int>{0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3}));
  EXPECT_EQ(nodes_of_blocks(described(opteron), quadrants, 16),
            (std::vector<int>{0, 0, 1, 1, 0, 0, 1, 1, 4, 4, 5, 5, 4, 4, 5, 5}));
}

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
            (groups{from_to(14, 17) + from_to(12, 12), from_to(18, 23), from_to(24, 47) + from_to(0, 11)}));
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
  const auto all = sched::interval::of_workers(0, workers);
  std::vector<std::vector<int>> of;
  for (int i = 0; i != parts; ++i) {
    const sched::interval part = all.part(1.0 * i / parts, 1.0 * (i + 1) / parts);
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

TEST(node_map, data_goes_round_the_nodes_that_have_cpus) {
  const node_map map =
      described("pack:2 [numa(memory=4294967296)] [numa(memory=1073741824)] core:2 pu:1");
  ASSERT_EQ(map.all().size(), 4u);
  EXPECT_EQ(std::vector<int>(map.round().begin(), map.round().end()), (std::vector<int>{0, 2}));
  EXPECT_EQ(map.all()[1].cpus, 0);
  EXPECT_EQ(map.all()[3].cpus, 0);
}

/// Nodes 0 and 4 of one CPU each.
platform::topology two_nodes() {
  platform::topology machine;
  machine.pus = {{.os_index = 0, .numa_node = 0}, {.os_index = 9, .numa_node = 4}};
  machine.numa_nodes = {{.os_index = 0, .memory_bytes = 1}, {.os_index = 4, .memory_bytes = 1}};
  return machine;
}

TEST(node_map, numbers_with_gaps_have_indexes_without) {
  const node_map map(two_nodes());
  EXPECT_TRUE(map.has_choice());
  EXPECT_EQ(map.index_of(0), 0);
  EXPECT_EQ(map.index_of(4), 1);
  for (const int none : {-1, 1, 3, 5, 100000}) EXPECT_EQ(map.index_of(none), -1);
  EXPECT_EQ(map.nearest_to(9), 4);
  EXPECT_EQ(map.nearest_to(5), 0);
  EXPECT_EQ(map.nearest_to(-1), 0);
}

TEST(node_map, nodes_without_memory_or_of_others_are_left_out) {
  platform::topology machine = two_nodes();
  machine.numa_nodes[0].allowed = false;
  EXPECT_EQ(node_map(machine).numbers().size(), 1u);
  EXPECT_EQ(node_map(machine).numbers()[0], 4);
  EXPECT_EQ(node_map(machine).nearest_to(0), 4) << "the first there is";
  machine.numa_nodes[0].allowed = true;
  machine.numa_nodes[1].memory_bytes = 0;
  EXPECT_EQ(node_map(machine).numbers()[0], 0);
}

TEST(node_map, a_machine_without_structure_has_one_node) {
  const node_map map(platform::flat_topology());
  EXPECT_EQ(map.all().size(), 1u);
  EXPECT_FALSE(map.has_choice());
  EXPECT_GT(map.all()[0].cpus, 0);
}

}  // namespace
}  // namespace kasuri::numa
