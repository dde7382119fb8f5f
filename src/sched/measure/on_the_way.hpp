// SPDX-License-Identifier: Apache-2.0
#pragma once

// How measured code begins, goes on and ends on a worker: between measured.cpp and tasks.cpp.

#include <cstdint>

#include "sched/measure/measured.hpp"

namespace kasuri::sched {

extern const detail::frame_type fork_kind;
extern const detail::frame_type hinted_fork_kind;

/// `w` runs `m`, or code that is not measured, from here on.
void run_on(worker& w, measured* m) noexcept;

/// What runs on `w` is measured from here on if it was not. Null: no memory for that.
measured* code_of(worker& w, std::uint64_t now) noexcept;

/// `m` begins a side, a task, or the first side of a fork, from which that much work is expected: a
/// leaf, or expanded.
void enter_side(worker& w, measured& m, std::uint64_t expected, std::uint64_t now) noexcept;
/// It has ended.
void end_side(worker& w, measured& m, std::uint64_t now) noexcept;

/// Stands for code of which only the time is known, by who runs it: short tasks. It is a leaf, and
/// no clock runs for it.
extern constinit measured short_task;
/// Runs the task that way, if tasks of its site are short. False: it has not.
[[nodiscard]] bool run_short(worker& w, detail::frame* f, profile::site_id site) noexcept;
/// Those that the worker has counted are told to who waits for them.
void tell_short(worker& w) noexcept;

/// `m`, which has ended, is told to who waits for its key, if somebody does.
void tell(worker& w, measured& m) noexcept;

}  // namespace kasuri::sched
