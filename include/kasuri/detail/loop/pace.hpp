// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "kasuri/detail/ticks.hpp"

// How long an iteration of a loop took before.
//
// A loop that is over within a few microseconds takes longer where other workers help: it takes
// about one to hand a part over. Whether it will be, its size does not say, and the first
// iterations say it too late for loops of few long ones. But most loops take as long as they took
// before. So the mean time of an iteration is kept for each kind of loop, by the type of its body.
//
// Code that several workers run takes another time an iteration: lines are fetched from each other,
// but each has less to go over. So what is seen there counts only where nothing better is known.

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
    return std::abs(static_cast<double>(ticks_.load(std::memory_order_relaxed))) *
           static_cast<double>(iterations);
  }
  /// Whether many in a row took no longer than those before.
  static bool is_trusted() noexcept { return trust_.load(std::memory_order_relaxed) == most_trust; }
  /// Whether the last one took longer.
  static bool is_doubtful() noexcept { return ticks_.load(std::memory_order_relaxed) < 0; }
  /// A loop of so many, or the beginning of one, took that long, by one worker alone. A longer time
  /// counts when it comes a second time: mostly something came between, and workers that are called
  /// for nothing come between the next.
  static void learn(std::uint64_t ticks, std::size_t iterations) noexcept {
    const float word = ticks_.load(std::memory_order_relaxed);
    const float before = std::abs(word);
    const float now = mean(ticks, iterations);
    const bool is_longer = before > 0 && now > before * 1.25F;
    count(!is_longer);
    if (is_longer)
      note(word < 0 ? now : -before, word);
    else
      note(now < before * 0.75F || before <= 0 ? now : before, word);
  }
  /// All workers together took that long for a loop of so many. That corrects what was far off.
  static void learn_of_all(std::uint64_t ticks, std::size_t iterations) noexcept {
    const float word = ticks_.load(std::memory_order_relaxed);
    const float before = std::abs(word);
    const float now = mean(ticks, iterations);
    const bool is_far_off = now < before * 0.5F || now > before * 2;
    count(!is_far_off);
    if (is_far_off) note(now, word);
  }

 private:
  static float mean(std::uint64_t ticks, std::size_t iterations) noexcept {
    const std::uint64_t known = std::max<std::uint64_t>(ticks, 1);
    return static_cast<float>(known) / static_cast<float>(iterations);
  }
  static void note(float now, float word) noexcept {
    // Written seldom: all who run such a loop read it.
    if (now < word || now > word) ticks_.store(now, std::memory_order_relaxed);
  }

  // Two at the same time may count as one.
  static void count(bool as_expected) noexcept {
    const std::uint8_t before = trust_.load(std::memory_order_relaxed);
    if (!as_expected && before != 0)
      trust_.store(0, std::memory_order_relaxed);
    else if (as_expected && before != most_trust)
      trust_.store(static_cast<std::uint8_t>(before + 1), std::memory_order_relaxed);
  }

  static constexpr std::uint8_t most_trust = 32;

  // Negative: it is doubtful.
  alignas(64) static inline constinit std::atomic<float> ticks_{0};
  static inline constinit std::atomic<std::uint8_t> trust_{0};
};

/// Loops whose iterations may wait for each other: none of them is its caller's alone.
struct waiting_bodies;
template <>
class pace<waiting_bodies> {
 public:
  static double expected(std::size_t) noexcept { return 0; }
  static bool is_trusted() noexcept { return false; }
  static bool is_doubtful() noexcept { return false; }
  static void learn(std::uint64_t, std::size_t) noexcept {}
  static void learn_of_all(std::uint64_t, std::size_t) noexcept {}
};

}  // namespace kasuri::detail
