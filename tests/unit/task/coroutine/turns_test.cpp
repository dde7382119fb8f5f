// SPDX-License-Identifier: Apache-2.0
#include <kasuri/coroutine.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <coroutine>
#include <mutex>
#include <thread>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;
using await_turn_of = test::pool_of;

TEST_P(await_turn_of, a_yield_lets_others_go_first) {
  // On one worker the two can only end if each lets the other go.
  std::atomic<int> turn{0};
  const auto plays = [&](int me) -> coro<void> {
    for (int k = 0; k != test::scaled(1000); ++k) {
      while (turn != me) co_await yield_async();
      turn = 1 - me;
    }
  };
  future<void> other = async(plays(1));
  sync_wait(plays(0));
  other.get();
  EXPECT_EQ(turn, 0);
}

TEST_P(await_turn_of, a_yield_lets_tasks_and_threads_go_first) {
  std::atomic<bool> told{false};
  const auto waits = [&]() -> coro<int> {
    int yields = 0;
    for (; !told; ++yields) co_await yield_async();
    co_return yields;
  };
  future<int> f = async(waits());
  future<void> tells = async([&] {
    this_task::yield();
    told = true;
  });
  tells.get();
  EXPECT_GE(f.get(), 0);
}

TEST_P(await_turn_of, sleeps_until_its_time_and_not_shorter) {
  std::atomic<int> early{0};
  std::atomic<int> back{0};
  const auto sleeps = [&](int i) -> coro<void> {
    const auto t = steady::now() + std::chrono::microseconds(50 * i);
    if (i % 2 == 0)
      co_await sleep_until_async(t);
    else
      co_await sleep_for_async(t - steady::now());
    if (i % 2 == 0 && steady::now() < t) ++early;
    ++back;
  };
  std::vector<future<void>> all;
  for (int i = 0; i != 40; ++i) all.push_back(async(sleeps(i)));
  for (auto& f : all) f.get();
  EXPECT_EQ(early, 0);
  EXPECT_EQ(back, 40);
}

TEST_P(await_turn_of, a_time_that_is_over_is_a_yield) {
  std::atomic<bool> told{false};
  const auto waits = [&]() -> coro<void> {
    while (!told) co_await sleep_for_async(0s);
    co_await sleep_for_async(-1h);
    co_await sleep_until_async(steady::time_point::min());
    co_await sleep_until_async(std::chrono::system_clock::now() + 1ms);
  };
  future<void> f = async(waits());
  async([&] { told = true; }).get();
  f.get();
}

TEST_P(await_turn_of, many_sleep_at_once) {
  const int many = test::scaled(20'000);
  std::atomic<int> back{0};
  const auto sleeps = [&](int i) -> coro<void> {
    co_await sleep_for_async(std::chrono::microseconds(i % 500));
    ++back;
  };
  std::vector<future<void>> all;
  for (int i = 0; i != many; ++i) all.push_back(async(sleeps(i)));
  for (auto& f : all) f.get();
  EXPECT_EQ(back, many);
}

/// Threads that are no workers, as a library may have them.
class other_threads {
 public:
  ~other_threads() {
    const std::lock_guard lock(guard_);
    for (std::thread& t : all_) t.join();
  }
  void resume(std::coroutine_handle<> c) {
    const std::lock_guard lock(guard_);
    all_.emplace_back([c] { c.resume(); });
  }

 private:
  std::mutex guard_;
  std::vector<std::thread> all_;
};

struct elsewhere {
  other_threads& on;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> c) { on.resume(c); }
  void await_resume() const noexcept {}
};

TEST_P(await_turn_of, comes_back_to_the_pool) {
  other_threads others;
  const auto goes = [&]() -> coro<int> {
    EXPECT_GE(this_task::worker(), 0);
    co_await resume_on_pool();
    EXPECT_GE(this_task::worker(), 0);
    co_await elsewhere{others};
    const int outside = this_task::worker();
    co_await resume_on_pool();
    EXPECT_GE(this_task::worker(), 0);
    co_return outside;
  };
  EXPECT_EQ(sync_wait(goes()), -1);
}

TEST_P(await_turn_of, ends_on_a_thread_that_is_no_worker) {
  other_threads others;
  const auto goes = [&]() -> coro<int> {
    co_await elsewhere{others};
    co_return this_task::worker();
  };
  EXPECT_EQ(sync_wait(goes()), -1);
}

TEST_P(await_turn_of, waits_of_a_thread_that_is_no_worker_end_on_the_pool) {
  other_threads others;
  mutex m;
  const auto goes = [&]() -> coro<int> {
    co_await elsewhere{others};
    co_await sleep_for_async(100us);
    EXPECT_GE(this_task::worker(), 0);
    co_await elsewhere{others};
    co_await yield_async();
    const auto lock = co_await lock_async(m);
    co_return this_task::worker();
  };
  EXPECT_GE(sync_wait(goes()), 0);
}

TEST_P(await_turn_of, goes_to_a_place) {
  const auto goes = [&]() -> coro<int> {
    int seen = 0;
    for (int w = 0; w != num_workers(); ++w) {
      co_await resume_on(on_worker(w));
      seen += this_task::worker() >= 0 ? 1 : 0;
    }
    co_await resume_on(where{});
    co_await resume_on(on_worker(1'000'000));  // there is none such: anywhere
    co_return seen;
  };
  EXPECT_EQ(sync_wait(goes()), num_workers());
}

INSTANTIATE_TEST_SUITE_P(workers, await_turn_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
