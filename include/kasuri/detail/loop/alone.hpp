// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kasuri/detail/loop/loop_marks.hpp"
#include "kasuri/detail/loop/pace.hpp"
#include "kasuri/detail/ticks.hpp"

// A short loop, or the beginning of one, by its caller alone. What takes some microseconds is over
// by then, and it would take longer to start workers for it; what takes longer loses next to
// nothing.

namespace kasuri::detail {

/// What one worker has done of a range.
struct done_alone {
  std::size_t end;
  std::uint64_t ticks;
};

/// How often the clock is looked at.
struct leash {
  std::size_t first;         ///< pieces are done before that
  std::size_t times_longer;  ///< the next piece may be than all before it, where those were short
  std::size_t largest;       ///< piece
};

/// Calls piece(begin, end) on pieces of [0, size) from the left, until `most` ticks have passed or
/// piece returns false. A piece is as long as all before it, or longer where those were over at
/// once.
/// @param least  of a piece, but for the last
template <class Piece>
done_alone run_alone(std::size_t size, std::size_t least, std::uint64_t most, leash within,
                     Piece&& piece) {
  const std::uint64_t began = ticks();
  const std::uint64_t at_once = most / (2 * within.times_longer);
  const std::size_t largest = std::max(least, within.largest);
  done_alone done{0, 0};
  for (std::size_t chunk = std::max(within.first, least);;) {
    const std::size_t end = done.end + std::min(chunk, size - done.end);
    const bool goes_on = piece(done.end, end);
    done = {end, ticks() - began};
    if (!goes_on || end == size || done.ticks >= most) return done;
    chunk = std::clamp(done.ticks < at_once ? within.times_longer * end : end, least, largest);
  }
}

/// Whether a loop that may be a little too long is run alone nevertheless: else a short one that
/// was taken for a long one would be for ever.
inline bool tries_alone() noexcept { return ticks() / 32 % 64 == 0; }

/// Runs a loop of a kind as run_alone does, and learns the kind's pace. It runs nothing of a loop
/// that is expected to take longer, and nothing while a profile is recorded: the recorder sees a
/// loop only where workers divide it.
/// @param iterations  of its body, in one of `size`
/// @param most        ticks, of a kind that is not known; others may take half as long again
template <class Kind, class Piece>
std::size_t alone(std::size_t size, std::size_t iterations, std::size_t least, std::uint64_t most,
                  Piece&& piece) {
  using known = pace<Kind>;
  if (loops_are_recorded()) return 0;
  const double expected = known::expected(size * iterations);
  if (expected > 0) most += most / 2;
  const auto limit = static_cast<double>(most);
  if (expected > limit && (expected > 2 * limit || !tries_alone())) return 0;
  leash within{1, 16, size / 4};
  if (known::is_trusted()) {
    constexpr std::size_t few = 16;  // if these take no more than a 64th of the time
    const bool is_fine = expected * (64 * few) < static_cast<double>(size) * limit;
    const bool is_short = expected * 16 < limit;  // in time even where it takes 16 times as long
    within = {is_fine ? few : 1, 64, is_short ? size : size / 2};
  }
  // Where one takes longer for once, as after an interrupt, nobody is woken for the rest of it.
  if (expected > 0 && !known::is_doubtful()) most *= 4;
  const done_alone done = run_alone(size, least, most, within, piece);
  known::learn(done.ticks, done.end * iterations);
  return done.end;
}

}  // namespace kasuri::detail
