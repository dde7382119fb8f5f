// SPDX-License-Identifier: Apache-2.0
#pragma once

// A place for every block of the address range (block.hpp): zero pages of the system until a block
// is met first.

#include <cstdint>
#include <string>

#include "cluster/memory/blocks/block.hpp"
#include "kasuri/global/error.hpp"
#include "platform/base/expect.hpp"
#include "platform/memory/memory.hpp"

namespace kasuri::cluster {

class block_table {
 public:
  /// Throws global::error where the system refuses the memory.
  explicit block_table(std::uint64_t count)
      : bytes_(count * sizeof(block)), first_(static_cast<block*>(platform::reserve(bytes_))) {
    if (first_ != nullptr) return;
    throw global::error("global memory: the system refuses the table of " + std::to_string(count) +
                        " blocks; accepted: a limit (ulimit -v) above " + std::to_string(bytes_));
  }
  ~block_table() { platform::release(first_, bytes_); }
  block_table(const block_table&) = delete;
  block_table& operator=(const block_table&) = delete;

  [[nodiscard]] block& operator[](std::uint64_t index) const noexcept {
    KASURI_EXPECT(cheap, index < bytes_ / sizeof(block), "block %llu of %llu",
                  static_cast<unsigned long long>(index),
                  static_cast<unsigned long long>(bytes_ / sizeof(block)));
    return first_[index];
  }

 private:
  const std::uint64_t bytes_;
  block* const first_;
};

}  // namespace kasuri::cluster
