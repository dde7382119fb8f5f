// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is to happen when a result is there: a record that stands in the join word of a future's
// task or of a promise, beside the threads that wait for it. src/sched/kernel/result_word.hpp has
// the protocol.

#include <cstdint>

#include "kasuri/detail/frame.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

struct callback {
  /// What stood in the word before. Its lowest bit tells a callback from a thread.
  std::uintptr_t next;
  /// The result is there. Called once, by the thread that brought it, which may be any; it may free
  /// the record. It must not wait for other tasks: what stands behind it in the word waits for it.
  /// Returns what stood in the word of another result
  /// that came by this, as end_result does, or 0: so chains of results end in a loop, not in calls
  /// one inside the other.
  std::uintptr_t (*call)(callback* self) noexcept;
};

/// Calls what->call when the task has ended. False: it has ended, the caller sees its result, and
/// nothing is called. From any thread.
[[nodiscard]] bool on_ready(frame* task, callback* what) noexcept;

/// The result that stands in `task` is there: its join word becomes `code`. Returns what stood in
/// the word, for let_go or as the result of a callback.
[[nodiscard]] std::uintptr_t end_result(frame* task, std::uintptr_t code) noexcept;

/// Wakes the threads of such a list and calls its callbacks, the oldest first.
void let_go(std::uintptr_t entries) noexcept;

}  // namespace detail
}  // namespace kasuri
