// SPDX-License-Identifier: Apache-2.0
#pragma once

// What wrong uses are told by. A public function looks at what it is given before it uses it, and
// says in one sentence what it takes: else the first error is one from the inside. Where it has
// said so, it does not go on to the errors from the inside.

#include <type_traits>

namespace [[gnu::visibility("default")]] kasuri {

template <class T>
class coro;

namespace detail {

/// For a static_assert in a template that is always wrong to use.
template <class...>
inline constexpr bool refused = false;

template <class T>
inline constexpr bool is_coro = false;
template <class T>
inline constexpr bool is_coro<coro<T>> = true;

/// Whether the call only makes a coroutine, which nobody would run.
template <class F, class... Args>
constexpr bool makes_coro() noexcept {
  if constexpr (std::is_invocable_v<F, Args...>)
    return is_coro<std::remove_cv_t<std::invoke_result_t<F, Args...>>>;
  else
    return false;
}

/// An integer would lose the fraction of such a value.
template <class Integer, class Value>
inline constexpr bool loses_fraction =
    std::is_integral_v<Integer> && !std::is_same_v<Integer, bool> &&
    std::is_floating_point_v<std::remove_cv_t<std::remove_reference_t<Value>>>;

}  // namespace detail
}  // namespace kasuri
