// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Loops over all ranks.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kasuri/global/invoke.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global {

namespace detail {

template <class Index, class Body>
void loop(Index first, Index last, std::uint64_t grain, Body body) {
  // Modulo 2^64, so that no range is too long for its own type.
  const std::uint64_t size = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  if (size <= grain) {
    body(first, last);
    return;
  }
  const auto middle = static_cast<Index>(static_cast<std::uint64_t>(first) + size / 2);
  parallel_invoke(global::share(static_cast<double>(size / 2),
                                [=] { detail::loop<Index, Body>(first, middle, grain, body); }),
                  global::share(static_cast<double>(size - size / 2),
                                [=] { detail::loop<Index, Body>(middle, last, grain, body); }));
}

}  // namespace detail

/// Calls body(lo, hi) for pieces of [first, last) that cover it without overlap, on all ranks.
/// Returns when all have ended. The range is halved by parallel_invoke down to pieces: which rank
/// runs a piece is up to the scheduler; under KASURI_SCHED=adws mostly the same each time.
/// @param first, last  integers; nothing is done where last is not above first
/// @param grain        a piece has at most so many, and at least half as many unless the range is
///                     shorter; 0 counts as 1
/// @param body         callable with two numbers of the common type of first and last; trivially
///                     copyable, at most 3552 bytes; copied to where it runs. What it returns is
///                     dropped
/// @throw  as parallel_invoke; pieces that have not begun may be left out then
/// @par Thread-safety: as parallel_invoke
template <class First, class Last, class Body>
void parallel_for(First first, Last last, std::size_t grain, Body body) {
  using index = std::common_type_t<First, Last>;
  static_assert(std::is_integral_v<index>, "global::parallel_for counts with integers");
  const auto from = static_cast<index>(first);
  const auto to = static_cast<index>(last);
  if (to <= from) return;
  detail::loop<index, Body>(from, to, grain == 0 ? 1 : grain, body);
}

}  // namespace global
}  // namespace kasuri
