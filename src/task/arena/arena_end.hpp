// SPDX-License-Identifier: Apache-2.0
#pragma once

// The end of an arena, for its two faces: where it cannot end, C++ ends the program, and C returns
// a code.

#include "kasuri/arena.hpp"

namespace kasuri::task {

enum class arena_end : unsigned char {
  ended,
  by_its_own_task,
  tasks_inside,  // of execute
  no_memory      // to wait with
};

/// Waits for the tasks of the arena, and ends it, unless it says why not: it is as it was then.
[[nodiscard, gnu::visibility("hidden")]] arena_end try_end_arena(detail::arena_record& a) noexcept;

}  // namespace kasuri::task
