// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state of an outbox, all of it, in one word: a rank that changes it by a compare-and-swap has
// validated everything. No old state can be mistaken for a new one: equal words mean the same,
// since what lies in a slot is read only behind the swap that takes it.
//
//   bits 0-31   the size of what lies in each of the eight slots, in steps of 256 bytes; 0: nothing
//   bits 32-34  the slot of the oldest
//   bits 35-38  from it on to the newest so many slots, cyclically; some between may be empty
//   bits 39-63  who sleeps until something is put in: bit i stands for the rank 2^i before this one

#include <bit>
#include <cstddef>
#include <cstdint>

#include "kasuri/global/detail/fork.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

class outbox_word {
 public:
  static constexpr int slots = 8;
  static constexpr std::size_t step = 256;  // bytes
  static constexpr std::size_t largest = 15 * step;
  static constexpr int most_sleepers = 25;
  static_assert(largest / step < 1 << 4, "a size has 4 bits");
  static_assert(4 * slots == 32 && slots == 1 << 3, "the slot of the oldest has 3 bits");
  static_assert(slots < 1 << 4, "how many slots has 4 bits");
  static_assert(39 + most_sleepers == 64);
  static_assert(global::detail::spread_face::length_at == 35 &&
                    global::detail::spread_face::length_mask == 15,
                "inlined code reads how many slots there are");

  constexpr outbox_word() = default;
  explicit constexpr outbox_word(std::uint64_t bits) noexcept : bits_(bits) {}
  constexpr std::uint64_t bits() const noexcept { return bits_; }

  constexpr int length() const noexcept { return static_cast<int>(bits_ >> 35 & 15); }
  constexpr int oldest() const noexcept { return static_cast<int>(bits_ >> 32 & 7); }
  constexpr bool empty() const noexcept { return length() == 0; }
  constexpr std::size_t bytes(int slot) const noexcept { return steps(slot) * step; }

  /// Where the next is put; -1: no room.
  constexpr int next() const noexcept {
    return length() == slots ? -1 : (oldest() + length()) % slots;
  }

  /// With `bytes` more, up to `largest`, at next().
  constexpr outbox_word with(std::size_t bytes) const noexcept {
    const std::uint64_t size = (bytes + step - 1) / step;
    const int at = next();
    KASURI_EXPECT(cheap, bytes != 0 && bytes <= largest, "%zu bytes for a slot of %zu", bytes,
                  largest);
    KASURI_EXPECT(cheap, at >= 0 && steps(at) == 0, "slot %d is not free: the word is %#llx", at,
                  static_cast<unsigned long long>(bits_));
    return outbox_word((bits_ | size << 4 * at) + (std::uint64_t{1} << 35));
  }

  /// Without what lies in `slot`.
  constexpr outbox_word without(int slot) const noexcept {
    KASURI_EXPECT(cheap, slot >= 0 && slot < slots && steps(slot) != 0,
                  "slot %d is empty: the word is %#llx", slot,
                  static_cast<unsigned long long>(bits_));
    outbox_word w(bits_ & ~(std::uint64_t{15} << 4 * slot));
    int first = oldest();
    int left = length();
    while (left > 0 && w.steps(first) == 0) first = (first + 1) % slots, --left;
    while (left > 0 && w.steps((first + left - 1) % slots) == 0) --left;
    KASURI_EXPECT(
        cheap, left != 0 || (w.bits_ & UINT32_MAX) == 0,
        "no slot is full between the oldest and the newest, and some are: the word is %#llx",
        static_cast<unsigned long long>(bits_));
    const std::uint64_t place =
        static_cast<std::uint64_t>(first) << 32 | static_cast<std::uint64_t>(left) << 35;
    return outbox_word((w.bits_ & ~(std::uint64_t{127} << 32)) | place);
  }

  constexpr bool sleeps(int i) const noexcept { return (bits_ >> (39 + i) & 1) != 0; }
  constexpr bool anybody_sleeps() const noexcept { return bits_ >> 39 != 0; }
  /// The first of those who sleep.
  constexpr int sleeper() const noexcept { return std::countr_zero(bits_ >> 39); }
  constexpr outbox_word with_sleeper(int i) const noexcept {
    KASURI_EXPECT(cheap, i >= 0 && i < most_sleepers, "sleeper %d of %d", i, most_sleepers);
    return outbox_word(bits_ | std::uint64_t{1} << (39 + i));
  }
  constexpr outbox_word without_sleeper(int i) const noexcept {
    KASURI_EXPECT(cheap, i >= 0 && i < most_sleepers && sleeps(i),
                  "sleeper %d does not sleep: the word is %#llx", i,
                  static_cast<unsigned long long>(bits_));
    return outbox_word(bits_ & ~(std::uint64_t{1} << (39 + i)));
  }

  friend constexpr bool operator==(outbox_word, outbox_word) = default;

 private:
  constexpr std::size_t steps(int slot) const noexcept { return bits_ >> 4 * slot & 15; }

  std::uint64_t bits_ = 0;
};

}  // namespace kasuri::cluster
