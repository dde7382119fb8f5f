// SPDX-License-Identifier: Apache-2.0
#pragma once

// A task's where: the NUMA node that it had better run on, found when it is made by where its data
// are.
//
//   1. its affinity clause: the node that most of the places named there lie on
//   2. its parent's where, so that a recursion stays where it began (Lee et al.;
//      docs/how-to/kastors.md)
//   3. its dependences: the node of the first place that it writes and whose node is known, else
//      that of most places that it reads
//
// Why a child's own output does not come before its parent's where: most of what a recursion writes
// is temporary memory. Nobody has touched it yet; or it lies where other memory lay that was freed
// a moment ago, and the table of pages still has that one's node.
//
// Ties go to the place that is named first. In machines with one node nothing is ever asked for.

#include <cstdint>
#include <span>

#include "omp/task/dependence.hpp"
#include "omp/task/task_record.hpp"

namespace kasuri::omp {

/// The node of an address, -1: unknown or no place to run at (node_that_holds).
using node_lookup = int (*)(const void* address) noexcept;

/// 3. of the list, or -1.
int where_by_dependences(std::span<const dependence> on, node_lookup node) noexcept;

/// The node of most of these addresses, or -1. Looks at the first 32 of them.
int node_of_most(std::span<const void* const> addresses, node_lookup node) noexcept;

/// 2. of the list, or -1.
int inherited_where(const explicit_task& t) noexcept;

/// 2. or 3. of the list, or -1.
int where_of(const explicit_task& t, std::span<const dependence> on, node_lookup node) noexcept;

/// A node as a task's where; -1 where its number is too large for one.
std::int8_t as_where(int node) noexcept;

}  // namespace kasuri::omp
