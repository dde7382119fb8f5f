// SPDX-License-Identifier: Apache-2.0
#include "omp/wait/shared_cores.hpp"

#include <algorithm>

#include "platform/base/clock.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::omp {
namespace {

// Far above a wake-up and what daemons take, below a turn of the kernel's scheduler.
constexpr double sign_us = 500;
constexpr double least_hold_us = 20'000;
constexpr double most_hold_us = 640'000;
// Within which the kernel's scheduler has spread new threads over the cores.
constexpr double start_us = 2'000;
// Less than a wake-up takes: a member that has not come by then is at work, or has no core.
constexpr double short_spin_us = 10;

}  // namespace

constinit shared_cores cores_are_shared;

void shared_cores::lost(std::uint64_t since, std::uint64_t now) noexcept {
  // Counters of two cores may differ by little: then `now` may be the earlier one.
  if (now <= since || now - since < platform::ticks_of_us(sign_us)) return;
  const std::uint64_t until = until_.load(std::memory_order_relaxed);
  std::uint64_t hold = hold_.load(std::memory_order_relaxed);
  if (now >= until) {
    const bool soon = now - until < hold;
    hold = soon ? std::min(2 * hold, platform::ticks_of_us(most_hold_us))
                : platform::ticks_of_us(least_hold_us);
    KASURI_EXPECT(
        cheap,
        hold >= platform::ticks_of_us(least_hold_us) && hold <= platform::ticks_of_us(most_hold_us),
        "a sign holds for %lu ticks", hold);
    hold_.store(hold, std::memory_order_relaxed);
  }
  until_.store(now + hold, std::memory_order_relaxed);
}

void shared_cores::thread_starts(std::uint64_t now) noexcept {
  started_until_.store(now + platform::ticks_of_us(start_us), std::memory_order_relaxed);
}

std::uint64_t shared_cores::short_spin_ticks() noexcept {
  return platform::ticks_of_us(short_spin_us);
}

}  // namespace kasuri::omp
