// SPDX-License-Identifier: Apache-2.0
#pragma once

// The end of a wait by something that the library does not know, as a stop token: it competes with
// wakers as a time does (src/sched/kernel/timed_word.hpp).

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// Lies on the stack of the thread that waits.
struct early_end {
  /// The thread waits: from here on, from within this call on, end_wait may be called, by any
  /// thread. Called on another stack, with the lock of what is waited for held.
  void (*begin)(early_end& e) noexcept;
  /// The thread goes on. Behind this call end_wait is not called, and no call is under way.
  void (*end)(early_end& e) noexcept;
  /// The library's.
  void* wait = nullptr;
};

/// Lets the thread go on, if nothing else has before. Once. Does not wait, and runs no code of the
/// program.
void end_wait(early_end& e) noexcept;

}  // namespace detail
}  // namespace kasuri
