// SPDX-License-Identifier: Apache-2.0
// The nodes of described machines, those of the papers among them, and where data lies on them.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "numa/nodes.hpp"
#include "support/papers_machines.hpp"

namespace kasuri::numa {
namespace {

using test::a64fx;
using test::machine_of;
using test::opteron;
using test::phi;
using test::xeon;

node_map described(const char* synthetic) { return node_map(machine_of(synthetic)); }

struct machine {
  const char* name;
  const char* text;
  int nodes;
  int cpus_of_a_node;
};

/// What a failure says of the row, which would be its bytes.
void PrintTo(const machine& m, std::ostream* out) { *out << m.name; }

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
                         testing::Values(machine{"xeon", xeon, 4, 9},
                                         machine{"opteron", opteron, 8, 6},
                                         machine{"phi", phi, 1, 244},
                                         machine{"a64fx", a64fx, 4, 12}),
                         [](const auto& row) { return std::string(row.param.name); });

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
