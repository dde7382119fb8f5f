// SPDX-License-Identifier: Apache-2.0
#pragma once

// Times of any clock of std::chrono, as nanoseconds of std::chrono::steady_clock, which is what the
// runtime counts. Numbers that do not fit become the nearest that does: a time that long is over,
// or one that never comes.
//
// <chrono> itself takes as long to compile as much of Kasuri; <mutex> brings the durations, clocks
// and time points, because the locks of std have calls with a time.

#include <cstdint>
#include <mutex>
#include <type_traits>

namespace kasuri {

/// How a wait with a time has ended. It is what std::cv_status and std::future_status say, and
/// becomes and compares with either: `if (c.wait_for(lock, d) == std::cv_status::timeout)`. A type
/// of its own because their headers take longer to compile than all that Kasuri has with a time; a
/// program that names them has included them.
class wait_status {
 public:
  constexpr explicit wait_status(bool came) noexcept : came_(came) {}

  /// Whether the time was over and what was waited for had not come.
  constexpr bool timed_out() const noexcept { return !came_; }

  template <class Status>
    requires(std::is_enum_v<Status> && requires { Status::timeout; })
  constexpr operator Status() const noexcept {  // NOLINT(google-explicit-constructor)
    if (!came_) return Status::timeout;
    if constexpr (requires { Status::no_timeout; })
      return Status::no_timeout;
    else
      return Status::ready;
  }

  template <class Status>
    requires(std::is_enum_v<Status> && requires { Status::timeout; })
  friend constexpr bool operator==(wait_status s, Status other) noexcept {
    return static_cast<Status>(s) == other;
  }

 private:
  bool came_;
};

}  // namespace kasuri

namespace kasuri::detail {

/// The time that never comes.
inline constexpr std::int64_t never = INT64_MAX;

/// A difference of times in nanoseconds, rounded up; 0 for what is not positive or not a number.
inline constexpr std::int64_t whole_nanoseconds(long double ns) noexcept {
  constexpr long double most = 9.2e18L;  // 292 years
  if (!(ns > 0)) return 0;
  if (ns >= most) return never;
  const auto whole = static_cast<std::int64_t>(ns);
  return static_cast<long double>(whole) < ns ? whole + 1 : whole;
}

/// Any duration as a number that holds it: a difference of two of them does not overflow.
template <class Rep, class Period>
constexpr long double in_nanoseconds(const std::chrono::duration<Rep, Period>& d) noexcept {
  return std::chrono::duration<long double, std::nano>(d).count();
}

/// The steady clock's time so long after now.
inline std::int64_t time_after(std::int64_t ns) noexcept {
  const std::int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::steady_clock::now().time_since_epoch())
                               .count();
  return ns >= never - now ? never : now + ns;
}

template <class Rep, class Period>
std::int64_t time_after(const std::chrono::duration<Rep, Period>& d) noexcept {
  return time_after(whole_nanoseconds(in_nanoseconds(d)));
}

/// The steady clock's time at which another clock, as it goes now, shows `t`.
template <class Clock, class Duration>
std::int64_t time_at(const std::chrono::time_point<Clock, Duration>& t) {
  return time_after(whole_nanoseconds(in_nanoseconds(t.time_since_epoch()) -
                                      in_nanoseconds(Clock::now().time_since_epoch())));
}

/// Calls attempt(time of the steady clock), which waits until then at most, until it says true or
/// the clock of `t` shows t: other clocks may be set while it waits. Returns what it said last.
template <class Clock, class Duration, class Attempt>
bool until(const std::chrono::time_point<Clock, Duration>& t, Attempt attempt) {
  for (;;) {
    if (attempt(time_at(t))) return true;
    if constexpr (std::is_same_v<Clock, std::chrono::steady_clock>)
      return false;
    else if (Clock::now() >= t)
      return false;
  }
}

}  // namespace kasuri::detail
