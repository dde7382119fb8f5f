// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values of local keys: one word per key and user-level thread; outside of user-level threads, per
// OS thread.

#include <cstddef>

namespace kasuri::detail {
struct local_values;
}

namespace kasuri::task {

inline constexpr unsigned most_keys = 128;

/// A new key; `most_keys` when there is none left.
unsigned create_key(void (*destructor)(void*)) noexcept;
/// False when there is no such key. Values still set are dropped without their destructor.
bool delete_key(unsigned key) noexcept;
bool key_exists(unsigned key) noexcept;

/// The caller's value of an existing key.
void* get_local(unsigned key) noexcept;
/// False when there is no memory.
bool set_local(unsigned key, void* value) noexcept;

/// Runs the destructors of a thread's values and frees them.
void end_locals(detail::local_values* values) noexcept;

}  // namespace kasuri::task
