// SPDX-License-Identifier: Apache-2.0
#pragma once

// Dependences between the tasks of one parent (the depend clause).
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
// it. Two bits of the list's head say which of the two is over; whoever sets the second frees it.
//
// mutexinoutset. An entry has an exclusion: who holds it and a queue of nodes that want it. A task
// whose dependences are met takes all its exclusions in the order of their addresses, so that
// nobody waits in a circle; when one is taken it joins the queue, and whoever hands it the
// exclusion goes on for it. No member ever waits for that.

#include <cstddef>
#include <cstdint>
#include <span>

#include "omp/task/task_record.hpp"

namespace kasuri::omp {

enum class dependence_kind : std::uint8_t { in, out, mutexinoutset, inoutset, all_memory };

struct dependence {
  void* address;
  dependence_kind kind;
};

/// Gives a task that m creates its dependences. True: they are met, the caller may run or queue it.
/// False: it will be queued when they are; the caller must not touch it again.
/// The task is counted before the call.
bool depend(member& m, explicit_task& t, std::span<const dependence> on) noexcept;

/// Waits until a task that m's current one creates now, with these dependences, may begin. It is to
/// be a call, so that no later task can depend on it.
void wait_for_dependences(member& m, std::span<const dependence> on) noexcept;

/// The task has ended on a member, or on an event (null): releases who waited for it.
void release_successors(member* m, explicit_task& t) noexcept;

/// For race detectors: the task begins behind those that it had to wait for.
void order_behind_others(dependence_node& n) noexcept;

/// The task creates no more: forgets what its children depend on.
void drop_dependences(task& t) noexcept;

/// The same, but keeps the memory for the implicit task of the next region.
void reset_dependences(task& t) noexcept;

}  // namespace kasuri::omp
