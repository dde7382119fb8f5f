// SPDX-License-Identifier: Apache-2.0
#pragma once

// A list of tasks that several members put into and take from: highest priority first, oldest first
// among equals. Behind a lock; a member that looks reads a counter first.

#include <atomic>
#include <cstdint>

#include "omp/base/spin_lock.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

struct explicit_task;
struct task;

class task_list {
 public:
  bool empty() const noexcept { return size() == 0; }
  std::uint32_t size() const noexcept {
    // relaxed: after the fences in run_last_task(), ask_for_notice() of omp/run/task_steal.cpp
    return count_.load(std::memory_order_relaxed);
  }

  /// How many tasks ever came; never goes down.
  std::uint64_t put_so_far() const noexcept {
    // acquire: pairs with the release in put
    return puts_.load(std::memory_order_acquire);
  }

  void put(explicit_task& t) noexcept;

  /// Takes the first one; of the descendants of `of` where that is not null.
  explicit_task* take(const task* of) noexcept;

 private:
  /// The ends agree with the count. The lock is held.
  void expect_ends() const noexcept {
    KASURI_EXPECT(cheap, empty() == (first_ == nullptr) && empty() == (last_ == nullptr),
                  "a list of %u tasks from %p to %p", size(), static_cast<void*>(first_),
                  static_cast<void*>(last_));
  }

  std::atomic<std::uint32_t> count_{0};
  spin_lock lock_;  // guards the list
  std::atomic<std::uint64_t> puts_{0};
  explicit_task* first_ = nullptr;
  explicit_task* last_ = nullptr;
};

}  // namespace kasuri::omp
