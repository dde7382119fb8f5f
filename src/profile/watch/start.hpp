// SPDX-License-Identifier: Apache-2.0
// A profile is recorded from the moment on at which the library is loaded, if KASURI_PROFILE asks
// for it, to the end of the process. In the child of a fork from the start of its pool.
#pragma once

namespace kasuri::profile {

/// Whether this program is one to be recorded. Weak: Kasuri's own commands, which have the library
/// in them and start the programs that are meant, define it anew.
bool is_subject() noexcept;

/// A pool of so many workers starts. Without a profile nothing but a test.
void pool_starts(int workers) noexcept;

}  // namespace kasuri::profile
