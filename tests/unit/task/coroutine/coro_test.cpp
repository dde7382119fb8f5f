// SPDX-License-Identifier: Apache-2.0
#include <kasuri/coroutine.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using coro_of = test::pool_of;

// In builds without calls in the place of returns each coroutine that ends at once leaves its
// callers' frames on the stack.
#ifdef __OPTIMIZE__
constexpr int many = test::sanitized ? 200 : 1'000'000;
#else
constexpr int many = 200;
#endif

coro<int> number(int n) { co_return n; }
coro<std::string> text() { co_return "text"; }
coro<std::unique_ptr<int>> owner() { co_return std::make_unique<int>(4); }
coro<int&> same(int& x) { co_return x; }
coro<void> fails() {
  throw std::runtime_error("as told");
  co_return;
}

TEST_P(coro_of, results_come_to_who_awaits) {
  int x = 0;
  const auto all = [](int& object) -> coro<int> {
    EXPECT_EQ(co_await text(), "text");
    EXPECT_EQ(*co_await owner(), 4);
    EXPECT_EQ(&co_await same(object), &object);
    coro<int> later = number(7);
    EXPECT_TRUE(later.valid());
    const int seven = co_await std::move(later);
    EXPECT_FALSE(later.valid());
    co_return seven + co_await number(1);
  };
  EXPECT_EQ(sync_wait(all(x)), 8);
  EXPECT_EQ(async(all(x)).get(), 8);
  EXPECT_EQ(&sync_wait(same(x)), &x);
  EXPECT_EQ(*async(owner()).get(), 4);
  tasks(2, [&](int) { EXPECT_EQ(sync_wait(all(x)), 8); });
}

TEST_P(coro_of, exceptions_come_to_who_awaits) {
  const auto sees = []() -> coro<bool> {
    try {
      co_await fails();
    } catch (const std::runtime_error& e) {
      co_return e.what() == std::string("as told");
    }
    co_return false;
  };
  EXPECT_TRUE(sync_wait(sees()));
  const auto passes_on = []() -> coro<int> {
    co_await fails();
    co_return 1;
  };
  EXPECT_THROW(sync_wait(passes_on()), std::runtime_error);
  future<int> f = async(passes_on());
  f.wait();
  EXPECT_THROW(f.get(), std::runtime_error);
}

TEST_P(coro_of, begins_when_it_is_awaited_and_not_before) {
  const auto counts = [](int& n) -> coro<void> {
    ++n;
    co_return;
  };
  int begun = 0;
  {
    const coro<void> never = counts(begun);
  }
  EXPECT_EQ(begun, 0);
  coro<void> c = counts(begun);
  EXPECT_EQ(begun, 0);
  sync_wait(std::move(c));
  EXPECT_EQ(begun, 1);
}

/// Counts the objects that live.
struct counted {
  std::atomic<int>* alive;
  explicit counted(std::atomic<int>& n) : alive(&n) { ++n; }
  counted(const counted& other) : alive(other.alive) { ++*alive; }
  counted& operator=(const counted&) = delete;
  ~counted() { --*alive; }
};

TEST_P(coro_of, parameters_and_locals_go_before_the_result_comes) {
  std::atomic<int> alive{0};
  const auto holds = [](counted parameter, bool wait) -> coro<int> {
    const counted local = parameter;
    if (wait) co_await yield_async();
    co_return parameter.alive->load();
  };
  {
    const coro<int> never = holds(counted(alive), false);
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0) << "one that never ran frees its parameters";
  for (const bool wait : {false, true})
    for (int i = 0; i != test::scaled(500); ++i) {
      coro<int> c = holds(counted(alive), wait);
      EXPECT_EQ(async(std::move(c)).get(), 2);
      EXPECT_EQ(alive, 0);
    }
}

TEST_P(coro_of, without_a_coroutine_each_call_says_so) {
  coro<int> none;
  EXPECT_FALSE(none.valid());
  EXPECT_THROW(static_cast<void>(async(std::move(none))), std::logic_error);
  EXPECT_THROW(sync_wait(coro<int>()), std::logic_error);
  const auto awaits_twice = []() -> coro<int> {
    coro<int> once = number(1);
    co_await std::move(once);
    co_return co_await std::move(once);
  };
  EXPECT_THROW(sync_wait(awaits_twice()), std::logic_error);
}

