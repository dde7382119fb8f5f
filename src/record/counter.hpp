// SPDX-License-Identifier: Apache-2.0
// A number that one thread writes and any thread may read.
#pragma once

#include <atomic>   // for atomic
#include <cstdint>  // for uint64_t

namespace kasuri::record {

/// Costs its writer what a plain integer would: no locked instruction. A reader sees each counter
/// right, though two counters perhaps from different moments.
class counter {
 public:
  /// Writer only.
  void add(std::uint64_t amount = 1) noexcept {
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }

  std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

}  // namespace kasuri::record
