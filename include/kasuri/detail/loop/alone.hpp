// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kasuri/detail/loop/pace.hpp"
#include "kasuri/detail/ticks.hpp"

// The beginning of an algorithm, by its caller alone. What takes some microseconds is over by then,
// and it would take longer to start workers for it; what takes longer loses next to nothing.

namespace kasuri::detail {

/// Calls piece(begin, end) on pieces of [0, size) from the left, until `most` ticks have passed or
/// piece returns false. The first has so many of them; each later one as many as all before it, or
/// 64 times as many where those were over at once.
/// @tparam Kind       of the loop, whose pace is learned
/// @param iterations  of its body, in one of `size`
/// @param least       of a piece, but for the last
/// @return            where the last piece ended
template <class Kind, class Piece>
std::size_t run_alone(std::size_t size, std::size_t iterations, std::size_t first,
                      std::size_t least, std::uint64_t most, Piece&& piece) {
  constexpr std::size_t times_longer = 64;
  constexpr std::uint64_t learns_one_in = 8;
  const std::uint64_t began = ticks();
  // A reading of the clock takes as long as a hundred short iterations.
  const bool learns = began / 32 % learns_one_in == 0;
  std::size_t done = 0;
  for (std::size_t chunk = first;;) {
    const std::size_t end = done + std::min(std::max(least, chunk), size - done);
    if (!piece(done, end)) return end;
    done = end;
    if (done == size && !learns) return done;
    const std::uint64_t took = ticks() - began;
    if (done == size || took >= most) {
      pace<Kind>::learn(took, done * iterations);
      return done;
    }
    chunk = took < most / (2 * times_longer) ? times_longer * done : done;
  }
}

/// The same; nothing at all of what is expected to take longer than that.
template <class Kind, class Piece>
std::size_t alone(std::size_t size, std::size_t iterations, std::size_t least, std::uint64_t most,
                  Piece&& piece) {
  constexpr std::size_t most_unlooked = 16;
  const double expected = pace<Kind>::expected(size * iterations);
  if (expected > static_cast<double>(most)) return 0;
  const bool is_fine =
      expected != 0 && expected * most_unlooked < static_cast<double>(size * (most / 64));
  return run_alone<Kind>(size, iterations, is_fine ? most_unlooked : 1, least, most, piece);
}

}  // namespace kasuri::detail
