// SPDX-License-Identifier: Apache-2.0
#include "omp/contention.hpp"

#include <algorithm>
#include <atomic>

#include "platform/clock.hpp"

namespace kasuri::omp {
namespace {

// Far above a wake-up and what daemons take, below a turn of the kernel's scheduler.
constexpr double sign_us = 500;
constexpr double least_hold_us = 20'000;
constexpr double most_hold_us = 640'000;
// Less than a wake-up takes: who is on a core comes within that time, or is at work.
constexpr double short_spin_us = 10;

// Both may be written by several at once, and then either is right.
std::atomic<std::uint64_t> shared_until{0};
std::atomic<std::uint64_t> hold{0};

std::uint64_t ticks_of(double us) noexcept {
  static const double per_us = platform::ticks_per_second() * 1e-6;
  return static_cast<std::uint64_t>(us * per_us);
}

}  // namespace

void lost_core(std::uint64_t since, std::uint64_t now) noexcept {
  // Counters of two cores may differ by little: then `now` is the earlier one.
  if (now <= since || now - since < ticks_of(sign_us)) return;
  const std::uint64_t until = shared_until.load(std::memory_order_relaxed);
  std::uint64_t length = hold.load(std::memory_order_relaxed);
  if (now >= until) {
    const bool again = now - until < length;
    length = again ? std::min(2 * length, ticks_of(most_hold_us)) : ticks_of(least_hold_us);
    hold.store(length, std::memory_order_relaxed);
  }
  shared_until.store(now + length, std::memory_order_relaxed);
}

bool cores_are_shared(std::uint64_t now) noexcept {
  return now < shared_until.load(std::memory_order_relaxed);
}

std::uint64_t short_spin_ticks() noexcept { return ticks_of(short_spin_us); }

}  // namespace kasuri::omp
