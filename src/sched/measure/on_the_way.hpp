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

/// `m`, which has ended, is told to who waits for its key, if somebody does.
void tell(worker& w, measured& m) noexcept;

}  // namespace kasuri::sched
