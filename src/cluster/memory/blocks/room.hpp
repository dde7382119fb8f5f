// SPDX-License-Identifier: Apache-2.0
#pragma once

// How much of the cache is in use, in bytes of whole blocks. A block is counted before it is
// brought, by take(), and until it has been evicted.
//
// Invariant: in_use() <= limit(), but for what two threads count that bring the same block at a
// time: each gives back what it has counted too much once it knows.

#include <atomic>
#include <cstdint>

namespace kasuri::cluster {

class room {
 public:
  explicit room(std::uint64_t limit) noexcept : limit_(limit) {}

  /// Counts `bytes` as in use if they fit.
  bool take(std::uint64_t bytes) noexcept {
    std::uint64_t now = in_use_.load(std::memory_order_relaxed);
    while (now + bytes <= limit_) {
      if (in_use_.compare_exchange_weak(now, now + bytes, std::memory_order_relaxed)) return true;
    }
    return false;
  }
  void give_back(std::uint64_t bytes) noexcept {
    in_use_.fetch_sub(bytes, std::memory_order_relaxed);
  }
  /// `counted` bytes have been taken, and `used` were needed.
  void settle(std::uint64_t counted, std::uint64_t used) noexcept { give_back(counted - used); }

  [[nodiscard]] bool fits(std::uint64_t bytes) const noexcept { return in_use() + bytes <= limit_; }
  [[nodiscard]] std::uint64_t in_use() const noexcept {
    return in_use_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }

 private:
  const std::uint64_t limit_;
  std::atomic<std::uint64_t> in_use_{0};
};

}  // namespace kasuri::cluster
