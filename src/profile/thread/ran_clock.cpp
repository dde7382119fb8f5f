// SPDX-License-Identifier: Apache-2.0
#include "profile/thread/ran_clock.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "platform/base/clock.hpp"
#include "platform/base/processor_time.hpp"

namespace kasuri::profile {
namespace {

constexpr double between_us = 400;
constexpr double least_away_us = 5;  // less is the time between two clocks' readings
constexpr double least_gap_us = 15;
constexpr double most_a_switch_us = 30;
constexpr double least_asked_us = 8;

}  // namespace

std::uint64_t ran_clock::ask() noexcept {
  rusage usage{};  // its times go by the kernel's tick
  getrusage(RUSAGE_THREAD, &usage);
  processor_ = platform::processor_nanoseconds();
  asked_at_ = platform::ticks();
  waits_ = static_cast<std::uint64_t>(usage.ru_nvcsw);
  between_ = platform::ticks_of_us(between_us);
  least_asked_ = platform::ticks_of_us(least_asked_us);
  switch_ = platform::ticks_of_us(most_a_switch_us);
  least_gap_ = platform::ticks_of_us(least_gap_us);
  return asked_at_;
}

std::uint64_t ran_clock::ran_of(std::uint64_t wall, std::uint64_t now,
                                std::uint64_t usual) noexcept {
  const bool known = between_ != 0;
  const std::uint64_t asked_at = asked_at_;
  const std::uint64_t processor = processor_;
  const std::uint64_t waits = waits_;
  ask();
  if (!known || waits_ != waits) return wall;
  const std::uint64_t since_asked = now > asked_at ? now - asked_at : 0;
  const auto had = platform::ticks_of_us(1e-3 * static_cast<double>(processor_ - processor));
  if (had + platform::ticks_of_us(least_away_us) > since_asked) return wall;
  const std::uint64_t away = since_asked - had;
  const std::uint64_t left = wall > away ? std::max<std::uint64_t>(wall - away, 1) : 1;
  // Less than the others cost it by the way: their traces in the caches, the switches themselves.
  const bool switched = away > switch_ && left > usual && left - usual < switch_;
  return switched ? std::max<std::uint64_t>(usual, 1) : left;
}

}  // namespace kasuri::profile
