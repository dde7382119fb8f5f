// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names stack overflows: a fault in the guard page of a stack of ours, or at the stack pointer of
// an OS thread, prints what enlarges the stack, and the process ends by SIGSEGV as it would have
// without us. Other faults, and those of OS threads' stacks after the line, go to the handler that
// the program had.

namespace kasuri::context {

/// Installs the handler for the process, once. Thread-safe.
void catch_stack_overflows() noexcept;

/// Gives the calling OS thread an alternate signal stack if it has none: the handler cannot run on
/// the stack that overflowed. Lives as long as the thread.
void prepare_thread_for_overflows() noexcept;

}  // namespace kasuri::context
