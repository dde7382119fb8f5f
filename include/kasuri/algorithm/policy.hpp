// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

/// \file
/// The algorithms of the standard library in parallel: the same names and order of arguments behind
/// kasuri::par, for random access iterators, and for sized random access ranges with projections.
///
/// All of them share these rules:
/// - The result is that of the serial algorithm of that name, at any number of workers, where the
///   reference of one does not say otherwise.
/// - The program's functions are called from several workers at once, in no order, on objects that
///   are shared: they must not change what they have captured without care for that. They may
///   block.
/// - An exception leaves the algorithm once every piece in flight has ended; of several, one comes
///   out. What was to be written is then partly written.
/// - An algorithm that has begun runs to its end also in a canceled task group, and in a task whose
///   group is canceled meanwhile.
/// - Any thread may call; calls nest.
/// - Inputs and outputs of one call must not overlap where the serial algorithm's must not.

namespace kasuri {

/// How an algorithm divides its work. kasuri::par lets the library choose.
struct parallel_policy {
  /// The least elements that a worker takes at a time; 0: found while it runs.
  std::size_t grain = 0;

  /// The same with another grain.
  constexpr parallel_policy with_grain(std::size_t elements) const noexcept { return {elements}; }
};

/// The first argument of the parallel algorithms: `kasuri::sort(kasuri::par, v)`.
inline constexpr parallel_policy par{};

/// A range that the algorithms can divide: an array, std::vector, std::span and the like.
template <class R>
concept parallel_range = std::ranges::random_access_range<R> && std::ranges::sized_range<R>;

namespace detail {

template <class R>
constexpr auto end_of(R& range) {
  return std::ranges::begin(range) + std::ranges::ssize(range);
}

// A predicate behind a projection.
template <class F, class Projection>
constexpr auto projected(F& f, Projection& projection) {
  return [&f, &projection](auto&& x) -> decltype(auto) {
    return std::invoke(f, std::invoke(projection, std::forward<decltype(x)>(x)));
  };
}

// A comparison behind a projection.
template <class F, class Projection>
constexpr auto projected_pair(F& f, Projection& projection) {
  return [&f, &projection](auto&& x, auto&& y) -> decltype(auto) {
    return std::invoke(f, std::invoke(projection, std::forward<decltype(x)>(x)),
                       std::invoke(projection, std::forward<decltype(y)>(y)));
  };
}

}  // namespace detail
}  // namespace kasuri
