// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kasuri/detail/ticks.hpp"

// The beginning of an algorithm, by its caller alone. What takes some microseconds is over by then,
// and it would take longer to start workers for it; what takes longer loses next to nothing.

namespace kasuri::detail {

/// Calls piece(begin, end) on pieces of [0, size) from the left, each up to eight times as long as
/// the one before it, until some microseconds have passed or piece returns false.
/// @param least  of a piece, but for the last; 1 or more
/// @return       where the last piece ended
template <class Piece>
std::size_t alone(std::size_t size, std::size_t least, Piece&& piece) {
  constexpr unsigned long_enough_us = 4;
  constexpr std::size_t most_at_once = 4096;
  std::size_t done = 0;
  const std::uint64_t end_at = ticks() + about_ticks_of_us(long_enough_us);
  for (std::size_t chunk = least; done < size;
       chunk = std::max(least, std::min(8 * chunk, most_at_once))) {
    const std::size_t end = std::min(done + chunk, size);
    if (!piece(done, end)) return end;
    done = end;
    if (done < size && ticks() >= end_at) break;
  }
  return done;
}

}  // namespace kasuri::detail
