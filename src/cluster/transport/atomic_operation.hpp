// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kasuri::cluster {

/// An atomic operation on an aligned word of 4 or 8 bytes. Words of 4 bytes lie in the low half of
/// the numbers here.
struct atomic_operation {
  enum class kind : std::uint8_t { load, add, exchange, compare_swap };

  kind what = kind::load;
  std::uint32_t bytes = 8;
  std::uint64_t value = 0;     // what is added, or stored
  std::uint64_t expected = 0;  // of compare_swap: stores only where the word is this

  /// What the word becomes, which was `before`.
  [[nodiscard]] std::uint64_t result(std::uint64_t before) const noexcept {
    switch (what) {
      case kind::load:
        return before;
      case kind::add:
        return bytes == 4 ? static_cast<std::uint32_t>(before + value) : before + value;
      case kind::exchange:
        return value;
      case kind::compare_swap:
        break;
    }
    return before == expected ? value : before;
  }
};

/// The word of 4 bytes at byte 0 or 4 of a word of 8.
inline std::uint32_t half_of(std::uint64_t word, std::size_t at) noexcept {
  std::uint32_t half;
  std::memcpy(&half, reinterpret_cast<const char*>(&word) + at, sizeof half);
  return half;
}

/// The word of 8 bytes with another half.
inline std::uint64_t with_half(std::uint64_t word, std::size_t at, std::uint32_t half) noexcept {
  std::memcpy(reinterpret_cast<char*>(&word) + at, &half, sizeof half);
  return word;
}

}  // namespace kasuri::cluster
