// SPDX-License-Identifier: Apache-2.0
#pragma once

// Work-first creation: the child runs at once on a stack of its own, and the parent's continuation
// is what thieves may take.

#include "kasuri/detail/frame.hpp"

namespace kasuri::sched {

/// Runs `child` now, on a new stack, with the caller's continuation in the deque. Returns when the
/// child has ended or blocked and the continuation was popped, or stolen and resumed, possibly on
/// another worker. False, without running the child, when there is no memory for a stack.
/// The caller is on a worker.
bool run_child_first(detail::frame* child) noexcept;

}  // namespace kasuri::sched
