// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Several futures as one: when_all and when_any.
///
/// Both take the futures over and give them back inside of the result, so that each can be asked
/// for its value or its exception. A shared_future is copied. No thread waits meanwhile.

#include "kasuri/detail/needs_cxx20.hpp"

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasuri/detail/flow/when_state.hpp"
#include "kasuri/detail/refused.hpp"
#include "kasuri/future.hpp"

namespace kasuri {

/// A future or a shared_future.
template <class T>
concept any_future = detail::is_future<std::remove_cvref_t<T>>;

namespace detail {
/// What when_all and when_any refuse.
template <class T>
concept any_coro = is_coro<std::remove_cvref_t<T>>;
}  // namespace detail

/// What when_any brings.
template <class Sequence>
struct when_any_result {
  /// The number of a future that is ready, in the order in which they were given; not_one when
  /// there are no futures.
  std::size_t index = not_one;
  /// All of them: a std::vector or a std::tuple. Others than `index` may be ready too, or not.
  Sequence futures;

  /// The index of no future.
  static constexpr std::size_t not_one = static_cast<std::size_t>(-1);
};

/// Waits for all futures as one.
/// @param futures  each a future, moved from, or a shared_future
/// @return a future of them as a tuple, ready when all are; no exception comes out of it, they
///         come out of the futures in the tuple
/// @throw std::logic_error when one is not valid(); std::bad_alloc: the futures are as they were
/// @par Thread-safety: any thread.
template <any_future... Futures>
[[nodiscard]] auto when_all(Futures&&... futures) {
  using all = std::tuple<std::remove_cvref_t<Futures>...>;
  return detail::wait_for_tuple<all, detail::when_all_rule>(detail::given(futures)...);
}

/// The same for the futures of [first, last), which are moved from; shared futures are copied.
/// Where the call throws, some may have been moved from.
/// @return a future of a std::vector of them, in their order
template <std::input_iterator It, std::sentinel_for<It> End>
  requires any_future<std::iter_value_t<It>>
[[nodiscard]] auto when_all(It first, End last) {
  auto all = detail::futures_of(std::move(first), std::move(last));
  return detail::wait_for_vector<decltype(all), detail::when_all_rule>(std::move(all));
}

/// The same for a range of futures.
template <std::ranges::input_range Range>
  requires any_future<std::ranges::range_value_t<Range>>
[[nodiscard]] auto when_all(Range&& futures) {
  return when_all(std::ranges::begin(futures), std::ranges::end(futures));
}

/// Refused: a coroutine is no future yet.
template <class... Given>
  requires(detail::any_coro<Given> || ...)
void when_all(Given&&...) {
  static_assert(detail::refused<Given...>,
                "kasuri::when_all: takes futures, and this is a coroutine that has not begun: give "
                "async(f()) in place of f()");
}

/// Waits until one of the futures is ready.
/// @param futures  each a future, moved from, or a shared_future
/// @return a future of a when_any_result with them as a tuple: ready when the first is, at once
///         when there are none
/// @throw std::logic_error when one is not valid(); std::bad_alloc: the futures are as they were
/// @par Thread-safety: any thread.
template <any_future... Futures>
[[nodiscard]] auto when_any(Futures&&... futures) {
  using any = when_any_result<std::tuple<std::remove_cvref_t<Futures>...>>;
  return detail::wait_for_tuple<any, detail::when_any_rule>(detail::given(futures)...);
}

/// The same for the futures of [first, last), which are moved from; shared futures are copied.
/// Where the call throws, some may have been moved from.
/// @return a future of a when_any_result with a std::vector of them, in their order
template <std::input_iterator It, std::sentinel_for<It> End>
  requires any_future<std::iter_value_t<It>>
[[nodiscard]] auto when_any(It first, End last) {
  auto all = detail::futures_of(std::move(first), std::move(last));
  using any = when_any_result<decltype(all)>;
  return detail::wait_for_vector<any, detail::when_any_rule>(std::move(all));
}

/// The same for a range of futures.
template <std::ranges::input_range Range>
  requires any_future<std::ranges::range_value_t<Range>>
[[nodiscard]] auto when_any(Range&& futures) {
  return when_any(std::ranges::begin(futures), std::ranges::end(futures));
}

/// Refused: a coroutine is no future yet.
template <class... Given>
  requires(detail::any_coro<Given> || ...)
void when_any(Given&&...) {
  static_assert(detail::refused<Given...>,
                "kasuri::when_any: takes futures, and this is a coroutine that has not begun: give "
                "async(f()) in place of f()");
}

}  // namespace kasuri
