// SPDX-License-Identifier: Apache-2.0
#include "platform/cpu/topology.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>

#include "platform/cpu/cpus.hpp"

namespace kasuri::platform {
namespace {

using groups = std::vector<std::vector<int>>;

// hwloc reads its variables at each load, so a test can describe a machine of its own.
topology described(const char* machine) {
  ::setenv("HWLOC_SYNTHETIC", machine, 1);
  topology read = read_topology();
  ::unsetenv("HWLOC_SYNTHETIC");
  return read;
}

TEST(topology, this_machine_is_cut_to_the_affinity_mask) {
  const topology machine = read_topology();
  EXPECT_TRUE(machine.is_this_machine);
  std::vector<int> cpus;
  for (const pu& unit : machine.pus) {
    cpus.push_back(unit.os_index);
  }
  std::ranges::sort(cpus);
  EXPECT_EQ(cpus, affinity_cpus());
  EXPECT_FALSE(machine.numa_nodes.empty());
}

TEST(topology, this_machine_is_the_one_that_hwloc_sees) {
  const topology machine = read_topology();
  ::setenv("HWLOC_COMPONENTS", "linux", 1);
  const topology oracle = read_topology();
  ::unsetenv("HWLOC_COMPONENTS");
  ASSERT_TRUE(machine.has_structure);
  ASSERT_EQ(machine.pus.size(), oracle.pus.size());
  for (std::size_t i = 0; i != oracle.pus.size(); ++i) {
    EXPECT_EQ(machine.pus[i].os_index, oracle.pus[i].os_index);
    EXPECT_EQ(machine.pus[i].core, oracle.pus[i].core);
    EXPECT_EQ(machine.pus[i].l3, oracle.pus[i].l3);
    EXPECT_EQ(machine.pus[i].numa_node, oracle.pus[i].numa_node);
    EXPECT_EQ(machine.pus[i].package, oracle.pus[i].package);
  }
  ASSERT_EQ(machine.numa_nodes.size(), oracle.numa_nodes.size());
  for (std::size_t i = 0; i != oracle.numa_nodes.size(); ++i) {
    EXPECT_EQ(machine.numa_nodes[i].os_index, oracle.numa_nodes[i].os_index);
    EXPECT_EQ(machine.numa_nodes[i].memory_bytes, oracle.numa_nodes[i].memory_bytes);
    EXPECT_EQ(machine.numa_nodes[i].memory_only, oracle.numa_nodes[i].memory_only);
    EXPECT_EQ(machine.numa_nodes[i].allowed, oracle.numa_nodes[i].allowed);
  }
}

TEST(topology, a_thread_bound_to_one_cpu_sees_one) {
  // In a thread of its own, because there is no way back from a binding that all tests share.
  std::thread([] {
    const int cpu = affinity_cpus().back();
    std::vector<cpu_set_t> mask(static_cast<std::size_t>(cpu) / CPU_SETSIZE + 1);
    const std::size_t bytes = mask.size() * sizeof(cpu_set_t);
    CPU_ZERO_S(bytes, mask.data());
    CPU_SET_S(cpu, bytes, mask.data());
    ASSERT_EQ(::sched_setaffinity(0, bytes, mask.data()), 0);
    EXPECT_EQ(affinity_cpus(), std::vector<int>{cpu});
    EXPECT_EQ(usable_cpus(), 1);
    const topology machine = read_topology();
    ASSERT_EQ(machine.pus.size(), 1u);
    EXPECT_EQ(machine.pus[0].os_index, cpu);
  }).join();
}

TEST(topology, usable_cpus_are_between_one_and_the_affinity_mask) {
  EXPECT_GE(usable_cpus(), 1);
  EXPECT_LE(usable_cpus(), static_cast<int>(affinity_cpus().size()));
  EXPECT_LE(static_cast<int>(affinity_cpus().size()), present_cpus());
}

TEST(topology, a_described_machine_is_taken_whole) {
  const topology machine = described("pack:2 numa:2 l3:1 core:2 pu:2");
  EXPECT_FALSE(machine.is_this_machine);
  ASSERT_EQ(machine.pus.size(), 16u);
  EXPECT_EQ(machine.numa_nodes.size(), 4u);
  const pu& last = machine.pus.back();
  EXPECT_EQ(last.core, 7);
  EXPECT_EQ(last.l3, 3);
  EXPECT_EQ(last.numa_node, 3);
  EXPECT_EQ(last.package, 1);
}

TEST(topology, closeness_is_the_innermost_common_part) {
  const topology machine = described("pack:2 numa:2 l3:2 core:2 pu:2");
  const pu& first = machine.pus[0];
  EXPECT_EQ(closeness_of(first, machine.pus[0]), closeness::same_pu);
  EXPECT_EQ(closeness_of(first, machine.pus[1]), closeness::same_core);
  EXPECT_EQ(closeness_of(first, machine.pus[2]), closeness::same_l3);
  EXPECT_EQ(closeness_of(first, machine.pus[4]), closeness::same_numa_node);
  EXPECT_EQ(closeness_of(first, machine.pus[8]), closeness::same_package);
  EXPECT_EQ(closeness_of(first, machine.pus[16]), closeness::same_machine);
  EXPECT_EQ(closeness_of(machine.pus[16], first), closeness::same_machine);
}

TEST(topology, a_node_of_several_l3_keeps_its_place) {
  const topology machine = described("pack:1 numa:2 l3:2 core:1 pu:1");
  ASSERT_EQ(machine.pus.size(), 4u);
  EXPECT_EQ(machine.pus[1].numa_node, 0);
  EXPECT_EQ(machine.pus[2].numa_node, 1);
}

TEST(topology, parts_that_a_machine_lacks_are_not_shared) {
  const topology machine = described("pack:2 core:2 pu:1");
  EXPECT_EQ(machine.pus[0].l3, -1);
  EXPECT_EQ(closeness_of(machine.pus[0], machine.pus[1]), closeness::same_numa_node);
  EXPECT_EQ(closeness_of(machine.pus[0], machine.pus[2]), closeness::same_machine);
}

TEST(topology, memory_without_cpus_is_told_apart) {
  const topology machine =
      described("pack:2 [numa(memory=4294967296)] [numa(memory=1073741824)] core:2 pu:1");
  ASSERT_EQ(machine.numa_nodes.size(), 4u);
  EXPECT_EQ(std::ranges::count(machine.numa_nodes, true, &numa_node::memory_only), 2);
  for (const numa_node& node : machine.numa_nodes) {
    EXPECT_EQ(node.memory_bytes, node.memory_only ? 1ull << 30 : 4ull << 30);
  }
  EXPECT_EQ(machine.pus[0].numa_node, 0);
  EXPECT_EQ(machine.pus[3].numa_node, 2);
}

TEST(topology, a_machine_without_structure_has_every_cpu_and_one_node) {
  const topology machine = flat_topology();
  EXPECT_FALSE(machine.has_structure);
  EXPECT_EQ(machine.pus.size(), affinity_cpus().size());
  EXPECT_EQ(machine.numa_nodes.size(), 1u);
}

TEST(topology, is_flat_when_hwloc_fails) {
  ::setenv("HWLOC_COMPONENTS", "-all,stop", 1);
  const topology machine = read_topology();
  ::unsetenv("HWLOC_COMPONENTS");
  EXPECT_FALSE(machine.has_structure);
  EXPECT_EQ(machine.pus.size(), affinity_cpus().size());
}

TEST(victim_order, groups_the_others_nearest_first) {
  const topology machine = described("pack:2 l3:2 core:2 pu:1");
  EXPECT_EQ(victim_order(machine, 0, 8), (groups{{1}, {2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(victim_order(machine, 6, 8), (groups{{7}, {4, 5}, {0, 1, 2, 3}}));
}

TEST(victim_order, starts_after_the_worker_in_each_group) {
  const topology machine = described("pack:1 l3:1 core:4 pu:1");
  EXPECT_EQ(victim_order(machine, 2, 4), (groups{{3, 0, 1}}));
}

TEST(victim_order, workers_wrap_round_the_pus) {
  const topology machine = described("pack:2 core:1 pu:1");
  EXPECT_EQ(victim_order(machine, 1, 5), (groups{{3}, {2, 4, 0}}));
  EXPECT_EQ(pu_of_worker(machine, 3).os_index, 1);
}

TEST(victim_order, names_each_other_worker_once) {
  const topology machine = described("pack:2 numa:2 l3:2 core:2 pu:2");
  for (int workers = 1; workers <= 70; ++workers) {
    for (int worker = 0; worker < workers; ++worker) {
      std::vector<int> all{worker};
      for (const auto& group : victim_order(machine, worker, workers)) {
        EXPECT_FALSE(group.empty());
        all.insert(all.end(), group.begin(), group.end());
      }
      std::ranges::sort(all);
      for (int i = 0; i < workers; ++i) {
        ASSERT_EQ(all.at(static_cast<std::size_t>(i)), i);
      }
      ASSERT_EQ(all.size(), static_cast<std::size_t>(workers));
    }
  }
}

}  // namespace
}  // namespace kasuri::platform
