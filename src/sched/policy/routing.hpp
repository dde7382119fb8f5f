// SPDX-License-Identifier: Apache-2.0
#pragma once

// How forks that span several workers are handed out under almost deterministic work stealing:
// extent.hpp has what they are.

#include "kasuri/detail/self.hpp"
#include "sched/run/suspend.hpp"
#include "sched/worker/extent.hpp"

namespace kasuri::sched {

class pool;
struct letter;
struct worker;

/// The index of the worker that runs the task which wears `range`.
int owner_of(const pool& p, const extent& range) noexcept;

/// The task that runs on `w` owns `range`, or nothing.
void wear_range(worker& w, extent* range) noexcept;
/// The task that wore its range has ended.
void drop_range(worker& w) noexcept;
/// The frame that was found is not run here after all.
void drop_next_range(worker& w) noexcept;

/// The frame of a letter runs without what came with it.
void discard_place(const letter& l) noexcept;

/// `fork`, of which a use is handed over, is the innermost that `w` takes part in.
void take_part(worker& w, span_fork* fork) noexcept;
/// The innermost one that has not joined, or null.
span_fork* part_of(worker& w) noexcept;
/// `w` takes part in nothing any more.
void leave_forks(worker& w) noexcept;

/// A guest that entered owns all workers, if the policy says so; and no longer.
void begin_root(worker& w) noexcept;
void end_root(worker& w) noexcept;

/// `f`, just pushed into `at` by a task that owns several workers, goes where its interval begins.
/// False: it stays where it is.
bool route(worker& w, detail::worker_slot* at, detail::frame* f, bool detached) noexcept;

/// Whether `f` is the second side of the fork whose first side has just run on `w`.
bool was_routed(const worker& w, const detail::frame* f) noexcept;
/// The join of such a frame. True: it has not run and will not; false: it has run. `drop`: it is not
/// wanted any more.
bool join_routed(detail::frame* f, bool drop) noexcept;

/// A group of the task that runs on `w` was waited for.
void end_dealing(worker& w) noexcept;

/// A thread that had better go on elsewhere goes there.
void send_to_place(suspended* s) noexcept;

}  // namespace kasuri::sched
