// SPDX-License-Identifier: Apache-2.0
#pragma once

// The part that the objects of sync.hpp have in common: threads that wait, oldest first.

#include <atomic>
#include <cstdint>

namespace kasuri::detail {

struct coroutine_access;  // detail/coroutine/waiter.hpp
struct suspended;

/// All fields but `locked` belong to the thread that holds the lock. The operations are in
/// src/task/wait_list.hpp.
struct wait_list {
  /// A spin lock, held for some instructions: 1 while somebody has it.
  std::atomic<std::uint32_t> locked{0};
  /// The object's own number: units of a semaphore, arrivals a latch waits for, arrivals so far.
  std::uint32_t count = 0;
  /// The youngest waiter; its `next` is the oldest. Null: nobody waits.
  suspended* last = nullptr;
};

}  // namespace kasuri::detail
