// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// parlaylib on Kasuri: its loops and forks run on the workers of the pool. Needs parlaylib's
/// headers; include this one before all of them, in each source file (`-include
/// kasuri/adapters/parlay.hpp` does it for a whole program), and link with Kasuri.
///
/// Include order is all that it takes: parlaylib is told to use a back end of its own, whose file
/// it then skips because its include guard is set, and finds the functions below instead. A file
/// that includes parlaylib first is refused by an error.

#include "kasuri/detail/needs_cxx20.hpp"

#ifdef PARLAY_PARALLEL_H_
#error "include <kasuri/adapters/parlay.hpp> before the headers of parlaylib"
#endif
#if defined(PARLAY_CILKPLUS) || defined(PARLAY_OPENCILK) || defined(PARLAY_OPENMP) || \
    defined(PARLAY_TBB)
#error \
    "kasuri/adapters/parlay.hpp: another back end is chosen; accepted: none of PARLAY_CILKPLUS, \
PARLAY_OPENCILK, PARLAY_OPENMP, PARLAY_TBB"
#endif
#ifndef PARLAY_SEQUENTIAL
#define PARLAY_SEQUENTIAL
#endif
#define PARLAY_INTERNAL_SCHEDULER_PLUGINS_SEQUENTIAL_H_

#include <parlay/parallel.h>

#include <cstddef>
#include <type_traits>
#include <utility>

#include "kasuri/invoke.hpp"
#include "kasuri/parallel_for.hpp"
#include "kasuri/runtime.hpp"
#include "kasuri/task.hpp"

namespace parlay {

/// The bound of worker_id(): kasuri::max_slots(), which counts the spares as well. So arrays with
/// an element for each worker are longer than the number of workers; KASURI_MAX_SPARES=0 makes the
/// two equal. parlaylib's own algorithms go by kasuri::num_workers().
inline std::size_t num_workers() { return static_cast<std::size_t>(kasuri::max_slots()); }

namespace internal {

/// What parlaylib's algorithms, which are in this namespace, find in place of the bound above. They
/// divide their input by it, and sort sequentially where it is 1; none has anything for each
/// worker.
inline std::size_t num_workers() { return static_cast<std::size_t>(kasuri::num_workers()); }

}  // namespace internal

/// The slot of the caller (kasuri::this_task::slot()); 0 on a thread that runs no tasks.
inline std::size_t worker_id() {
  const int slot = kasuri::this_task::slot();
  return slot < 0 ? 0 : static_cast<std::size_t>(slot);
}

/// Calls f(i) for every i of [start, end), in parallel.
/// @param start, end   the indices
/// @param f            callable with an index
/// @param granularity  the least iterations in a row; 0: found at run time
template <class F>
void parallel_for(std::size_t start, std::size_t end, F&& f, long granularity, bool) {
  static_assert(std::is_invocable_v<F&, std::size_t>);
  if (start >= end) return;
  // One piece, as for a short vector of parlaylib's: no thread has to enter the pool for it.
  if (granularity > 0 && end - start <= static_cast<std::size_t>(granularity)) {
    for (std::size_t i = start; i < end; ++i) f(i);
    return;
  }
  kasuri::parallel_for(start, end, static_cast<std::size_t>(granularity > 0 ? granularity : 0), f);
}

/// Calls both, in parallel.
template <class Left, class Right>
void par_do(Left&& left, Right&& right, bool) {
  static_assert(std::is_invocable_v<Left&&> && std::is_invocable_v<Right&&>);
  kasuri::parallel_invoke([&left] { std::forward<Left>(left)(); },
                          [&right] { std::forward<Right>(right)(); });
}

/// Of parlaylib's own scheduler alone: the pool's workers are the process's.
template <class... Args>
void execute_with_scheduler(Args&&...) {
  static_assert(sizeof...(Args) < 0, "parlay::execute_with_scheduler needs parlaylib's scheduler");
}

}  // namespace parlay
