// SPDX-License-Identifier: Apache-2.0
#pragma once

// The range of workers that the task on a worker owns, and the forks that the worker takes part in,
// under almost deterministic work stealing: rules/extent.hpp has what they are, policy/ hands them
// out.

#include "sched/rules/extent.hpp"

namespace kasuri::sched {

struct letter;
struct worker;

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

}  // namespace kasuri::sched
