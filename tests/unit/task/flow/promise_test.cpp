// SPDX-License-Identifier: Apache-2.0
#include <kasuri/promise.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using promise_of = test::pool_of;

TEST_P(promise_of, brings_values_references_and_void) {
  promise<std::string> text;
  future<std::string> f = text.get_future();
  EXPECT_FALSE(f.ready());
  text.set_value("here");
  EXPECT_TRUE(f.ready());
  EXPECT_EQ(f.get(), "here");

  promise<std::unique_ptr<int>> owner;
  owner.set_value(std::make_unique<int>(4));
  EXPECT_EQ(*owner.get_future().get(), 4);

  int x = 0;
  promise<int&> reference;
  reference.set_value(x);
  EXPECT_EQ(&reference.get_future().get(), &x);

  promise<void> nothing;
  auto done = nothing.get_future();
  nothing.set_value();
  done.get();
}

TEST_P(promise_of, wakes_tasks_and_threads_from_anywhere) {
  for (int k = 0; k != test::scaled(500); ++k) {
    promise<int> p;
    const shared_future<int> f = p.get_future().share();
    std::atomic<int> sum{0};
    std::thread outside([&sum, f] { sum += f.get(); });
    tasks(3, [&](int i) {
      if (i == 1) p.set_value(k);
      sum += f.get();
    });
    outside.join();
    EXPECT_EQ(sum, 4 * k);
  }
}

TEST_P(promise_of, brings_an_exception) {
  promise<int> p;
  auto f = p.get_future();
  p.set_exception(std::make_exception_ptr(std::runtime_error("no answer")));
  EXPECT_THROW(f.get(), std::runtime_error);
  EXPECT_THROW(promise<int>().set_exception(nullptr), std::logic_error);
}

TEST_P(promise_of, breaks_when_it_is_dropped) {
  future<int> f;
  {
    promise<int> p;
    f = p.get_future();
  }
  EXPECT_THROW(f.get(), broken_promise);
  promise<int> p;
  f = p.get_future();
  auto after = f.then([](int n) { return n; });
  p = promise<int>();
  EXPECT_THROW(after.get(), broken_promise);
}

TEST_P(promise_of, is_asked_and_answered_once) {
  promise<int> p;
  auto f = p.get_future();
  EXPECT_THROW((void)p.get_future(), std::logic_error);
  p.set_value(1);
  EXPECT_THROW(p.set_value(2), std::logic_error);
  EXPECT_THROW(p.set_exception(std::make_exception_ptr(3)), std::logic_error);
  EXPECT_EQ(f.get(), 1);
  promise<int> moved = std::move(p);
  EXPECT_THROW(p.set_value(2), std::logic_error);        // NOLINT(bugprone-use-after-move)
  EXPECT_THROW((void)p.get_future(), std::logic_error);  // NOLINT(bugprone-use-after-move)
}

TEST_P(promise_of, one_of_several_answers) {
  for (int k = 0; k != test::scaled(500); ++k) {
    promise<int> p;
    auto f = p.get_future();
    std::atomic<int> answered{0};
    std::atomic<int> winner{-1};
    tasks(4, [&](int i) {
      try {
        p.set_value(i);
        ++answered;
        winner = i;
      } catch (const std::logic_error&) {
      }
    });
    EXPECT_EQ(answered, 1);
    EXPECT_EQ(f.get(), winner);
  }
}

struct throws_when_copied {
  throws_when_copied() = default;
  throws_when_copied(const throws_when_copied&) { throw std::runtime_error("no copy"); }
  throws_when_copied(throws_when_copied&&) noexcept = default;
  throws_when_copied& operator=(const throws_when_copied&) = default;
};

TEST_P(promise_of, has_no_result_when_its_copy_throws) {
  promise<throws_when_copied> p;
  auto f = p.get_future();
  const throws_when_copied value;
  EXPECT_THROW(p.set_value(value), std::runtime_error);
  EXPECT_FALSE(f.ready());
  p.set_value(throws_when_copied());
  f.get();
}

TEST_P(promise_of, ready_futures_need_no_task) {
  auto f = make_ready_future(5);
  EXPECT_TRUE(f.ready());
  EXPECT_EQ(f.get(), 5);
  auto nothing = make_ready_future();
  EXPECT_TRUE(nothing.ready());
  int x = 0;
  future<int&> reference = make_ready_future(std::ref(x));
  EXPECT_EQ(&reference.get(), &x);
  auto threw = make_exceptional_future<int>(std::make_exception_ptr(3));
  EXPECT_THROW(threw.get(), int);
}

INSTANTIATE_TEST_SUITE_P(workers, promise_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
