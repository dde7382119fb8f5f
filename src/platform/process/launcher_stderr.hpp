// SPDX-License-Identifier: Apache-2.0
#pragma once

// A launcher reads what its processes write from pipes, and writes it to its own stderr. Where it
// may end before it has read all, a process that outlives it writes to the launcher's stderr
// itself.

namespace kasuri::platform {

/// A new descriptor, closed at exec, of the stderr of the nearest ancestor whose stderr is another
/// one than the caller's. -1: the caller's stderr is no pipe, there is no such ancestor, its stderr
/// is a null device, or the system does not let the caller have it.
[[nodiscard]] int stderr_of_launcher() noexcept;

}  // namespace kasuri::platform
