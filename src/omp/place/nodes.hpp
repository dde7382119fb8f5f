// SPDX-License-Identifier: Apache-2.0
#pragma once

// The NUMA nodes of the machine, and which of them holds an address or is nearest to a CPU. A node
// is named by its index in numa::this_machine(); -1: none, or unknown.
//
// Where the machine has one node with CPUs, has_nodes() says no and nothing else here is asked.

namespace kasuri::omp {

/// Whether there are several nodes with CPUs and memory for tasks to choose from. The first call
/// reads the topology, which the pool has done before.
bool has_nodes() noexcept;

/// Indices are below this.
int node_count() noexcept;

/// The node that holds an address; -1 for nodes without CPUs, too.
int node_that_holds(const void* address) noexcept;

/// The node nearest to a CPU.
int node_nearest_to(int cpu) noexcept;

/// Whether all CPUs of a place (places.hpp) are nearest to one node.
bool place_is_within_a_node(int place) noexcept;

}  // namespace kasuri::omp
