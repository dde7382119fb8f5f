// SPDX-License-Identifier: Apache-2.0
#pragma once

// The addresses of global memory in one process, cut into blocks of equal size. An offset in the
// range is the same at all ranks, and is what ptr<T> holds; with same_address, addresses are the
// same too. Nothing changes between the constructor and the destructor.

#include <cstddef>
#include <cstdint>

#include "cluster/memory/base/byte_set.hpp"
#include "cluster/memory/base/options.hpp"
#include "cluster/memory/base/requests.hpp"
#include "cluster/transport/transport.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

class address_range {
 public:
  /// Collective. Throws global::error where the system of a rank refuses the addresses.
  address_range(transport& network, const memory_options& options);
  ~address_range();
  address_range(const address_range&) = delete;
  address_range& operator=(const address_range&) = delete;

  [[nodiscard]] std::byte* base() const noexcept { return base_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  /// Any offset: some are found to lie outside only later.
  [[nodiscard]] std::byte* at(std::uint64_t offset) const noexcept {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(base_) + offset);
  }
  [[nodiscard]] bool holds(std::uintptr_t address) const noexcept {
    return address - reinterpret_cast<std::uintptr_t>(base_) < bytes_;
  }

  [[nodiscard]] std::uint64_t block_bytes() const noexcept { return mask_ + 1; }
  /// The bytes of so many blocks; the offset at which a block starts.
  [[nodiscard]] std::uint64_t bytes_of(std::uint64_t blocks) const noexcept {
    return blocks << shift_;
  }
  /// The block of an offset; how many blocks so many bytes are, if they are whole ones.
  [[nodiscard]] std::uint64_t block_of(std::uint64_t offset) const noexcept {
    return offset >> shift_;
  }
  /// Where in its block the offset lies.
  [[nodiscard]] std::uint64_t within(std::uint64_t offset) const noexcept { return offset & mask_; }
  [[nodiscard]] std::uint64_t start_of_block(std::uint64_t offset) const noexcept {
    return offset & ~mask_;
  }
  /// `bytes`, rounded up to whole blocks.
  [[nodiscard]] std::uint64_t whole_blocks(std::uint64_t bytes) const noexcept {
    return (bytes + mask_) & ~mask_;
  }

  /// Calls f(index, part) for each block that has bytes of `r`, in rising order, with these bytes.
  template <class F>
  void each_block(global_range r, F f) const {
    KASURI_EXPECT(cheap, r.begin <= r.end && r.end <= bytes_,
                  "the blocks of bytes %llu to %llu in a range of %llu",
                  static_cast<unsigned long long>(r.begin), static_cast<unsigned long long>(r.end),
                  static_cast<unsigned long long>(bytes_));
    for (std::uint64_t at = r.begin; at < r.end; at = (at | mask_) + 1) {
      const std::uint64_t end = (at | mask_) + 1;
      const std::uint64_t stop = r.end < end ? r.end : end;
      const auto low = static_cast<std::uint32_t>(at & mask_);
      f(at >> shift_, byte_range{low, low + static_cast<std::uint32_t>(stop - at)});
    }
  }

 private:
  void take_anywhere();
  void take_everywhere(transport& network);

  const unsigned shift_;
  const std::uint64_t mask_;
  const std::uint64_t bytes_;
  std::byte* base_ = nullptr;
};

}  // namespace kasuri::cluster
