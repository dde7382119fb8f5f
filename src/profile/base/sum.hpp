// SPDX-License-Identifier: Apache-2.0
#pragma once

// A sum to which several threads add, for rows that are seldom added to.

#include <atomic>
#include <cstdint>

#include "platform/base/clock.hpp"

namespace kasuri::profile {

class sum {
 public:
  void add(std::uint64_t amount) noexcept { value_.fetch_add(amount, std::memory_order_relaxed); }
  void raise(std::uint64_t to) noexcept {
    std::uint64_t now = get();
    while (now < to && !value_.compare_exchange_weak(now, to, std::memory_order_relaxed)) {
    }
  }
  std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

inline double seconds(std::uint64_t ticks) noexcept {
  return static_cast<double>(ticks) / platform::ticks_per_second();
}

}  // namespace kasuri::profile
