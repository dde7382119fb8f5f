// SPDX-License-Identifier: Apache-2.0
#pragma once

// On which NUMA node members run, and which node holds an address. A node is named by its index in
// numa::this_machine(); -1: none, or unknown.
//
// Where the machine has one node with CPUs, has_nodes() says no and nothing else here is asked.

#include <cstdint>

#include "omp/team/member.hpp"

namespace kasuri::omp {

/// Whether there are several nodes with CPUs and memory for tasks to choose from. The first call
/// reads the topology, which the pool has done before.
bool has_nodes() noexcept;

/// Indices are below this.
int node_count() noexcept;

/// The node that holds an address; -1 for nodes without CPUs, too.
int node_that_holds(const void* address) noexcept;

/// The member begins on the calling OS thread, or goes on there: finds out its node. A worker of
/// the pool is first bound to the CPUs of its node, where the user says nothing about binding: else
/// the kernel would move it away from its data. The initial thread is the program's and stays free.
void settle_on_node(member& m) noexcept;

/// The member's node, asked of the system again where it may have moved. The member's own.
int node_of(member& m) noexcept;

}  // namespace kasuri::omp
