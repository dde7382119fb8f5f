// SPDX-License-Identifier: Apache-2.0
// How long a thread has run of an interval: not while others had its processor. Its waits in the
// system count as its own time: what comes behind them comes as much later.
#pragma once

#include <cstdint>  // for uint64_t

namespace kasuri::profile {

/// The owner's. Asks the kernel at most once in so many microseconds, and behind each long
/// interval.
class ran_clock {
 public:
  /// What is asked about later begins at `now`.
  void begin(std::uint64_t now) noexcept {
    if (is_long_ago(now)) ask();
  }
  /// Ticks that it ran from `since` to `now`; since then begin was called. `usual`: what such an
  /// interval takes, where that is known; the kernel is asked about one that took much longer.
  std::uint64_t ran(std::uint64_t since, std::uint64_t now,
                    std::uint64_t usual = ~std::uint64_t{0}) noexcept {
    const std::uint64_t wall = now > since ? now - since : 0;
    const bool asks = is_long_ago(now) || (wall / 2 > usual && wall > least_asked_);
    return wall != 0 && asks ? ran_of(wall) : wall;
  }

  /// The thread has slept for want of work: what comes counts from the next begin.
  void forget() noexcept { asked_at_ = between_ = 0; }

 private:
  /// It may have asked behind `now` was read.
  bool is_long_ago(std::uint64_t now) const noexcept {
    return now > asked_at_ && now - asked_at_ > between_;
  }
  std::uint64_t ran_of(std::uint64_t wall) noexcept;
  void ask() noexcept;

  std::uint64_t between_ = 0;  // ticks; 0: it has not asked yet
  std::uint64_t least_asked_ = 0;
  std::uint64_t asked_at_ = 0;   // ticks
  std::uint64_t processor_ = 0;  // nanoseconds, then
  std::uint64_t waits_ = 0;      // times that it gave its processor away, then
};

}  // namespace kasuri::profile
