// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kasuri/detail/ticks.hpp"

// How long an iteration of a loop took before.
//
// A loop that is over within a few microseconds takes longer where other workers help: it takes
// about one to hand a part over. Whether it will be, its size does not say, and the first iterations
// say it too late for loops of few long ones. But most loops take as long as they took before. So
// the time of an iteration is kept for each kind of loop, by the type of its body.
//
// What is wrong costs little. A loop that was expected to be short and is not stops being alone
// after the time that was allowed, and its true pace is kept. Code that several workers run takes
// longer an iteration, so what is seen there only lowers the pace: it is a bound.

namespace kasuri::detail {

/// Ticks that a loop may take and be its caller's alone.
inline std::uint64_t alone_ticks() noexcept {
  constexpr unsigned us = 4;
  static const std::uint64_t ticks = about_ticks_of_us(us);
  return ticks;
}

/// Ticks of an iteration of loops of one kind. Any thread.
template <class Kind>
class pace {
 public:
  /// Ticks that so many iterations take; 0: not known.
  static double expected(std::size_t iterations) noexcept {
    return static_cast<double>(ticks_.load(std::memory_order_relaxed)) *
           static_cast<double>(iterations);
  }
  /// They took that long, by one worker alone.
  static void learn(std::uint64_t ticks, std::size_t iterations) noexcept {
    const float now = static_cast<float>(ticks) / static_cast<float>(iterations);
    const float before = ticks_.load(std::memory_order_relaxed);
    // Written seldom: all who run such a loop read it.
    if (now < before * 0.75F || now > before * 1.25F) ticks_.store(now, std::memory_order_relaxed);
  }
  /// They took that long, while others ran some too.
  static void learn_most(std::uint64_t ticks, std::size_t iterations) noexcept {
    const float before = ticks_.load(std::memory_order_relaxed);
    const float now = static_cast<float>(ticks) / static_cast<float>(iterations);
    if (before == 0 || now < before) learn(ticks, iterations);
  }

 private:
  static inline constinit std::atomic<float> ticks_{0};
};

}  // namespace kasuri::detail
