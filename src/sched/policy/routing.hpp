// SPDX-License-Identifier: Apache-2.0
#pragma once

// How forks that span several workers are handed out under almost deterministic work stealing:
// rules/extent.hpp defines them, run/join.hpp joins the frames that were handed out.

#include "kasuri/detail/self.hpp"
#include "sched/rules/extent.hpp"
#include "sched/worker/range.hpp"

namespace kasuri::sched {

class pool;
struct worker;

/// The index of the worker that runs the task which wears `range`.
int owner_of(const pool& p, const extent& range) noexcept;

/// A guest that entered owns all workers, if the policy says so; and no longer.
void begin_root(worker& w) noexcept;
void end_root(worker& w) noexcept;

/// What a task that owns several workers has just pushed into `at` goes where its interval begins.
/// False: it stays where it is, or a thief has it already.
bool route(worker& w, detail::worker_slot* at, bool detached) noexcept;

/// Whether `f` is the second side of the fork whose first side has just run on `w`.
bool was_routed(const worker& w, const detail::frame* f) noexcept;

/// A group of the task that runs on `w` was waited for.
void end_dealing(worker& w) noexcept;

}  // namespace kasuri::sched
