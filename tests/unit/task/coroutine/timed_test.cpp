// SPDX-License-Identifier: Apache-2.0
#include <kasuri/coroutine.hpp>
#include <kasuri/promise.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;
using timed_await_of = test::pool_of;

/// Waits for each object, of which none comes.
struct unattainable {
  mutex held;
  shared_mutex held_shared;
  semaphore none{0};
  latch shut{1};
  mutex guard;
  condition_variable silent;
  promise<int> later;
  future<int> result = later.get_future();

  unattainable() {
    held.lock();
    held_shared.lock();
  }
  ~unattainable() {
    held_shared.unlock();
    held.unlock();
  }
  bool is_idle() { return none.is_idle() && shut.is_idle() && silent.is_idle() && guard.is_idle(); }
};

/// So many of the awaits, in turn, say that their time is over, and none before it was.
coro<int> times_out(unattainable& of, steady::duration d) {
  int out = 0;
  const auto begun = steady::now();
  const auto is_over = [&](bool came) {
    EXPECT_FALSE(came);
    out += came ? 0 : 1;
  };
  is_over((co_await try_lock_for_async(of.held, d)).owns_lock());
  is_over((co_await try_lock_for_async(of.held_shared, d)).owns_lock());
  is_over((co_await try_lock_shared_for_async(of.held_shared, d)).owns_lock());
  is_over(co_await try_acquire_for_async(of.none, d));
  is_over(co_await wait_for_async(of.shut, d));
  is_over(co_await wait_for_async(of.result, d) == std::future_status::ready);
  auto lock = co_await lock_async(of.guard);
  is_over(co_await wait_for_async(of.silent, lock, d) == std::cv_status::no_timeout);
  EXPECT_TRUE(lock.owns_lock());
  EXPECT_TRUE(of.guard.is_locked());
  EXPECT_GE(steady::now() - begun, 7 * d);
  co_return out;
}

TEST_P(timed_await_of, ends_by_its_time_and_not_before) {
  unattainable of;
  std::vector<future<int>> all;
  for (int i = 0; i != 20; ++i) all.push_back(async(times_out(of, 200us * (i % 4))));
  for (auto& f : all) EXPECT_EQ(f.get(), 7);
  EXPECT_TRUE(of.is_idle());
}

TEST_P(timed_await_of, a_time_that_is_over_looks_once) {
  mutex free_mutex;
  shared_mutex free_shared;
  semaphore one(1);
  latch open(0);
  const auto looks = [&]() -> coro<void> {
    EXPECT_TRUE((co_await try_lock_for_async(free_mutex, 0s)).owns_lock());
    EXPECT_TRUE((co_await try_lock_until_async(free_shared, steady::time_point())).owns_lock());
    EXPECT_TRUE((co_await try_lock_shared_for_async(free_shared, -1s)).owns_lock());
    EXPECT_TRUE(co_await try_acquire_for_async(one, 0s));
    EXPECT_FALSE(co_await try_acquire_for_async(one, 0s));
    EXPECT_TRUE(co_await wait_until_async(open, steady::time_point::min()));
    future<int> f = async([] { return 5; });
    while (co_await wait_for_async(f, 0s) == std::future_status::timeout) {
    }
    EXPECT_EQ(co_await f, 5);
  };
  sync_wait(looks());
  EXPECT_TRUE(free_mutex.is_idle());
  EXPECT_TRUE(free_shared.is_idle());
}

TEST_P(timed_await_of, has_what_comes_in_time) {
  mutex m;
  shared_mutex s;
  semaphore units(0);
  latch shut(1);
  mutex guard;
  condition_variable changed;
  bool there = false;
  promise<int> p;
  const shared_future<int> result = p.get_future().share();
  m.lock();
  s.lock();
  std::atomic<int> came{0};
  const auto waits = [&](int i) -> coro<void> {
    const auto d = i % 2 == 0 ? std::chrono::duration_cast<steady::duration>(1h)
                              : steady::duration::max();  // a time that never comes
    EXPECT_TRUE((co_await try_lock_for_async(m, d)).owns_lock());
    EXPECT_TRUE((co_await try_lock_shared_for_async(s, d)).owns_lock());
    EXPECT_TRUE((co_await try_lock_for_async(s, d)).owns_lock());
    EXPECT_TRUE(co_await try_acquire_for_async(units, d));
    EXPECT_TRUE(co_await wait_for_async(shut, d));
    EXPECT_TRUE(co_await wait_for_async(result, d) == std::future_status::ready);
    EXPECT_EQ(co_await result, 7);
    auto lock = co_await lock_async(guard);
    while (!there)
      EXPECT_TRUE(co_await wait_until_async(changed, lock, steady::time_point::max()) ==
                  std::cv_status::no_timeout);
    ++came;
  };
  std::vector<future<void>> all;
  for (int i = 0; i != 12; ++i) all.push_back(async(waits(i)));
  const auto others = [] { this_task::yield(); };
  others();
  m.unlock();
  others();
  s.unlock();
  others();
  units.release(12);
  others();
  shut.count_down();
  others();
  p.set_value(7);
  others();
  {
    const std::lock_guard lock(guard);
    there = true;
  }
  changed.notify_all();
  for (auto& f : all) f.get();
  EXPECT_EQ(came, 12);
  EXPECT_TRUE(m.is_idle());
  EXPECT_TRUE(s.is_idle());
  EXPECT_TRUE(units.is_idle());
}

