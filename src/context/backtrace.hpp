// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where a suspended thread stands: the calls that lie on its stack, read from another thread.
//
// The saved context is made to look like the caller of a function on the reader's own stack
// (kasuri_context_walk), and the C++ runtime's unwinder does the rest: it only reads. Nobody keeps
// the thread from going on meanwhile; see attempt.hpp.

#include <cstddef>
#include <span>

#include "context/context.hpp"

namespace kasuri::context {

/// The addresses within the calls of the saved context, the innermost first, into `calls`; how many
/// there are. 0 where saved contexts cannot be read (fcontext), or when the thread went on
/// meanwhile.
std::size_t backtrace(saved at, std::span<const void*> calls) noexcept;

/// The same for the calling thread; the innermost of its calls is this one.
std::size_t backtrace_of_caller(std::span<const void*> calls) noexcept;

}  // namespace kasuri::context
