// SPDX-License-Identifier: Apache-2.0
// The machine as a tree, cut to the CPUs this process may use.
//
// Read once from /sys (topology_sys.hpp) into plain vectors, on first use, and never just to learn
// the number of workers (cpus.hpp). Only a machine that hwloc's own variables describe is read by
// hwloc, which is loaded for it (topology_hwloc.cpp): it takes milliseconds, and brings libraries
// of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace kasuri::platform {

/// A processing unit (hardware thread). Groups have numbers that are unique in the machine; -1 says
/// that the machine has no such group above this PU.
struct pu {
  int os_index = 0;   // the kernel's CPU number
  int core = -1;      // counted in the order of the tree, as hwloc's logical index
  int l3 = -1;        // the same
  int numa_node = 0;  // kernel's node number of the nearest memory
  int package = -1;   // the same
};

struct numa_node {
  int os_index = 0;
  std::uint64_t memory_bytes = 0;
  bool memory_only = false;  // no PU of the machine is nearest to it
  bool allowed = true;       // the cpuset control group lets us allocate here
};

/// How far apart two PUs are: the innermost part of the machine that holds both.
enum class closeness { same_pu, same_core, same_l3, same_numa_node, same_package, same_machine };

struct topology {
  std::vector<pu> pus;                // usable ones, in the order of the machine tree; never empty
  std::vector<numa_node> numa_nodes;  // all of the machine, ascending by os_index; never empty
  bool is_this_machine = true;        // false: described by HWLOC_SYNTHETIC or HWLOC_XMLFILE
  bool has_structure = true;          // false: nothing could be read: taken to be flat
};

/// The topology of this process, read on first use. Thread-safe. Never destroyed.
const topology& machine_topology();

/// Reads the topology anew. A machine described by HWLOC_SYNTHETIC, or by HWLOC_XMLFILE without
/// HWLOC_THISSYSTEM, is taken whole; this machine is cut to the calling thread's affinity mask.
/// Where a machine is described and hwloc is not to be had, one line says that the description is
/// not used.
topology read_topology();

/// The variable by which a user describes a machine to hwloc, where one is set; else null.
const char* variable_for_hwloc() noexcept;

/// The machine that is described to hwloc, whole, as hwloc reads it; nothing when hwloc is not to
/// be had, which is said in one line, or fails.
std::optional<topology> read_hwloc();

/// A machine without structure: the CPUs of the affinity mask, one NUMA node.
topology flat_topology();

/// Each level holds all the levels before it: PUs that share an L3 but not their NUMA node count as
/// same_package.
closeness closeness_of(const pu& a, const pu& b);

/// The PU of a worker: workers lie on the PUs in tree order and wrap round when they are more.
const pu& pu_of_worker(const topology& machine, int worker);

/// The other workers of 0..workers-1 in groups of equal closeness, nearest group first; no group is
/// empty. Within a group the order starts after `worker` and wraps round, so that idle workers do
/// not all try the same victim first.
std::vector<std::vector<int>> victim_order(const topology& machine, int worker, int workers);

}  // namespace kasuri::platform
