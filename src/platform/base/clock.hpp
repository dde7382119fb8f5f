// SPDX-License-Identifier: Apache-2.0
// The rate of the processor's own counter.
#pragma once

#include <cstdint>  // for uint64_t, int64_t

#include "kasuri/detail/ticks.hpp"

namespace kasuri::platform {

using detail::ticks;

/// Nanoseconds of the clock that std::chrono::steady_clock reads.
std::int64_t steady_nanoseconds() noexcept;

/// How many ticks make a second; found at the first call and then the same for the life of the
/// process. The first call may sleep for some milliseconds where the rate has to be measured.
/// Thread-safe.
double ticks_per_second() noexcept;

/// The same to a part in a thousand, for how long to wait and the like: found without a sleep.
double about_ticks_per_second() noexcept;

/// About so many microseconds, not negative, in ticks; rounded down. Thread-safe.
inline std::uint64_t ticks_of_us(double us) noexcept {
  static const double per_us = about_ticks_per_second() * 1e-6;
  return static_cast<std::uint64_t>(us * per_us);
}

}  // namespace kasuri::platform
