// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where a member runs: the OS thread under it is bound to the member's place, and the member knows
// its NUMA node (place/nodes.hpp), where there are several.

#include "omp/team/member.hpp"

namespace kasuri::omp {

/// For bind_thread_of: the member has a place.
void bind_thread_to_place(const member& m) noexcept;

/// Binds the OS thread that runs the member to the member's place, where it has one.
inline void bind_thread_of(const member& m) noexcept {
  if (m.places.bound >= 0) [[unlikely]]
    bind_thread_to_place(m);
}

/// The member begins on the calling OS thread, or goes on there: finds out its node. A worker of
/// the pool is first bound to the CPUs of its node, where the user says nothing about binding: else
/// the kernel would move it away from its data. The initial thread is the program's and stays free.
void settle_on_node(member& m) noexcept;

/// The member's node, asked of the system again where it may have moved. The member's own.
int node_of(member& m) noexcept;

}  // namespace kasuri::omp
