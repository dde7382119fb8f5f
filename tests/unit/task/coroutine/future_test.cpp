// SPDX-License-Identifier: Apache-2.0
#include <kasuri/coroutine.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kasuri/promise.hpp"
#include "kasuri/when.hpp"
#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using await_future_of = test::pool_of;

TEST_P(await_future_of, a_result_that_is_there) {
  const auto all = []() -> coro<int> {
    future<int> kept = make_ready_future(1);
    int sum = co_await kept;
    EXPECT_FALSE(kept.valid());
    sum += co_await make_ready_future(2);
    EXPECT_EQ(*co_await make_ready_future(std::make_unique<int>(3)), 3);
    co_await make_ready_future();
    EXPECT_EQ(&co_await make_ready_future(std::ref(sum)), &sum);
    const shared_future<std::string> shared = make_ready_future(std::string("text")).share();
    EXPECT_EQ(&co_await shared, &shared.get());
    co_return sum;
  };
  EXPECT_EQ(sync_wait(all()), 3);
}

TEST_P(await_future_of, a_result_that_comes) {
  const auto sums = [](int n) -> coro<long> {
    std::vector<future<int>> parts;
    for (int i = 0; i != n; ++i) parts.push_back(async([i] { return i; }));
    long sum = 0;
    for (auto& part : parts) sum += co_await part;
    co_return sum;
  };
  for (int k = 0; k != test::scaled(100); ++k) EXPECT_EQ(sync_wait(sums(50)), 1225);
}

TEST_P(await_future_of, an_exception) {
  const auto sees = []() -> coro<int> {
    int seen = 0;
    try {
      co_await async([]() -> int { throw std::runtime_error("task"); });
    } catch (const std::runtime_error&) {
      ++seen;
    }
    const shared_future<void> shared =
        make_exceptional_future<void>(std::make_exception_ptr(std::logic_error("shared"))).share();
    for (int i = 0; i != 2; ++i) {
      try {
        co_await shared;
      } catch (const std::logic_error&) {
        ++seen;
      }
    }
    co_return seen;
  };
  EXPECT_EQ(sync_wait(sees()), 3);
}

TEST_P(await_future_of, without_a_task_it_says_so) {
  const auto awaits = []() -> coro<int> {
    future<int> none;
    co_return co_await none;
  };
  EXPECT_THROW(sync_wait(awaits()), std::logic_error);
}

TEST_P(await_future_of, from_any_thread_to_any_number) {
  for (int k = 0; k != test::scaled(300); ++k) {
    promise<int> p;
    const shared_future<int> f = p.get_future().share();
    const auto waits = [](shared_future<int> of) -> coro<int> { co_return co_await of; };
    std::vector<future<int>> all;
    for (int i = 0; i != 5; ++i) all.push_back(async(waits(f)));
    std::thread outside([&p, k] { p.set_value(k); });
    int sum = f.get();
    for (auto& each : all) sum += each.get();
    outside.join();
    EXPECT_EQ(sum, 6 * k);
  }
}

TEST_P(await_future_of, several_as_one) {
  const auto all = []() -> coro<int> {
    auto [a, b] = co_await when_all(async([] { return 1; }), async([] { return 2; }));
    const auto any = co_await when_any(async([] { return 3; }), async([] { return 4; }));
    EXPECT_LT(any.index, 2U);
    co_return co_await a + co_await b;
  };
  EXPECT_EQ(sync_wait(all()), 3);
}

/// One that ends brings the next on: a chain that ends in one go is a loop, not a nest of calls.
TEST_P(await_future_of, a_long_chain) {
  promise<int> first;
  const auto next = [](future<int> before) -> coro<int> { co_return co_await before + 1; };
  future<int> last = first.get_future();
  const int length = test::scaled(10'000);
  for (int i = 0; i != length; ++i) last = async(next(std::move(last)));
  first.set_value(0);
  EXPECT_EQ(last.get(), length);
}

INSTANTIATE_TEST_SUITE_P(workers, await_future_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
