// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/counted.hpp"
#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using test::counted;

using future_of = test::pool_of;

TEST_P(future_of, brings_a_value) {
  auto f = async([] { return 42; });
  EXPECT_TRUE(f.valid());
  f.wait();
  EXPECT_TRUE(f.ready());
  EXPECT_EQ(f.get(), 42);
  EXPECT_FALSE(f.valid());
}

TEST_P(future_of, brings_void_references_and_things_that_only_move) {
  run([] {
    int x = 1;
    auto nothing = async([&x] { x = 2; });
    nothing.get();
    EXPECT_EQ(x, 2);
    future<int&> reference = async([&x]() -> int& { return x; });
    EXPECT_EQ(&reference.get(), &x);
    auto owner = async([p = std::make_unique<int>(7)]() mutable { return std::move(p); });
    EXPECT_EQ(*owner.get(), 7);
    auto large = async([a = std::array<int, 1000>{5}] { return a; });
    EXPECT_EQ(large.get()[0], 5);
  });
}

TEST_P(future_of, brings_the_exception) {
  auto f = async([]() -> std::string { throw std::runtime_error("no answer"); });
  try {
    f.get();
    FAIL() << "no exception";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "no answer");
  }
  EXPECT_FALSE(f.valid());
  auto v = async([] { throw 3; });
  EXPECT_THROW(v.get(), int);
}

TEST_P(future_of, refuses_to_be_asked_twice) {
  auto f = async([] { return 1; });
  EXPECT_EQ(f.get(), 1);
  EXPECT_THROW(f.get(), std::logic_error);
  EXPECT_THROW(f.wait(), std::logic_error);
  EXPECT_THROW(f.ready(), std::logic_error);
}

TEST_P(future_of, moves) {
  future<int> a;
  EXPECT_FALSE(a.valid());
  auto b = async([] { return 5; });
  a = std::move(b);
  EXPECT_TRUE(a.valid());
  a = async([] { return 6; });
  EXPECT_EQ(a.get(), 6);
}

int fib(int n) {
  if (n < 2) return n;
  auto a = async([n] { return fib(n - 1); });
  const int b = fib(n - 2);
  return a.get() + b;
}

TEST_P(future_of, nests) {
  EXPECT_EQ(fib(12), 144);                      // outside of workers
  EXPECT_EQ(run([] { return fib(16); }), 987);  // inside
}

TEST_P(future_of, many_are_asked_in_any_order) {
  constexpr int count = test::scaled(5000);
  run([] {
    std::vector<future<int>> all;
    for (int i = 0; i != count; ++i) all.push_back(async([i] { return i; }));
    long sum = 0;
    for (int i = 0; i < count; i += 2) sum += all[static_cast<std::size_t>(i)].get();
    for (int i = 1; i < count; i += 2) sum += all[static_cast<std::size_t>(i)].get();
    EXPECT_EQ(sum, count * (count - 1L) / 2);
  });
}

// The task outlives the call that made it, and its frame lies above that of a parallel_invoke.
TEST_P(future_of, leaves_the_call_that_made_it) {
  for (int k = 0; k != test::scaled(1000); ++k) {
    run([] {
      future<int> late;
      int other = 0;
      parallel_invoke([&late] { late = async([] { return 1; }); }, [&other] { other = 2; });
      EXPECT_EQ(late.get() + other, 3);
    });
  }
}

TEST_P(future_of, dropped_ones_still_run_and_leave_nothing) {
  std::atomic<int> alive{0};
  std::atomic<int> ran{0};
  const int count = test::scaled(1000);
  run([&] {
    latch done(static_cast<std::size_t>(count));
    for (int i = 0; i != count; ++i) {
      auto dropped = async([&done, &ran, c = counted(alive)] {
        ++ran;
        done.count_down();
        return c;
      });
    }
    done.wait();
  });
  finalize();  // the last one has ended
  EXPECT_EQ(ran, count);
  EXPECT_EQ(alive, 0);
}

TEST_P(future_of, an_os_thread_may_wait_for_it) {
  tasks_and_threads(4, 4, [](int i) {
    for (int k = 0; k != test::scaled(100); ++k) EXPECT_EQ(async([i] { return i; }).get(), i);
  });
}

INSTANTIATE_TEST_SUITE_P(workers, future_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
