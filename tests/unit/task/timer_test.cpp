// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

using timer_of = test::pool_of;

TEST_P(timer_of, calls_once_when_its_time_has_come) {
  latch all(4);
  std::atomic<int> early{0};
  std::atomic<int> on_workers{0};
  const auto t = steady::now() + 1ms;
  const auto f = [&] {
    if (steady::now() < t) ++early;
    if (this_task::worker() >= 0) ++on_workers;
    all.count_down();
  };
  const timer a = run_after(1ms, f);
  const timer b = run_at(t, f);
  const timer c = run_at(std::chrono::system_clock::now() + 2ms, f);
  timer d;
  run([&] { d = run_after(1ms, f); });
  all.wait();
  EXPECT_EQ(early, 0);
  EXPECT_EQ(on_workers, 4);
}

TEST_P(timer_of, times_that_are_over_call_at_once) {
  latch all(3);
  const auto f = [&] { all.count_down(); };
  const timer a = run_after(0s, f);
  const timer b = run_after(-1h, f);
  const timer c = run_at(steady::time_point::min(), f);
  all.wait();
}

TEST_P(timer_of, cancel_says_whether_a_call_was_to_come) {
  std::atomic<int> calls{0};
  timer never = run_at(steady::time_point::max(), [&] { ++calls; });
  EXPECT_TRUE(never.valid());
  EXPECT_TRUE(never.cancel());
  EXPECT_FALSE(never.cancel());
  latch called(1);
  timer once = run_after(0s, [&] { called.count_down(); });
  called.wait();
  while (once.cancel()) ADD_FAILURE() << "the call has begun";
  {
    const timer dropped = run_after(1h, [&] { ++calls; });
  }
  timer none;
  EXPECT_FALSE(none.valid());
  EXPECT_FALSE(none.cancel());
  EXPECT_EQ(calls, 0);
}

TEST_P(timer_of, the_destructor_waits_for_a_call) {
  for (int k = 0, turns = test::scaled(200); k != turns; ++k) {
    auto there = std::make_unique<std::atomic<int>>(0);
    latch begun(1);
    {
      timer t = run_after(0s, [&] {
        begun.count_down();
        sleep_for(20us);
        ++*there;
      });
      begun.wait();
      if (k % 2 == 0) run([&] { t = timer(); });
    }
    EXPECT_EQ(*there, 1);
    there.reset();
  }
}

TEST_P(timer_of, a_call_may_drop_its_own_handle) {
  latch done(1);
  timer t;
  latch set(1);
  t = run_after(0s, [&] {
    set.wait();
    t = timer();
    done.count_down();
  });
  set.count_down();
  done.wait();
}

TEST_P(timer_of, every_calls_again_and_again_and_not_twice_at_once) {
  std::atomic<int> calls{0};
  std::atomic<int> inside{0};
  std::atomic<int> worst{0};
  latch enough(20);
  timer t = run_every(50us, [&] {
    if (++inside != 1) ++worst;
    sleep_for(10us);
    if (++calls <= 20) enough.count_down();
    --inside;
  });
  enough.wait();
  t.cancel();
  t = timer();
  const int at_end = calls;
  EXPECT_GE(at_end, 20);
  EXPECT_EQ(worst, 0);
  EXPECT_THROW(t = run_every(0s, [] {}), std::invalid_argument);
  EXPECT_THROW(t = run_every(-1s, [] {}), std::invalid_argument);
  EXPECT_EQ(calls, at_end);
}

TEST_P(timer_of, cancel_is_seen_in_the_call) {
  latch begun(1);
  std::atomic<bool> seen{false};
  timer t = run_every(1us, [&] {
    if (!begun.try_wait()) begun.count_down();
    while (!this_task::canceled()) this_task::yield();
    seen = true;
  });
  begun.wait();
  EXPECT_TRUE(t.cancel());
  t = timer();
  EXPECT_TRUE(seen);
}

TEST_P(timer_of, a_detached_one_is_called) {
  auto called = std::make_shared<latch>(1);
  timer t = run_after(100us, [called] { called->count_down(); });
  t.detach();
  EXPECT_FALSE(t.valid());
  called->wait();
}

// The handle's end and the time come together: called or not, never behind the end.
TEST_P(timer_of, cancel_and_time_together) {
  const int turns = test::scaled(3000);
  std::atomic<long> calls{0};
  std::atomic<long> prevented{0};
  tasks_and_threads(4, 2, [&](int i) {
    for (int k = 0; k != turns; ++k) {
      auto alive = std::make_unique<std::atomic<bool>>(true);
      {
        timer t = run_after(std::chrono::microseconds(k * 7 % 30), [&calls, a = alive.get()] {
          EXPECT_TRUE(*a);
          ++calls;
        });
        if ((k + i) % 3 == 0) sleep_for(std::chrono::microseconds(k % 30));
        if (t.cancel()) ++prevented;
      }
      *alive = false;
    }
  });
  EXPECT_EQ(calls + prevented, 6L * turns);
}

TEST_P(timer_of, many_at_once) {
  const int many = test::scaled(20'000);
  latch all(static_cast<std::size_t>(many));
  std::vector<timer> timers;
  timers.reserve(static_cast<std::size_t>(many));
  for (int i = 0; i != many; ++i)
    timers.push_back(
        run_after(std::chrono::microseconds(i * 7919 % 10'000), [&all] { all.count_down(); }));
  all.wait();
}

/// Some 100 us of work.
void compute() {
  const auto until = steady::now() + 100us;
  while (steady::now() < until) {
  }
}

// Tasks from outside wait in order; what is due does not stand behind them.
TEST_P(timer_of, comes_before_tasks_that_have_waited_longer) {
  constexpr int most = 100'000;
  std::atomic<bool> set{false};
  std::atomic<bool> called{false};
  std::atomic<int> begun{0};
  task_group g;
  for (int i = 0; i != most; ++i)
    g.run([&] {
      while (!set) std::this_thread::yield();  // most tasks have to be there with the timer
      if (called) return;
      ++begun;
      compute();
    });
  const timer t = run_after(1ms, [&] { called = true; });
  set = true;
  g.wait();
  EXPECT_TRUE(called);
  EXPECT_LT(begun, most);
}

/// A tree that has computed for 10 s when it ends, unless the timer comes.
void fork_until(std::atomic<bool>& called, std::atomic<int>& begun, int depth) {
  if (called) return;
  if (depth == 0) {
    ++begun;
    return compute();
  }
  parallel_invoke([&] { fork_until(called, begun, depth - 1); },
                  [&] { fork_until(called, begun, depth - 1); });
}

// A worker that forks looks for nothing else before its task ends: a thread more takes the call.
TEST_P(timer_of, comes_beside_a_tree_that_no_worker_leaves) {
  std::atomic<bool> called{false};
  std::atomic<int> begun{0};
  timer t;
  run([&] {
    t = run_after(1ms, [&] { called = true; });
    fork_until(called, begun, 17);
  });
  EXPECT_TRUE(called);
  EXPECT_LT(begun, 1 << 17);
}

INSTANTIATE_TEST_SUITE_P(workers, timer_of, testing::Values(1, 2, 4, 16));

}  // namespace
}  // namespace kasuri
