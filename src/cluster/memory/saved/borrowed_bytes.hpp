// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cluster/memory/memory.hpp"

namespace kasuri::cluster {

/// Bytes of global memory that are checked out until the end of its life.
class borrowed_bytes {
 public:
  borrowed_bytes(memory& from, std::uint64_t offset, std::uint64_t bytes, access mode)
      : from_(from), held_(from.checkout(offset, bytes, mode)), bytes_(bytes) {}
  borrowed_bytes(const borrowed_bytes&) = delete;
  borrowed_bytes& operator=(const borrowed_bytes&) = delete;
  ~borrowed_bytes() {
    if (held_.kept != nullptr) from_.check_in(*held_.kept);
  }

  [[nodiscard]] std::span<std::byte> all() const noexcept {
    return {static_cast<std::byte*>(held_.data), bytes_};
  }

 private:
  memory& from_;
  const held held_;
  const std::size_t bytes_;
};

}  // namespace kasuri::cluster
