// SPDX-License-Identifier: Apache-2.0
#pragma once

// Leaving one stack for another. Four moves, in one assembly file per CPU.
//
// A saved context is a stack pointer: the callee-saved registers and the return address lie there.
// Every move first changes the stack and then calls a function on the new one; the function is
// what publishes the old context, so that nobody can resume a stack that is still in use.
//
// The floating-point control words are the worker's and do not travel.

namespace kasuri::context {

using saved = void*;

extern "C" {

/// Saves this context, goes to the empty stack that begins at `top` (16-byte aligned) and calls
/// entry(arg, this context) there. `entry` never returns.
void kasuri_context_start(void* top, void (*entry)(void* arg, saved from), void* arg);

/// Saves this context, goes to `to`, calls after(arg, this context) there and goes on in `to`.
void kasuri_context_switch(saved to, void (*after)(void* arg, saved from), void* arg);

/// Abandons this context, goes to `to`, calls after(arg) there and goes on in `to`.
[[noreturn]] void kasuri_context_jump(saved to, void (*after)(void* arg), void* arg);

/// Saves this context into *from, goes to the empty stack at `top` and calls entry(arg). When that
/// returns, it must return *from: execution goes on there, by the return that belongs to this call,
/// which keeps the processor's return predictor right. When the context was given away meanwhile,
/// entry must not return.
void kasuri_context_call(void* top, saved (*entry)(void* arg), void* arg, saved* from);

/// Calls visit(arg) on the present stack so that to an unwinder the context `at` looks like the
/// caller of this function: for backtrace.cpp. Never calls it where nobody knows what a saved
/// context holds.
void kasuri_context_walk(saved at, void (*visit)(void* arg), void* arg);
/// Where that call returns to.
extern const char kasuri_context_walk_returns;
}

}  // namespace kasuri::context
