// SPDX-License-Identifier: Apache-2.0
#pragma once

// The word of a chunk in the table of places (place_table.hpp): what its bits mean.

#include <cstddef>
#include <cstdint>

namespace kasuri::numa {

struct place_word {
  /// About a millisecond each, modulo 2^32.
  using time = std::uint32_t;
  static constexpr time first_life = 1024;
  static constexpr time first_retry = 4;
  static constexpr time claim_life = 64;

  static constexpr unsigned chunk_bits = 21;
  static constexpr std::size_t chunk_bytes = std::size_t{1} << chunk_bits;

  // From the top: 10 bits of key, 9 of field, 2 of life, 3 of retry, 1 claimed, 7 of a count of
  // changes, 32 of time. The key is the chunk's number without its slot's bits, and which of the
  // two slots it is.
  using word = std::uint64_t;

  static constexpr unsigned address_bits = 48;
  static constexpr unsigned slot_bits = 18;
  static constexpr std::size_t slots = std::size_t{1} << slot_bits;
  static constexpr std::uint64_t slot_mask = slots - 1;
  static_assert(address_bits - chunk_bits - slot_bits + 1 == 10);

  // The field: empty, an index + 1, or one of the others.
  static constexpr std::uint64_t empty = 0;
  static constexpr std::uint64_t last_index = 253;
  static constexpr std::uint64_t mixed = 509;
  static constexpr std::uint64_t writing = 510;
  static constexpr std::uint64_t unknown = 511;

  static constexpr unsigned longest_life = 3;
  static constexpr unsigned longest_retry = 7;

  static constexpr std::uint64_t key_of(word w) noexcept { return w >> 54; }
  static constexpr std::uint64_t field_of(word w) noexcept { return w >> 45 & 511; }
  static constexpr unsigned life_of(word w) noexcept { return static_cast<unsigned>(w >> 43 & 3); }
  static constexpr unsigned retry_of(word w) noexcept { return static_cast<unsigned>(w >> 40 & 7); }
  static constexpr bool is_claimed(word w) noexcept { return (w >> 39 & 1) != 0; }
  static constexpr std::uint64_t count_of(word w) noexcept { return w >> 32 & 127; }
  static constexpr time time_of(word w) noexcept { return static_cast<time>(w); }

  /// One more than how old it is: another core's clock may be a step behind.
  static constexpr time age(word w, time t) noexcept { return t - time_of(w) + 1; }
  static constexpr bool lives(word w, time t) noexcept {
    return age(w, t) <= first_life << life_of(w);
  }
  /// Whether another thread asks or writes.
  static constexpr bool is_busy(word w, time t) noexcept {
    return (is_claimed(w) || field_of(w) == writing) && age(w, t) <= claim_life;
  }
  static constexpr word make_word(std::uint64_t key, std::uint64_t field, unsigned life,
                                  unsigned retry, bool claimed, std::uint64_t count,
                                  time t) noexcept {
    return key << 54 | field << 45 | std::uint64_t{life} << 43 | std::uint64_t{retry} << 40 |
           std::uint64_t{claimed} << 39 | (count & 127) << 32 | t;
  }
};

}  // namespace kasuri::numa
