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
  /// What is asked about later begins at `now`, or a little later, where the kernel was asked
  /// first: when.
  [[nodiscard]] std::uint64_t begin(std::uint64_t now) noexcept {
    const bool is_behind_gap = now > ended_at_ && now - ended_at_ > least_gap_;
    return is_long_ago(now) || is_behind_gap ? ask() : now;
  }
  /// Ticks that it ran from `since` to `now`; since then begin was called. `usual`: what such an
  /// interval takes. The kernel is asked about one that took a third more.
  std::uint64_t ran(std::uint64_t since, std::uint64_t now, std::uint64_t usual) noexcept {
    return ran(since, now, usual, usual + usual / 3);
  }
  /// ... what those before took, and four times as long.
  std::uint64_t ran(std::uint64_t since, std::uint64_t now) noexcept {
    const std::uint64_t ticks = ran(since, now, usual_, 4 * usual_);
    usual_ += ticks / 16 - usual_ / 16;
    return ticks;
  }

 private:
  /// It may have asked behind `now` was read.
  bool is_long_ago(std::uint64_t now) const noexcept {
    return now > asked_at_ && now - asked_at_ > between_;
  }
  std::uint64_t ran(std::uint64_t since, std::uint64_t now, std::uint64_t usual,
                    std::uint64_t odd) noexcept {
    const std::uint64_t wall = now > since ? now - since : 0;
    ended_at_ = now;
    const bool is_odd = wall > odd && wall > least_asked_;
    return wall != 0 && (is_odd || is_long_ago(now)) ? ran_of(wall, now, usual) : wall;
  }
  std::uint64_t ran_of(std::uint64_t wall, std::uint64_t now, std::uint64_t usual) noexcept;
  /// When it was answered.
  std::uint64_t ask() noexcept;

  std::uint64_t between_ = 0;  // ticks; 0: it has not asked yet
  std::uint64_t least_asked_ = 0;
  std::uint64_t usual_ = 0;
  std::uint64_t ended_at_ = 0;   // the last interval; what comes long behind that is in none
  std::uint64_t least_gap_ = 0;  // ticks
  std::uint64_t switch_ = 0;     // what it costs at most to lose the processor and get it back
  std::uint64_t asked_at_ = 0;   // ticks
  std::uint64_t processor_ = 0;  // nanoseconds, then
  std::uint64_t waits_ = 0;      // times that it gave its processor away, then
};

}  // namespace kasuri::profile
