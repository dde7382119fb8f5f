// SPDX-License-Identifier: Apache-2.0
#pragma once

// Looking at memory that others change meanwhile. A thread that dumps a program that runs may
// follow a pointer that has just become something else: the fault then ends the look and not the
// process.

namespace kasuri::context {

/// Calls look(arg). False: it met an address that is no memory, and was left there and then; so it
/// must hold no lock and own no memory. Not within itself.
bool attempt(void (*look)(void* arg), void* arg) noexcept;

/// For the handler of faults: goes back to attempt() if the calling thread is inside of one.
void leave_attempt() noexcept;

}  // namespace kasuri::context
