// SPDX-License-Identifier: Apache-2.0
// The lines of Python at which the threads of a Python program are, some times a second: what an
// address of the interpreter, or of a stripped library that Python calls, does not tell.
//
// A thread of its own asks Python by its public functions, which takes the interpreter's lock: it
// may wait for that as long as the program likes, and Python ends it when the interpreter ends.
// Nobody waits for it.
#pragma once

namespace kasuri::profile {

/// Starts the thread once there is an interpreter in the process; until then a look at a few names.
/// The watcher's thread.
void look_for_python() noexcept;

/// Before the last snapshot, and in the child of a fork: it asks no more.
void leave_python() noexcept;
void forget_python() noexcept;

}  // namespace kasuri::profile
