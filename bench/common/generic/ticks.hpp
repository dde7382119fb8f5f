// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace bench {

/// Nanoseconds stand in for cycles where the cycle counter is not ours to read.
inline std::uint64_t ticks() noexcept {
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count());
}

}  // namespace bench
