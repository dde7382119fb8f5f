// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random numbers for choosing victims: Marsaglia's xorshift (2003) with a state of 64 bits, which
// is never 0.

#include <cstdint>

#include "platform/base/expect.hpp"

namespace kasuri::sched {

/// The next number, which is the new state.
inline std::uint64_t xorshift(std::uint64_t& state) noexcept {
  KASURI_EXPECT(cheap, state != 0, "the state is 0, as would be all numbers that follow");
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/// A first state for the worker of that index.
inline std::uint64_t first_random(std::uint64_t seed, int index) noexcept {
  return (seed + static_cast<std::uint64_t>(index)) * 0x9e3779b97f4a7c15u | 1;
}

}  // namespace kasuri::sched