TEST_P(coro_of, moves_and_never_copies) {
  static_assert(!std::is_copy_constructible_v<coro<int>>);
  std::atomic<int> alive{0};
  const auto holds = [](counted) -> coro<int> { co_return 1; };
  coro<int> a = holds(counted(alive));
  coro<int> b = holds(counted(alive));
  EXPECT_EQ(alive, 2);
  a = std::move(b);
  EXPECT_EQ(alive, 1) << "the one that was there never runs";
  EXPECT_FALSE(b.valid());
  EXPECT_EQ(sync_wait(std::move(a)), 1);
  EXPECT_EQ(alive, 0);
}

TEST_P(coro_of, loops_and_chains_take_no_stack) {
  const auto loop = []() -> coro<long> {
    long sum = 0;
    for (int i = 0; i != many; ++i) sum += co_await number(i);
    co_return sum;
  };
  EXPECT_EQ(sync_wait(loop()), static_cast<long>(many) * (many - 1) / 2);
  struct chain {
    static coro<int> of(int n) {
      if (n == 0) co_return 0;
      co_return 1 + co_await of(n - 1);
    }
  };
  const int length = many / 10;
  EXPECT_EQ(sync_wait(chain::of(length)), length);
}

/// Each call is a task of its own.
coro<long> fib(int n) {
  if (n < 2) co_return n;
  future<long> first = async(fib(n - 1));
  const long second = co_await fib(n - 2);
  co_return second + co_await first;
}

TEST_P(coro_of, tasks_that_are_coroutines_run_beside_each_other) {
  EXPECT_EQ(sync_wait(fib(test::full_size ? 20 : 12)), test::full_size ? 6765 : 144);
}

TEST_P(coro_of, any_thread_may_begin_one) {
  std::atomic<int> sum{0};
  tasks_and_threads(8, 3, [&](int i) {
    for (int k = 0; k != test::scaled(200); ++k)
      sum += k % 2 == 0 ? sync_wait(number(i)) : async(number(i)).get();
  });
  EXPECT_EQ(sum, test::scaled(200) * 55);
}

TEST_P(coro_of, runs_though_its_future_is_dropped) {
  std::atomic<int> ended{0};
  latch all(100);
  const auto ends = [](std::atomic<int>& n, latch& l) -> coro<void> {
    co_await yield_async();
    ++n;
    l.count_down();
  };
  for (int i = 0; i != 100; ++i) static_cast<void>(async(ends(ended, all)));
  all.wait();
  EXPECT_EQ(ended, 100);
}

TEST_P(coro_of, may_block_as_any_task) {
  mutex m;
  long count = 0;
  const auto blocks = [](mutex& of, long& n) -> coro<void> {
    for (int i = 0; i != 100; ++i) {
      const std::lock_guard hold(of);
      ++n;
      this_task::yield();
    }
    co_await yield_async();
    const future<int> f = async([] { return 1; });
    f.wait();
  };
  std::vector<future<void>> all;
  for (int i = 0; i != 10; ++i) all.push_back(async(blocks(m, count)));
  for (auto& f : all) f.get();
  EXPECT_EQ(count, 1000);
}

/// A result whose move throws.
struct stubborn {
  bool moves;
  explicit stubborn(bool m) : moves(m) {}
  stubborn(stubborn&& other) : moves(other.moves) {
    if (!moves) throw std::runtime_error("does not move");
  }
};

TEST_P(coro_of, a_result_that_does_not_move_is_an_exception) {
  const auto gives = [](bool moves) -> coro<stubborn> { co_return moves; };
  EXPECT_TRUE(async(gives(true)).get().moves);
  EXPECT_THROW(async(gives(false)).get(), std::runtime_error);
}

TEST_P(coro_of, goes_on_by_then) {
  auto f = async(number(20)).then([](int n) { return async(number(n + 1)); });
  EXPECT_EQ(f.get(), 21);
}

INSTANTIATE_TEST_SUITE_P(workers, coro_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
