// SPDX-License-Identifier: Apache-2.0
#pragma once

// The part of the line of workers that a task owns under almost deterministic work stealing, and
// the forks that span several workers.
//
// Most tasks own nothing: their interval lies inside one worker, and the plain deque serves them. A
// task whose interval spans several workers wears an extent (worker::range); while it does, every
// push of its worker takes the slow path and is routed (routing.cpp). So the fast path knows
// nothing of all this.

#include <atomic>

#include "kasuri/detail/frame.hpp"
#include "sched/rules/interval.hpp"

namespace kasuri::sched {

/// A fork whose interval spans several workers. The workers that take part in it steal from one
/// another, and from nobody else until it has joined. Shared by the parent and by each worker whose
/// innermost fork it is, or was when the worker last ran something.
struct span_fork {
  interval range;
  int depth = 0;                // forks around it, and one
  int root_worker = 0;          // the worker that stands for worker 0: see extent
  span_fork* parent = nullptr;  // holds a use of it
  std::atomic<int> users{1};
  std::atomic<bool> joined{false};
};

struct routed_fork;

/// The work of the two sides of a fork, in any unit.
struct shares {
  double first = 1;
  double rest = 1;
};

struct extent {
  interval in;
  /// The innermost fork that it is a side of; null for a root. Kept alive by that fork's parent
  /// task.
  span_fork* fork = nullptr;
  /// The fork of parallel_invoke whose first side it is, or null.
  routed_fork* by = nullptr;
  /// The guest that entered with the root stands for worker 0, whose token it has.
  int root_worker = 0;

  // The group that the task deals children of, until it waits.
  span_fork* dealing = nullptr;
  double total = 0;  // announced work; 0: none was, and each child goes to the next worker
  double given = 0;
  std::uint32_t dealt = 0;

  int depth() const noexcept { return fork == nullptr ? 0 : fork->depth; }
};

/// A parallel_invoke whose second side was routed.
struct routed_fork {
  detail::frame* second;
  extent* parent;
  extent first;
  span_fork* fork;
  int to;  // the worker in whose mailbox the second side was put
};

}  // namespace kasuri::sched
