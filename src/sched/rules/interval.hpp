// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ranges of workers for almost deterministic work stealing (Shiina and Taura, "Almost Deterministic
// Work Stealing", SC '19).
//
// Workers are cells [i, i + 1) of a line laid along the machine tree. A task owns an interval of
// it; a fork splits the interval in proportion to the work of its two sides. Fixed point, so that a
// split gives the same cells in every sweep on every machine.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "platform/base/expect.hpp"

namespace kasuri::sched {

struct interval {
  static constexpr int fraction_bits = 32;

  std::uint64_t begin = 0;  // in 2^-32 workers
  std::uint64_t end = 0;

  friend bool operator==(const interval&, const interval&) = default;

  static constexpr interval of_workers(int first, int count) noexcept {
    KASURI_EXPECT(cheap, first >= 0 && count >= 0, "workers %d and %d more", first, count);
    const auto from = static_cast<std::uint64_t>(first) << fraction_bits;
    return {from, from + (static_cast<std::uint64_t>(count) << fraction_bits)};
  }

  constexpr std::uint64_t length() const noexcept { return end - begin; }
  constexpr bool empty() const noexcept { return begin >= end; }

  /// The worker in whose cell it begins; it runs the task.
  constexpr int first_worker() const noexcept { return static_cast<int>(begin >> fraction_bits); }
  /// The last worker that it reaches into; the first of an empty one.
  constexpr int last_worker() const noexcept {
    return empty() ? first_worker() : static_cast<int>((end - 1) >> fraction_bits);
  }
  constexpr bool spans() const noexcept { return first_worker() != last_worker(); }
  constexpr bool holds(int worker) const noexcept {
    return first_worker() <= worker && worker <= last_worker();
  }

  /// The part between two fractions of its length.
  constexpr interval part(double from, double to) const noexcept { return {at(from), at(to)}; }

  /// In proportion a : b. Shares that are no positive numbers count as none; two of them are equal,
  /// and so are two that are infinite.
  constexpr std::pair<interval, interval> split(double a, double b) const noexcept {
    constexpr double most = std::numeric_limits<double>::max() / 2;  // the sum of two is finite
    const double left = a > 0 ? std::min(a, most) : 0;
    const double right = b > 0 ? std::min(b, most) : 0;
    const std::uint64_t middle = at(left + right > 0 ? left / (left + right) : 0.5);
    return {{begin, middle}, {middle, end}};
  }

  /// Its part of the cell of its k-th worker, round and round.
  constexpr interval cell(std::uint32_t k) const noexcept {
    const auto count = static_cast<std::uint32_t>(last_worker() - first_worker() + 1);
    const interval whole = of_workers(first_worker() + static_cast<int>(k % count), 1);
    KASURI_EXPECT(cheap, whole.end > begin && (whole.begin < end || empty()),
                  "cell %d of the workers %d to %d", whole.first_worker(), first_worker(),
                  last_worker());
    return {std::max(begin, whole.begin), std::min(end, whole.end)};
  }

 private:
  constexpr std::uint64_t at(double fraction) const noexcept {
    KASURI_EXPECT(cheap, begin <= end, "the interval ends at %#llx and begins at %#llx",
                  static_cast<unsigned long long>(end), static_cast<unsigned long long>(begin));
    if (!(fraction > 0)) return begin;
    if (fraction >= 1) return end;
    return begin + static_cast<std::uint64_t>(static_cast<double>(length()) * fraction);
  }
};

}  // namespace kasuri::sched
