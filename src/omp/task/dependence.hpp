// SPDX-License-Identifier: Apache-2.0
#pragma once

// Dependences between the tasks of one parent (the depend clause); run/depend.hpp has what members
// do with them.
//
// Table. Each task that creates dependent tasks has a hash table from addresses to the tasks that
// the next one must wait for: the last out, the set of those since that may run side by side (in,
// or mutexinoutset, or inoutset) and the set before it, of another kind. Only the executor touches
// it.
//
// Node. One for each dependent task: how many others it waits for, and a list of those that wait
// for it. A node enters the list of an unfinished one by compare-and-swap; when its task ends, the
// list is closed and everybody in it is released. Nobody locks anything, and there is nothing
// global.
//
// Memory. A node is kept by its task until that has ended, and by the table while an entry names
// it. Two bits of the list's head say which of the two is over; the thread that sets the second bit
// frees the node.
//
// mutexinoutset. An entry has an exclusion: whether a node holds it, and a queue of nodes that want
// it. A task with all dependences met takes all its exclusions in the order of their addresses, so
// that nobody waits in a circle; when one is taken it joins the queue, and the member that hands it
// the exclusion goes on for it. No member ever waits for that.

#include <cstdint>

#include "omp/task/task.hpp"

namespace kasuri::omp {

enum class dependence_kind : std::uint8_t { in, out, mutexinoutset, inoutset, all_memory };

struct dependence_node;

struct dependence {
  void* address;
  dependence_kind kind;
};

/// For race detectors: the task begins behind those that it had to wait for.
void order_behind_others(dependence_node& n) noexcept;

/// The task creates no more: forgets what its children depend on.
void drop_dependences(task& t) noexcept;

/// The same, but keeps the memory for the implicit task of the next region.
void reset_dependences(task& t) noexcept;

}  // namespace kasuri::omp
