// SPDX-License-Identifier: Apache-2.0
#pragma once

// A call that has the stack that the setting of stacks promises (all but a 64th of it), however
// much of its own the caller has used. Costs a compare where the caller has hardly used any of a
// stack of the pool, else two switches of stacks; no locked instruction.

namespace kasuri::context {
struct stack;
}

namespace kasuri::sched {

/// Runs call(arg) on a stack of the pool, on top of the caller where that leaves enough of one, and
/// returns when it has returned. The call may suspend: it and the caller then go on on another
/// worker, or, where the caller's stack has a home, there. `call` does not throw. The caller is on
/// a worker. Ends the process with a line when there is no memory for a stack.
void call_on_own_stack(void (*call)(void* arg), void* arg) noexcept;

/// Runs call(arg) on the stack `to`, which the caller owns and nobody stands on. All else as above.
void call_on_stack(context::stack& to, void (*call)(void* arg), void* arg) noexcept;

}  // namespace kasuri::sched
