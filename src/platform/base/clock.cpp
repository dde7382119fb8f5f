// SPDX-License-Identifier: Apache-2.0
#include "platform/base/clock.hpp"

#include <ctime>

namespace kasuri::platform {
namespace {

#if defined(__aarch64__)

double find_rate() noexcept {
  std::uint64_t frequency;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
  return static_cast<double>(frequency);
}

double find_rough_rate() noexcept { return find_rate(); }

#elif defined(__x86_64__)

struct sample {
  std::uint64_t ticks;
  std::uint64_t nanoseconds;
};

std::uint64_t raw_nanoseconds() noexcept {
  std::timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

// Both clocks at one moment, as nearly as can be had: the tightest of a few readings, because an
// interrupt between the two would shift one against the other.
sample take_sample() noexcept {
  sample best{};
  std::uint64_t narrowest = ~std::uint64_t{0};
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t before = ticks();
    const std::uint64_t now = raw_nanoseconds();
    const std::uint64_t width = ticks() - before;
    if (width < narrowest) {
      narrowest = width;
      best = {before + width / 2, now};
    }
  }
  return best;
}

// Taken when the library is loaded, so that a thread that asks for the rate a little later need not
// wait.
const sample first = take_sample();

// A base of 5 ms and readings good to about 30 ns give the rate to some 10 parts in a million.
constexpr std::uint64_t shortest_base = 5'000'000;  // ns

// Good to a part in a thousand; what is between the loading and the first use is nearly always
// longer.
constexpr std::uint64_t shortest_rough_base = 50'000;  // ns

/// By what passed since the library was loaded, `base` nanoseconds at least.
template <class Pause>
double find_rate(std::uint64_t base, Pause pause) noexcept {
  // Zero when another static initialiser asks before `first` was filled in.
  const sample start = first.nanoseconds != 0 ? first : take_sample();
  sample now = take_sample();
  while (now.nanoseconds - start.nanoseconds < base) {
    pause();
    now = take_sample();
  }
  return static_cast<double>(now.ticks - start.ticks) * 1e9 /
         static_cast<double>(now.nanoseconds - start.nanoseconds);
}

double find_rate() noexcept {
  return find_rate(shortest_base, [] {
    const std::timespec pause{0, 1'000'000};
    nanosleep(&pause, nullptr);
  });
}

double find_rough_rate() noexcept {
  return find_rate(shortest_rough_base, [] {});
}

#else

double find_rate() noexcept {
  return 1e9;  // ticks() counts nanoseconds
}

double find_rough_rate() noexcept { return find_rate(); }

#endif

}  // namespace

std::int64_t steady_nanoseconds() noexcept {
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

double about_ticks_per_second() noexcept {
  static const double rate = find_rough_rate();
  return rate;
}

double ticks_per_second() noexcept {
  static const double rate = find_rate();
  return rate;
}

}  // namespace kasuri::platform

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

std::uint64_t about_ticks_of_us(unsigned us) noexcept { return platform::ticks_of_us(us); }

}  // namespace detail
}  // namespace kasuri
