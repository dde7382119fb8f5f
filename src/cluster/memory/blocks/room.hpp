// SPDX-License-Identifier: Apache-2.0
#pragma once

// How much of the cache is in use, in bytes of whole blocks. A block is counted before it is
// brought, by take(), and until it has been evicted.
//
// Invariant: in_use() is the bytes of the blocks that are resident, and what is counted for blocks
// that are being brought. It is <= limit(), but for blocks that were here when they were counted
// and evicted before they were locked: they are counted when they have come. Two threads that bring
// the same block both count it: each gives back what it has counted too much once it knows.

#include <atomic>
#include <cstdint>

#include "platform/base/expect.hpp"

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
    const std::uint64_t before = in_use_.fetch_sub(bytes, std::memory_order_relaxed);
    KASURI_EXPECT(cheap, bytes <= before, "%llu bytes of room are given back, %llu are in use",
                  static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(before));
  }
  /// `counted` bytes have been taken, and `used` are needed, perhaps more than were taken.
  void settle(std::uint64_t counted, std::uint64_t used) noexcept {
    const std::uint64_t before = in_use_.fetch_add(used - counted, std::memory_order_relaxed);
    KASURI_EXPECT(cheap, counted <= before,
                  "%llu bytes of room were taken, %llu are used, and %llu were in use by all",
                  static_cast<unsigned long long>(counted), static_cast<unsigned long long>(used),
                  static_cast<unsigned long long>(before));
  }

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
