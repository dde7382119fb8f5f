// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// When calls and waits are to end early: a std::stop_token, a time, or both. kasuri/stop.hpp has
/// what takes it.

#include "kasuri/detail/needs_cxx20.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <mutex>
#include <utility>

#include "kasuri/detail/refused.hpp"
#include "kasuri/detail/stop/token.hpp"
#include "kasuri/detail/time.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {
struct stop_access;

template <class T>
inline constexpr bool is_time = false;
template <class Rep, class Period>
inline constexpr bool is_time<std::chrono::duration<Rep, Period>> = true;
template <class Clock, class Duration>
inline constexpr bool is_time<std::chrono::time_point<Clock, Duration>> = true;

/// A time or a std::stop_source: what a condition is made of, and none.
template <class T>
concept no_condition = is_time<T> || requires(const T& source) {
  { source.get_token() } -> std::same_as<stop_token>;
};

}  // namespace detail

/// When a call is to stop: a std::stop_token, a time, whichever comes first, or never. A value: one
/// condition may be given to any number of calls, one after the other and at the same time.
/// @par Thread-safety: as any object.
class stop_condition {
 public:
  /// Never.
  stop_condition() noexcept = default;
  /// Once the token is stopped.
  stop_condition(detail::stop_token token) noexcept  // NOLINT(google-explicit-constructor)
      : token_(std::move(token)) {}
  /// Not of a time or of a std::stop_source.
  template <detail::no_condition T>
  stop_condition(const T&) noexcept {  // NOLINT(google-explicit-constructor)
    static_assert(detail::refused<T>,
                  "a stop condition is a std::stop_token, as source.get_token() gives it, or what "
                  "kasuri::stop_after(100ms) and kasuri::stop_at(time) make");
  }

  /// Whether it is met. It stays so.
  bool stop_requested() const noexcept {
    return token_.stop_requested() || (by_ != detail::never && by_ <= detail::time_after(0));
  }

 private:
  friend detail::stop_access;

  detail::stop_token token_;
  std::int64_t by_ = detail::never;  // of the steady clock
};

namespace detail {

/// For this layer: the parts of a condition, and the scope of a group.
struct stop_access {
  static const stop_token& token(const stop_condition& c) noexcept { return c.token_; }
  static std::int64_t by(const stop_condition& c) noexcept { return c.by_; }
  static stop_condition make(stop_token token, std::int64_t by) noexcept {
    stop_condition c(std::move(token));
    c.by_ = by;
    return c;
  }
  template <class Group>
  static auto& of(Group& g) noexcept {
    return g.group_;
  }
};

}  // namespace detail

/// A condition that is met once `d` has passed from now.
/// @param d     zero or less: it is met
/// @param also  a token that meets it earlier
/// @par Thread-safety: any thread.
template <class Rep, class Period>
[[nodiscard]] stop_condition stop_after(const std::chrono::duration<Rep, Period>& d,
                                        detail::stop_token also = {}) noexcept {
  return detail::stop_access::make(std::move(also), detail::time_after(d));
}

/// A condition that is met once the clock of `t` shows t; by a clock other than
/// std::chrono::steady_clock, as it goes now.
/// @param t     the time
/// @param also  a token that meets it earlier
/// @par Thread-safety: any thread.
template <class Clock, class Duration>
[[nodiscard]] stop_condition stop_at(const std::chrono::time_point<Clock, Duration>& t,
                                     detail::stop_token also = {}) {
  return detail::stop_access::make(std::move(also), detail::time_at(t));
}

}  // namespace kasuri