/// Units and times come together: each unit is taken by one waiter, or is left.
TEST_P(timed_await_of, no_unit_is_lost_beside_a_time) {
  semaphore units(0);
  std::atomic<int> taken{0};
  const int turns = test::scaled(400);
  const auto takes = [&](int i) -> coro<void> {
    for (int k = 0; k != turns; ++k)
      if (co_await try_acquire_for_async(units, 1us * ((i + k) % 60))) ++taken;
  };
  const auto takes_as_thread = [&] {
    for (int k = 0; k != turns; ++k)
      if (units.try_acquire_for(1us * (k % 60))) ++taken;
  };
  std::vector<future<void>> all;
  for (int i = 0; i != 6; ++i) all.push_back(async(takes(i)));
  all.push_back(async(takes_as_thread));
  for (int k = 0; k != 3 * turns; ++k) {
    units.release();
    if (k % 4 == 0) this_task::yield();
  }
  for (auto& f : all) f.get();
  int left = 0;
  while (units.try_acquire()) ++left;
  EXPECT_EQ(taken + left, 3 * turns);
  EXPECT_TRUE(units.is_idle());
}

TEST_P(timed_await_of, a_mutex_excludes_beside_a_time) {
  mutex m;
  long inside = 0;
  std::atomic<long> had{0};
  const int turns = test::scaled(500);
  const auto locks = [&](int i) -> coro<void> {
    for (int k = 0; k != turns; ++k) {
      const auto lock = co_await try_lock_for_async(m, 1us * ((i + k) % 40));
      if (!lock.owns_lock()) continue;
      const long before = inside;
      if (k % 8 == 0) co_await yield_async();
      inside = before + 1;
      ++had;
    }
  };
  const auto locks_for_sure = [&](int) -> coro<void> {
    for (int k = 0; k != turns; ++k) {
      const auto lock = co_await lock_async(m);
      ++inside;
      ++had;
    }
  };
  std::thread outside([&] {
    for (int k = 0; k != turns; ++k) {
      const std::lock_guard lock(m);
      ++inside;
      ++had;
    }
  });
  std::vector<future<void>> all;
  for (int i = 0; i != 5; ++i) all.push_back(async(locks(i)));
  all.push_back(async(locks_for_sure(0)));
  for (auto& f : all) f.get();
  outside.join();
  EXPECT_EQ(inside, had);
  EXPECT_GE(had, 2L * turns);
  EXPECT_TRUE(m.is_idle());
}

TEST_P(timed_await_of, a_writer_that_gives_up_lets_readers_go_on) {
  shared_mutex m;
  m.lock_shared();
  const auto writes = [&]() -> coro<bool> {
    co_return (co_await try_lock_for_async(m, 5ms)).owns_lock();
  };
  const auto reads = [&]() -> coro<bool> { co_return (co_await lock_shared_async(m)).owns_lock(); };
  future<bool> writer = async(writes());
  while (m.try_lock_shared()) {  // as long as the writer does not wait
    m.unlock_shared();
    this_task::yield();
    if (writer.ready()) break;
  }
  future<bool> reader = async(reads());
  EXPECT_FALSE(writer.get());
  EXPECT_TRUE(reader.get());
  m.unlock_shared();
  EXPECT_TRUE(m.is_idle());
}

TEST_P(timed_await_of, an_object_may_go_with_the_first_that_it_lets_go) {
  for (int k = 0; k != test::scaled(300); ++k) {
    auto gate = std::make_unique<latch>(1);
    const auto waits = [](std::unique_ptr<latch>& of) -> coro<bool> {
      const bool came = co_await wait_for_async(*of, 1h);
      of.reset();
      co_return came;
    };
    future<bool> f = async(waits(gate));
    gate->count_down();
    EXPECT_TRUE(f.get());
    EXPECT_EQ(gate, nullptr);
  }
}

TEST_P(timed_await_of, another_clock_will_do) {
  semaphore none(0);
  const auto waits = [&]() -> coro<bool> {
    co_return co_await try_acquire_until_async(none, std::chrono::system_clock::now() + 1ms);
  };
  EXPECT_FALSE(sync_wait(waits()));
}

TEST_P(timed_await_of, a_wait_for_nothing_is_refused) {
  const auto waits = []() -> coro<void> {
    const future<int> none;
    co_await wait_for_async(none, 1ms);
  };
  EXPECT_THROW(sync_wait(waits()), std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(workers, timed_await_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
