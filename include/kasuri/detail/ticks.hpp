// SPDX-License-Identifier: Apache-2.0
// The processor's own counter: the cheapest clock there is (about 20 cycles on x86-64), the same on
// all cores of a machine with an invariant counter, and in no fixed unit.
#pragma once

#include <cstdint>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <chrono>
#endif

#include "kasuri/detail/cxx_library.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

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
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                                    std::chrono::nanoseconds(1));
#endif
}

/// So many microseconds, to a part in a thousand.
std::uint64_t about_ticks_of_us(unsigned us) noexcept;

}  // namespace detail
}  // namespace kasuri
