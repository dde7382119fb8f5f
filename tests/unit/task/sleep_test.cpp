// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <kasuri/kasuri.hpp>
#include <limits>
#include <ratio>
#include <thread>
#include <vector>

#include "kasuri/detail/time.hpp"
#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

TEST(times, become_nanoseconds_that_fit) {
  using detail::in_nanoseconds;
  using detail::whole_nanoseconds;
  EXPECT_EQ(whole_nanoseconds(in_nanoseconds(3s)), 3'000'000'000);
  EXPECT_EQ(whole_nanoseconds(in_nanoseconds(0s)), 0);
  EXPECT_EQ(whole_nanoseconds(in_nanoseconds(-3s)), 0);
  EXPECT_EQ(whole_nanoseconds(in_nanoseconds(std::chrono::hours::max())), detail::never);
  EXPECT_EQ(whole_nanoseconds(in_nanoseconds(std::chrono::hours::min())), 0);
  EXPECT_EQ(whole_nanoseconds(in_nanoseconds(std::chrono::nanoseconds::max())), detail::never);
  EXPECT_EQ(whole_nanoseconds(in_nanoseconds(std::chrono::duration<int, std::pico>(1))), 1)
      << "rounded up";
  EXPECT_EQ(whole_nanoseconds(in_nanoseconds(std::chrono::duration<double>(0.5))), 500'000'000);
  EXPECT_EQ(whole_nanoseconds(in_nanoseconds(
                std::chrono::duration<double>(std::numeric_limits<double>::quiet_NaN()))),
            0);
  EXPECT_EQ(detail::time_after(std::chrono::hours::max()), detail::never);
  EXPECT_EQ(detail::time_at(steady::time_point::max()), detail::never);
  constexpr std::int64_t century = 3'155'760'000'000'000'000;
  EXPECT_GT(detail::time_at(std::chrono::system_clock::time_point::max()), century);
  const auto now = steady::now().time_since_epoch().count();
  const auto over = detail::time_at(steady::time_point::min());
  EXPECT_LE(over, detail::time_after(0s));
  EXPECT_GE(over, now);
  // What is exact for the steady clock stays so but for what passes between two looks at it.
  EXPECT_GE(detail::time_at(steady::now() + 1h), now + 3'600'000'000'000 - 1);
}

using sleep_of = test::pool_of;

TEST_P(sleep_of, comes_back_when_its_time_has_come_and_not_before) {
  std::atomic<int> early{0};
  std::atomic<int> back{0};
  tasks_and_threads(20, 2, [&](int i) {
    const auto t = steady::now() + std::chrono::microseconds(100 * i);
    if (i % 2 == 0)
      sleep_until(t);
    else
      sleep_for(t - steady::now());
    if (i % 2 == 0 && steady::now() < t) ++early;
    ++back;
  });
  EXPECT_EQ(early, 0);
  EXPECT_EQ(back, 22);
}

TEST_P(sleep_of, times_that_are_over_wait_for_nothing) {
  tasks_and_threads(2, 2, [&](int) {
    sleep_for(0s);
    sleep_for(-1h);
    sleep_for(std::chrono::hours::min());
    sleep_until(steady::time_point::min());
    sleep_until(steady::now());
    sleep_until(std::chrono::system_clock::time_point::min());
  });
}

TEST_P(sleep_of, any_clock) {
  const auto t = std::chrono::system_clock::now() + 1ms;
  tasks_and_threads(2, 1, [&](int) {
    sleep_until(t);
    EXPECT_GE(std::chrono::system_clock::now(), t);
  });
}

/// Shows half of the time that has passed.
struct slow_clock {
  using rep = std::int64_t;
  using period = std::nano;
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<slow_clock>;
  static constexpr bool is_steady = true;
  static time_point now() { return time_point(steady::now().time_since_epoch() / 2); }
};

TEST_P(sleep_of, looks_at_the_clock_again) {
  tasks_and_threads(2, 1, [&](int) {
    const auto t = slow_clock::now() + 1ms;
    sleep_until(t);
    EXPECT_GE(slow_clock::now(), t);
  });
}

// A worker that slept itself would let none of the others begin, and the first would never end.
TEST_P(sleep_of, the_worker_goes_on) {
  constexpr int many = 4;
  std::atomic<int> begun{0};
  tasks(many, [&](int) {
    ++begun;
    while (begun != many) sleep_for(1ms);
  });
  EXPECT_EQ(begun, many);
}

TEST_P(sleep_of, many_at_once) {
  const int many = test::scaled(10'000);
  std::atomic<int> back{0};
  tasks(many, [&](int i) {
    sleep_for(std::chrono::microseconds(i * 37 % 20'000));
    ++back;
  });
  EXPECT_EQ(back, many);
}

TEST_P(sleep_of, comes_back_in_the_next_life_of_the_pool) {
  auto asleep = std::make_unique<std::atomic<bool>>(false);
  auto f = async([&] {
    *asleep = true;
    sleep_for(2ms);
    return 7;
  });
  while (!*asleep) std::this_thread::yield();
  finalize();
  std::this_thread::sleep_for(3ms);
  initialize({.workers = GetParam()});
  EXPECT_EQ(f.get(), 7);
}

INSTANTIATE_TEST_SUITE_P(workers, sleep_of, testing::Values(1, 2, 4, 16));

}  // namespace
}  // namespace kasuri
