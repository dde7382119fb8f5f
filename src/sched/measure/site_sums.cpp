// SPDX-License-Identifier: Apache-2.0
#include "sched/measure/site_sums.hpp"

#include <algorithm>
#include <bit>

#include "platform/base/clock.hpp"

namespace kasuri::sched {
namespace {

constexpr float newest_part = 1.0F / 16;
constexpr float least_share = 1.0F / 65536;

std::size_t size_of(std::uint64_t n) noexcept {
  return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(n | 1)) - 1,
                               site_sums::sizes - 1);
}

void average(float& mean, float value) noexcept {
  mean = mean == 0 ? value : mean + newest_part * (value - mean);
}

double ns_per_tick() noexcept {
  static const double value = 1e9 / platform::about_ticks_per_second();
  return value;
}

}  // namespace

std::uint64_t& site_sums::next_sample_of(std::uint64_t work) noexcept {
  return next_sample[size_of(work) / bits_of_level];
}

void site_sums::learn_forks(std::uint64_t work) noexcept {
  constexpr double most_ns = 20;
  shape& s = by_work[size_of(work)];
  if (fork_ticks != 0 || s.work * ns_per_tick() >= most_ns * s.forks) return;
  fork_ticks = s.work / s.forks;
  s = {};  // its span was that of the recorder
}

void site_sums::learn_shape(const fork_sums& whole, std::uint64_t expected) noexcept {
  const std::uint64_t work = std::clamp<std::uint64_t>(expected, 1, whole.work);
  shape& s = by_work[size_of(work)];
  s.work += static_cast<double>(work);
  s.span +=
      static_cast<double>(whole.span) * static_cast<double>(work) / static_cast<double>(whole.work);
  s.forks += static_cast<double>(whole.forks);
}

fork_sums site_sums::guess(std::uint64_t work, std::uint64_t expected) const noexcept {
  constexpr std::uint64_t most_times = 4;
  const std::uint64_t likely = std::min(work, std::max(most_times * expected, expected));
  const std::size_t own = size_of(likely);
  for (std::size_t away = 0; away != sizes; ++away)
    for (const std::size_t at : {own + away, own - away}) {  // the latter wraps around at 0
      if (at >= sizes || by_work[at].work == 0) continue;
      const shape& s = by_work[at];
      const double times = static_cast<double>(work) / s.work;
      const auto span = static_cast<std::uint64_t>(s.span * times);
      const double alike = static_cast<double>(likely) / s.work;
      return {work, std::clamp<std::uint64_t>(span, 1, std::max<std::uint64_t>(work, 1)),
              static_cast<std::uint64_t>(s.forks * alike + 0.5)};
    }
  return {work, work, 0};
}

void site_sums::learn_share(std::uint64_t first, std::uint64_t second) noexcept {
  const float whole = static_cast<float>(first) + static_cast<float>(second);
  if (!(whole > 0)) return;
  average(first_share, std::clamp(static_cast<float>(first) / whole, least_share, 1.0F));
}

void site_sums::learn_task(std::uint64_t work) noexcept {
  average(mean_task, std::max(1.0F, static_cast<float>(work)));
}

std::uint64_t site_sums::expect_second(std::uint64_t first) const noexcept {
  if (first_share == 0) return unknown_work;
  const float second = static_cast<float>(first) * (1 - first_share) / first_share;
  return static_cast<std::uint64_t>(std::min(second, 1e18F));
}

std::uint64_t site_sums::expect_first(std::uint64_t whole) const noexcept {
  if (whole == unknown_work || first_share == 0) return whole;
  return static_cast<std::uint64_t>(static_cast<float>(whole) * first_share);
}

void site_sums::count_size(std::uint64_t ticks) noexcept {
  log2_ns[size_of(static_cast<std::uint64_t>(static_cast<double>(ticks) * ns_per_tick()))].add();
}

}  // namespace kasuri::sched
