// SPDX-License-Identifier: Apache-2.0
// How many threads of the pool wait asleep, and for what: suspended, so that their worker is idle
// or runs others. They tell what idle workers lack.
#pragma once

#include <atomic>  // for atomic

#include "profile/base/active.hpp"
#include "record/wait_reason.hpp"

namespace kasuri::profile {

/// Threads asleep that wait for a lock, and in a barrier.
extern constinit std::atomic<int> asleep_for_lock;
extern constinit std::atomic<int> asleep_in_barrier;

/// Lives on the stack of the thread that is suspended meanwhile.
class sleeper {
 public:
  explicit sleeper(record::wait_reason why) noexcept {
    if (active()) [[unlikely]]
      count(why);
  }
  ~sleeper() {
    if (counted_ != nullptr) [[unlikely]]
      counted_->fetch_sub(1, std::memory_order_relaxed);
  }
  sleeper(const sleeper&) = delete;
  sleeper& operator=(const sleeper&) = delete;

 private:
  void count(record::wait_reason why) noexcept;

  std::atomic<int>* counted_ = nullptr;  // null: it waits for something else, or nobody records
};

/// In the child of a fork: they are the parent's.
void forget_sleepers() noexcept;

}  // namespace kasuri::profile
