// SPDX-License-Identifier: Apache-2.0
// The processor's own counter: the cheapest clock there is (about 20 cycles on x86-64), the same on
// all cores of a machine with an invariant counter, and in no fixed unit.
#pragma once

#include <cstdint>  // for uint64_t

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <ctime>  // for clock_gettime
#endif

namespace kasuri::platform {

/// The counter now. Neither serialising nor ordered with other loads: good for intervals of tens of
/// nanoseconds and more.
inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
#else
  std::timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
#endif
}

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
