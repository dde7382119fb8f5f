// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <kasuri/promise.hpp>

#include "support/counted.hpp"
#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using test::counted;

using then_of = test::pool_of;

TEST_P(then_of, goes_on_from_a_value) {
  auto f = async([] { return 20; });
  auto g = f.then([](int n) { return std::to_string(n + 1); });
  EXPECT_FALSE(f.valid());
  EXPECT_EQ(g.get(), "21");
}

TEST_P(then_of, asks_a_generic_function_for_the_value_only) {
  auto f = async([] { return std::string("four"); });
  EXPECT_EQ(f.then([](const auto& text) { return text.size(); }).get(), 4U);
}

TEST_P(then_of, goes_on_from_void_a_reference_and_what_only_moves) {
  int x = 0;
  auto nothing = async([&x] { x = 1; }).then([&x] { return x + 1; });
  EXPECT_EQ(nothing.get(), 2);
  future<int&> reference = async([&x]() -> int& { return x; }).then([](int& n) -> int& {
    n = 5;
    return n;
  });
  EXPECT_EQ(&reference.get(), &x);
  EXPECT_EQ(x, 5);
  auto owner = async([] { return std::make_unique<int>(7); }).then([](std::unique_ptr<int> p) {
    ++*p;
    return p;
  });
  EXPECT_EQ(*owner.get(), 8);
  auto end = async([] { return 1; }).then([](int) {});
  static_assert(std::is_same_v<decltype(end), future<void>>);
  end.get();
}

TEST_P(then_of, gets_the_future_in_its_second_form) {
  auto f = async([] { return 3; }).then([](future<int> ready) {
    EXPECT_TRUE(ready.ready());
    return ready.get() * 2;
  });
  EXPECT_EQ(f.get(), 6);
  auto rescued =
      async([]() -> int { throw std::runtime_error("no answer"); }).then([](future<int> failed) {
        EXPECT_THROW(failed.get(), std::runtime_error);
        return -1;
      });
  EXPECT_EQ(rescued.get(), -1);
}

TEST_P(then_of, passes_exceptions_by_functions_of_values) {
  std::atomic<int> called{0};
  auto f = async([]() -> int { throw std::runtime_error("no answer"); })
               .then([&called](int n) {
                 ++called;
                 return n;
               })
               .then([&called](int) { ++called; });
  EXPECT_THROW(f.get(), std::runtime_error);
  EXPECT_EQ(called, 0);
  auto g = async([] { return 1; }).then([](int) -> int { throw 3; });
  EXPECT_THROW(g.get(), int);
}

TEST_P(then_of, unwraps_a_future_that_the_function_returns) {
  auto f = async([] { return 4; }).then([](int n) { return async([n] { return n * n; }); });
  static_assert(std::is_same_v<decltype(f), future<int>>);
  EXPECT_EQ(f.get(), 16);
  auto nothing = async([] {}).then([] { return async([] {}); });
  static_assert(std::is_same_v<decltype(nothing), future<void>>);
  nothing.get();
  auto threw = async([] { return 4; }).then([](int) {
    return async([]() -> int { throw std::runtime_error("inside"); });
  });
  EXPECT_THROW(threw.get(), std::runtime_error);
  auto none = async([] { return 4; }).then([](int) { return future<int>(); });
  EXPECT_THROW(none.get(), std::logic_error);
  auto ready = async([] {}).then([] { return make_ready_future(9); });
  EXPECT_EQ(ready.get(), 9);
}

TEST_P(then_of, refuses_a_future_without_a_task) {
  future<int> none;
  EXPECT_THROW((void)none.then([](int) {}), std::logic_error);
  shared_future<int> no_share;
  EXPECT_THROW((void)no_share.then([](int) {}), std::logic_error);
}

