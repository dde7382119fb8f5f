// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "cluster/transport/transport.hpp"
#include "kasuri/detail/atomics.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

/// A lock that may be held while the network is waited for: a thread that waits for it lets the
/// network work.
class network_lock {
 public:
  explicit network_lock(transport& network) noexcept : network_(network) {}

  void lock() noexcept {
    for (unsigned n = 0; !try_lock(); ++n) {
      detail::real_atomics::backoff(n);
      if (n >= 64) network_.progress();
    }
  }
  bool try_lock() noexcept {
    return !held_.exchange(true, std::memory_order_acquire);  // pairs with unlock()
  }
  void unlock() noexcept {
    KASURI_EXPECT(cheap, held_.load(std::memory_order_relaxed),
                  "a lock of rank %d is given back, which nobody has", network_.rank());
    held_.store(false, std::memory_order_release);  // pairs with try_lock()
  }

 private:
  transport& network_;
  std::atomic<bool> held_{false};
};

}  // namespace kasuri::cluster
