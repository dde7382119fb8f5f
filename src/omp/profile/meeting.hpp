// SPDX-License-Identifier: Apache-2.0
#pragma once

// A point of the program at which the paths of several tasks meet: the longest one counts.

#include <atomic>
#include <cstdint>
#include <mutex>

#include "omp/base/spin_lock.hpp"
#include "profile/strand/strand.hpp"

namespace kasuri::omp::sums {

class meeting {
 public:
  /// Any thread. The paths of later callers are longer as a rule, but most that are not need no
  /// lock.
  void meet(const profile::path& p) noexcept {
    // relaxed: both only grow, so that an old value sends the caller to the lock at worst
    if (p.length() <= length_.load(std::memory_order_relaxed) &&
        p.burdened() <= burdened_.load(std::memory_order_relaxed))
      return;
    const std::lock_guard hold(lock_);
    longest_.meet(p);
    length_.store(longest_.length(), std::memory_order_relaxed);
    burdened_.store(longest_.burdened(), std::memory_order_relaxed);
  }

  /// The path goes on with the longest that has come.
  void pass_to(profile::path& p) noexcept {
    const std::lock_guard hold(lock_);
    p.meet(longest_);
  }

  /// While nobody else is here.
  void begin_anew() noexcept {
    longest_ = {};
    length_.store(0, std::memory_order_relaxed);
    burdened_.store(0, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t> length_{0};
  std::atomic<std::uint64_t> burdened_{0};
  spin_lock lock_;  // guards the path
  profile::path longest_;
};

meeting* make_meeting() noexcept;
void free_meeting(meeting* m) noexcept;

}  // namespace kasuri::omp::sums