TEST_P(then_of, needs_no_waiting_thread_between) {
  const int count = test::scaled(20'000);
  promise<int> begin;
  future<int> f = begin.get_future();
  for (int i = 0; i != count; ++i) f = f.then([](int n) { return n + 1; });
  begin.set_value(0);
  EXPECT_EQ(f.get(), count);
}

/// Each step returns the future of the next: a chain of results that end one after the other.
future<int> count_down(int n) {
  if (n == 0) return make_ready_future(42);
  return async([] {}).then([n] { return count_down(n - 1); });
}

TEST_P(then_of, ends_a_long_chain_of_futures_in_futures) {
  EXPECT_EQ(count_down(test::scaled(20'000)).get(), 42);
}

TEST_P(then_of, leaves_nothing_behind) {
  std::atomic<int> alive{0};
  std::atomic<int> called{0};
  const int count = test::scaled(2000);
  run([&] {
    latch done(static_cast<std::size_t>(count));
    for (int i = 0; i != count; ++i) {
      auto kept = async([c = counted(alive)] { return c; }).then([c = counted(alive)](counted v) {
        return v;
      });
      auto dropped = kept.then([&called, &done, c = counted(alive)](counted) {
        ++called;
        done.count_down();
        return c;
      });
    }
    done.wait();
  });
  finalize();  // the last one has ended
  EXPECT_EQ(called, count);
  EXPECT_EQ(alive, 0);
}

TEST_P(then_of, races_with_the_end_of_the_task) {
  const int count = test::scaled(20'000);
  std::atomic<int> sum{0};
  run([&] {
    std::vector<future<void>> all;
    for (int i = 0; i != count; ++i)
      all.push_back(async([] { return 1; }).then([&sum](int n) { sum += n; }));
    for (future<void>& f : all) f.get();
  });
  EXPECT_EQ(sum, count);
}

TEST_P(then_of, may_wait_and_run_where_it_is_asked_to) {
  latch go(1);
  auto f = async([&go] {
             go.wait();
             return 1;
           }).then([](int n) {
    this_task::yield();
    return n + 1;
  });
  go.count_down();
  EXPECT_EQ(f.get(), 2);
  auto g = async([] { return 1; }).then(at(on_worker(0), [](int n) { return n + 2; }));
  EXPECT_EQ(g.get(), 3);
  auto h = async([] { return 1; }).then(hinted(5, [](int n) { return n + 3; }));
  EXPECT_EQ(h.get(), 4);
}

struct alignas(64) large {
  double x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
};

TEST_P(then_of, keeps_the_alignment_of_results_and_closures) {
  const auto aligned = [](const large& l) {
    return reinterpret_cast<std::uintptr_t>(&l) % alignof(large) == 0;
  };
  auto f = async([] { return large(); }).then([aligned, mine = large()](large&& l) {
    EXPECT_TRUE(aligned(l));
    EXPECT_TRUE(aligned(mine));
    return l;
  });
  EXPECT_EQ(f.get().x[7], 8);
}

using shared_future_of = test::pool_of;

TEST_P(shared_future_of, brings_one_value_to_many) {
  const int count = 16;
  latch go(1);
  shared_future<std::string> f = async([&go] {
                                   go.wait();
                                   return std::string("here");
                                 }).share();
  std::atomic<int> got{0};
  std::atomic<const std::string*> at{nullptr};
  std::vector<std::thread> outside;
  for (int i = 0; i != 4; ++i) outside.emplace_back([&got, f] { got += f.get() == "here"; });
  tasks(count, [&](int i) {
    const shared_future<std::string> mine = f;
    if (i == count - 1) go.count_down();
    const std::string& value = mine.get();
    at = &value;
    got += value == "here" && &value == at;
  });
  for (std::thread& t : outside) t.join();
  EXPECT_EQ(got, count + 4);
  EXPECT_TRUE(f.ready());
}

TEST_P(shared_future_of, waiters_race_with_the_end) {
  for (int k = 0; k != test::scaled(2000); ++k) {
    shared_future<int> f = async([k] { return k; }).share();
    std::atomic<int> sum{0};
    tasks(4, [&sum, f](int) { sum += f.get(); });
    EXPECT_EQ(sum, 4 * k);
  }
}

TEST_P(shared_future_of, brings_the_exception_to_each) {
  const shared_future<void> f = async([] { throw std::runtime_error("no answer"); });
  const shared_future<void> g = f;
  EXPECT_THROW(f.get(), std::runtime_error);
  EXPECT_THROW(f.get(), std::runtime_error);
  EXPECT_THROW(g.get(), std::runtime_error);
  auto after = g.then([] { return 1; });
  EXPECT_THROW(after.get(), std::runtime_error);
}

TEST_P(shared_future_of, continues_in_many_ways) {
  const shared_future<int> f = async([] { return 10; }).share();
  std::vector<future<int>> all;
  for (int i = 0; i != 20; ++i) all.push_back(f.then([i](const int& n) { return n + i; }));
  auto second = f.then([](shared_future<int> ready) { return ready.get(); });
  for (int i = 0; i != 20; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)].get(), 10 + i);
  EXPECT_EQ(second.get(), 10);
  EXPECT_TRUE(f.valid());
}

TEST_P(shared_future_of, brings_references_and_void) {
  int x = 1;
  const shared_future<int&> f = async([&x]() -> int& { return x; }).share();
  EXPECT_EQ(&f.get(), &x);
  const shared_future<void> nothing = async([] {}).share();
  nothing.get();
  EXPECT_THROW(shared_future<int>().get(), std::logic_error);
}

TEST_P(shared_future_of, frees_its_value_with_the_last_copy) {
  std::atomic<int> alive{0};
  {
    shared_future<counted> f = async([c = counted(alive)] { return c; }).share();
    f.wait();
    shared_future<counted> g = f;
    f = shared_future<counted>();
    EXPECT_EQ(g.get().n_, &alive);
    const shared_future<counted> h = std::move(g);
    EXPECT_FALSE(g.valid());  // NOLINT(bugprone-use-after-move)
    EXPECT_TRUE(h.valid());
  }
  finalize();
  EXPECT_EQ(alive, 0);
}

TEST_P(shared_future_of, one_future_may_be_awaited_by_two) {
  latch go(1);
  future<int> f = async([&go] {
    go.wait();
    return 6;
  });
  std::atomic<int> through{0};
  tasks(3, [&](int i) {
    if (i == 2) return go.count_down();
    f.wait();
    ++through;
  });
  EXPECT_EQ(through, 2);
  EXPECT_EQ(f.get(), 6);
}

INSTANTIATE_TEST_SUITE_P(workers, then_of, testing::Values(1, 2, 4, 16));
INSTANTIATE_TEST_SUITE_P(workers, shared_future_of, testing::Values(1, 2, 4, 16));

}  // namespace
}  // namespace kasuri
