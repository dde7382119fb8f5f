// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kasuri/detail/loop/lazy_loop.hpp"
#include "kasuri/range.hpp"

// Algorithms of two passes: the range is cut into blocks, which depend on its size alone, something
// is found out for each, and a prefix sum over the blocks says where each one's results go.

namespace kasuri::detail {

constexpr std::size_t most_blocks = 512;
constexpr std::size_t least_in_block = 2048;

/// How a range of `size` elements is cut.
struct blocks_of {
  std::size_t size;
  std::size_t count;

  constexpr blocks_of(std::size_t elements, std::size_t grain) noexcept
      : size(elements),
        count(std::clamp<std::size_t>(elements / (grain == 0 ? least_in_block : grain), 1,
                                      most_blocks)) {}

  constexpr std::size_t begin(std::size_t k) const noexcept { return block_begin(k, count, size); }
  constexpr std::size_t end(std::size_t k) const noexcept { return begin(k + 1); }

  /// Calls body(k, begin, end) for each.
  template <class Body>
  void each(Body&& body) const {
    loop_each<cancellation::ignored>(count, 0, [&](std::size_t k) { body(k, begin(k), end(k)); });
  }
};

/// Element k becomes the sum of those before it. Returns the sum of all.
inline std::size_t to_offsets(std::vector<std::size_t>& counts) noexcept {
  std::size_t sum = 0;
  for (std::size_t& n : counts) {
    const std::size_t here = n;
    n = sum;
    sum += here;
  }
  return sum;
}

/// A part of a block that stays, and where it goes.
struct kept_part {
  std::size_t begin;
  std::size_t end;
  std::size_t to = 0;
};

// Parts that move to the left, each to behind the one before it. Those go together whose places
// all lie before the first of them: nobody reads there any more.
template <class It>
std::size_t close_gaps(It first, std::vector<kept_part>& parts) {
  std::size_t sum = 0;
  for (kept_part& p : parts) {
    p.to = sum;
    sum += p.end - p.begin;
  }
  const auto move_one = [&](const kept_part& p) {
    if (p.to != p.begin)
      std::move(advance(first, p.begin), advance(first, p.end), advance(first, p.to));
  };
  for (std::size_t a = 0; a < parts.size();) {
    std::size_t b = a + 1;
    while (b < parts.size() && parts[b].to + (parts[b].end - parts[b].begin) <= parts[a].begin) ++b;
    loop_each<cancellation::ignored>(b - a, 0, [&](std::size_t k) { move_one(parts[a + k]); });
    a = b;
  }
  return sum;
}

}  // namespace kasuri::detail
