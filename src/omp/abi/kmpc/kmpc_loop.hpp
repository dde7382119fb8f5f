// SPDX-License-Identifier: Apache-2.0
#pragma once

// Loops as Clang's programs see them: bounds are inclusive, and the types of their variables are
// the signed and unsigned integers of 32 and 64 bits, with a signed step.

#include <cstdint>
#include <type_traits>

#include "omp/work/loop.hpp"

namespace kasuri::omp::kmpc {

/// The numbers by which Clang names schedules. Ordered loops have the same numbers plus `ordered`.
enum : std::int32_t {
  static_chunked = 33,
  static_plain = 34,
  dynamic_chunked = 35,
  guided_chunked = 36,
  runtime = 37,
  automatic = 38,
  static_balanced_chunked = 45,
  guided_simd = 46,
  runtime_simd = 47,
  ordered_first = 65,
  ordered_static_chunked = 65,
  ordered_last = 72,
  ordered = 32,
  distribute_static_chunked = 91,
  distribute_static = 92,
  unmerged_first = 160,  // another numbering of the same
  unmerged = 128,
  monotonic = 1 << 29,
  nonmonotonic = 1 << 30,
  modifiers = monotonic | nonmonotonic,
};

template <class Index>
using step_of = std::make_signed_t<Index>;

/// Iterations from lower to upper, both included.
template <class Index>
constexpr std::uint64_t iterations_between(Index lower, Index upper, step_of<Index> step) noexcept {
  using wide = std::make_unsigned_t<Index>;
  const auto l = static_cast<wide>(lower);
  const auto u = static_cast<wide>(upper);
  const auto s = static_cast<wide>(step);
  if (step > 0)
    return lower <= upper ? static_cast<std::uint64_t>(static_cast<wide>(u - l) / s) + 1 : 0;
  if (step == 0 || lower < upper) return 0;
  return static_cast<std::uint64_t>(static_cast<wide>(l - u) / static_cast<wide>(0 - s)) + 1;
}

}  // namespace kasuri::omp::kmpc
