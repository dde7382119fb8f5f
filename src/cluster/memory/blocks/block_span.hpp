// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kasuri::cluster {

/// Blocks [first, first + count).
struct block_span {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  [[nodiscard]] bool has(std::uint64_t index) const noexcept { return index - first < count; }
};

}  // namespace kasuri::cluster
