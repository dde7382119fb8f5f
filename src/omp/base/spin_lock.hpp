// SPDX-License-Identifier: Apache-2.0
#pragma once

// A lock for sections of a few instructions in which nothing waits and no code of the program runs.

#include <atomic>

#include "kasuri/detail/atomics.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {

class spin_lock {
 public:
  void lock() noexcept {
    // acquire: pairs with the release in unlock
    for (unsigned n = 0; taken_.exchange(true, std::memory_order_acquire); ++n)
      detail::real_atomics::backoff(n);
  }

  void unlock() noexcept {
    KASURI_EXPECT(cheap, taken_.load(std::memory_order_relaxed), "spin lock %p is free",
                  static_cast<void*>(this));
    // release: pairs with the acquire in lock
    taken_.store(false, std::memory_order_release);
  }

 private:
  std::atomic<bool> taken_{false};
};

}  // namespace kasuri::omp
