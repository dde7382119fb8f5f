// SPDX-License-Identifier: Apache-2.0
// Loops, invoke, async and groups that are stopped by a token or a time.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <tuple>
#include <variant>
#include <vector>

#include "kasuri/stop.hpp"
#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

using stop_of = test::pool_of;

std::stop_token stopped_token() {
  std::stop_source source;
  source.request_stop();
  return source.get_token();
}

/// A body that is stopped by its own call `at` calls later, and counts the calls.
struct stops_itself {
  std::stop_source source;
  int at;
  std::atomic<int> calls{0};

  explicit stops_itself(int n) : at(n) {}
  void call() {
    if (++calls == at) source.request_stop();
  }
};

TEST(stop_condition, says_whether_it_is_met) {
  EXPECT_FALSE(stop_condition().stop_requested());
  EXPECT_TRUE(stop_condition(stopped_token()).stop_requested());
  EXPECT_TRUE(stop_after(0s).stop_requested());
  EXPECT_TRUE(stop_after(-1h).stop_requested());
  EXPECT_TRUE(stop_at(steady::time_point::min()).stop_requested());
  EXPECT_FALSE(stop_after(1h).stop_requested());
  EXPECT_FALSE(stop_at(std::chrono::system_clock::now() + 1h).stop_requested());
  EXPECT_FALSE(stop_at(steady::time_point::max()).stop_requested());
  EXPECT_TRUE(stop_after(1h, stopped_token()).stop_requested());
  std::stop_source source;
  const stop_condition both = stop_after(1h, source.get_token());
  EXPECT_FALSE(both.stop_requested());
  source.request_stop();
  EXPECT_TRUE(both.stop_requested());
}

// ---- whole: the condition is there and not met -------------------------------------------------

TEST_P(stop_of, a_loop_that_is_not_stopped_runs_whole) {
  std::stop_source source;
  const std::stop_token token = source.get_token();
  constexpr int size = 10000;
  std::vector<std::atomic<int>> seen(size);
  const auto mark = [&](int i) { ++seen[static_cast<std::size_t>(i)]; };
  EXPECT_TRUE(parallel_for(token, 0, size, mark));
  EXPECT_TRUE(parallel_for(stop_after(1h), 0, size, 100, mark));
  EXPECT_TRUE(parallel_for(stop_after(1h, token), 0, size, std::size_t{size}, mark));
  EXPECT_TRUE(parallel_for(token, 0, size, work_by([](int i, int j) { return j - i; }), mark));
  EXPECT_TRUE(parallel_for(stop_condition(), blocked_range(0, size, 7), [&](const auto& piece) {
    for (int i = piece.begin(); i != piece.end(); ++i) mark(i);
  }));
  EXPECT_TRUE(parallel_for(token, 5, 5, [](int) { ADD_FAILURE(); }));
  for (const auto& each : seen) ASSERT_EQ(each, 5);
}

TEST_P(stop_of, tiles_run_whole) {
  std::stop_source source;
  std::atomic<int> cells{0};
  const blocked_range<int> side(0, 30, 4);
  EXPECT_TRUE(parallel_for(source.get_token(), blocked_range2d(side, side), [&](const auto& tile) {
    cells += static_cast<int>(tile.rows().size() * tile.columns().size());
  }));
  EXPECT_EQ(cells, 30 * 30);
  cells = 0;
  EXPECT_TRUE(
      parallel_for(source.get_token(), blocked_range3d(side, side, side), [&](const auto& box) {
        cells += static_cast<int>(box.pages().size() * box.rows().size() * box.columns().size());
      }));
  EXPECT_EQ(cells, 30 * 30 * 30);
}

TEST_P(stop_of, items_run_whole) {
  std::stop_source source;
  std::vector<int> v(1000, 1);
  EXPECT_TRUE(parallel_for_each(source.get_token(), v, [](int& x) { ++x; }));
  EXPECT_EQ(v, std::vector<int>(1000, 2));
  std::list<int> items{1, 2, 3};
  std::atomic<int> sum{0};
  EXPECT_TRUE(parallel_for_each(source.get_token(), items, [&](int x, feeder<int>& more) {
    sum += x;
    if (x < 100) more.add(100 + x);
  }));
  EXPECT_EQ(sum, 6 + 306);
  EXPECT_TRUE(parallel_for_each(source.get_token(), v.begin(), v.end(), [&](int x) { sum += x; }));
  EXPECT_EQ(sum, 6 + 306 + 2000);
}

TEST_P(stop_of, a_reduction_has_the_result_that_it_has_without) {
  std::stop_source source;
  const auto value = [](int i) { return 1.0 / (1 + i); };
  const double expected = parallel_reduce(0, 100000, 0.0, value, std::plus<>());
  const std::optional<double> by_index =
      parallel_reduce(source.get_token(), 0, 100000, 0.0, value, std::plus<>());
  ASSERT_TRUE(by_index.has_value());
  EXPECT_EQ(*by_index, expected);
  const auto fold = [&](const blocked_range<int>& block, double sum) {
    for (int i = block.begin(); i != block.end(); ++i) sum += value(i);
    return sum;
  };
  EXPECT_EQ(parallel_reduce(stop_after(1h), blocked_range(0, 100000), 0.0, fold, std::plus<>()),
            std::optional(expected));
  EXPECT_EQ(parallel_reduce(source.get_token(), 1, 1001, std::size_t{10}, 0, std::identity(),
                            std::plus<>()),
            std::optional(500500));
  EXPECT_EQ(parallel_reduce(source.get_token(), 1, 1, 7, std::identity(), std::plus<>()),
            std::optional(7));
  const blocked_range2d<int> cells({0, 100}, {0, 200});
  const auto of_cell = [&](int row, int column) { return value(row * 200 + column); };
  EXPECT_EQ(parallel_reduce(source.get_token(), cells, 0.0, of_cell, std::plus<>()),
            std::optional(parallel_reduce(cells, 0.0, of_cell, std::plus<>())));
  source.request_stop();
  EXPECT_FALSE(parallel_reduce(source.get_token(), cells, 0.0, of_cell, std::plus<>()).has_value());
}

TEST_P(stop_of, closures_run_whole) {
  std::stop_source source;
  std::atomic<int> ran{0};
  const auto mark = [&] { ++ran; };
  EXPECT_TRUE(parallel_invoke(source.get_token(), mark, mark));
  EXPECT_TRUE(parallel_invoke(stop_after(1h), mark, mark, mark, mark));
  EXPECT_EQ(ran, 6);
  auto two = parallel_invoke(
      source.get_token(), [] { return 4; }, [] { return std::make_unique<int>(2); });
  static_assert(
      std::is_same_v<decltype(two), std::optional<std::tuple<int, std::unique_ptr<int>>>>);
  ASSERT_TRUE(two.has_value());
  EXPECT_EQ(std::get<0>(*two) * 10 + *std::get<1>(*two), 42);
  const auto three =
      parallel_invoke(source.get_token(), [] { return 4; }, mark, share(2, [] { return 2; }));
  static_assert(
      std::is_same_v<decltype(three), const std::optional<std::tuple<int, std::monostate, int>>>);
  EXPECT_EQ(std::get<0>(*three) * 10 + std::get<2>(*three), 42);
  const auto placed =
      parallel_invoke(source.get_token(), [] { return 4; }, at(on_worker(0), [] { return 2; }));
  EXPECT_EQ(placed, std::optional(std::tuple(4, 2)));
}

TEST_P(stop_of, run_returns_what_its_function_returns) {
  std::stop_source source;
  EXPECT_EQ(run(source.get_token(), [] { return 42; }), std::optional(42));
  EXPECT_TRUE(run(stop_after(1h), [] {}));
  EXPECT_EQ(**run(source.get_token(), [] { return std::make_unique<int>(7); }), 7);
}

TEST_P(stop_of, async_brings_what_its_function_returns) {
  std::stop_source source;
  EXPECT_EQ(async(source.get_token(), [] { return 42; }).get(), std::optional(42));
  EXPECT_TRUE(async(stop_after(1h), [] {}).get());
  EXPECT_EQ(
      async(source.get_token(), at(on_worker(0), [own = std::make_unique<int>(7)] { return *own; }))
          .get(),
      std::optional(7));
}

// ---- stopped -----------------------------------------------------------------------------------

TEST_P(stop_of, nothing_runs_where_the_condition_is_met_before) {
  const auto fail = [](auto&&...) { ADD_FAILURE(); };
  const auto fails = [] { return ADD_FAILURE(), 1; };
  std::vector<int> v(10);
  for (const stop_condition& met : {stop_condition(stopped_token()), stop_after(-1s)}) {
    EXPECT_FALSE(parallel_for(met, 0, 1000, fail));
    EXPECT_FALSE(parallel_for(met, blocked_range(0, 1000), fail));
    EXPECT_FALSE(parallel_for_each(met, v, fail));
    EXPECT_FALSE(parallel_for_each(met, v.begin(), v.end(), fail));
    EXPECT_EQ(parallel_reduce(
                  met, 0, 1000, 0, [](int i) { return ADD_FAILURE(), i; }, std::plus<>()),
              std::nullopt);
    EXPECT_FALSE(parallel_invoke(met, [&] { fail(); }, [&] { fail(); }));
    EXPECT_EQ(parallel_invoke(met, fails, fails), std::nullopt);
    EXPECT_FALSE(run(met, [&] { fail(); }));
    EXPECT_EQ(run(met, fails), std::nullopt);
    EXPECT_FALSE(async(met, [&] { fail(); }).get());
    EXPECT_EQ(async(met, fails).get(), std::nullopt);
    stoppable_group group(met);
    group.run([&] { fail(); });
    EXPECT_FALSE(group.wait());
  }
}

TEST_P(stop_of, a_loop_leaves_out_what_has_not_begun) {
  constexpr int size = 1 << 20;
  const auto left_out = [=](stops_itself& body, bool is_whole) {
    EXPECT_FALSE(is_whole);
    EXPECT_GE(body.calls, body.at);
    EXPECT_LT(body.calls, size);
    // On one worker nothing begins between the stop and the next look, unless spares help.
    if (GetParam() == 1) {
      EXPECT_LE(body.calls, body.at + 64);
    }
  };
  for (const int at : {1, 2, 1000}) {
    stops_itself a(at), b(at), c(at), d(at);
    left_out(a, parallel_for(a.source.get_token(), 0, size, [&](int) { a.call(); }));
    left_out(b, parallel_for(b.source.get_token(), 0, size, size, [&](int) { b.call(); }));
    std::vector<char> v(size);
    left_out(c, parallel_for_each(c.source.get_token(), v, [&](char) { c.call(); }));
    if (at == 1000) continue;  // there are not as many pieces
    left_out(d, parallel_for(d.source.get_token(), blocked_range(0, size, 1),
                             [&](const auto&) { d.call(); }));
  }
}

TEST_P(stop_of, a_reduction_that_is_stopped_has_no_result) {
  for (const int at : {1, 2, 1000, 100000}) {
    stops_itself body(at);
    const auto map = [&](int i) {
      body.call();
      return i;
    };
    EXPECT_EQ(parallel_reduce(body.source.get_token(), 0, 1 << 20, 0L, map, std::plus<>()),
              std::nullopt);
    EXPECT_LT(body.calls, 1 << 20);
  }
  stops_itself body(3);
  EXPECT_EQ(parallel_reduce(
                body.source.get_token(), blocked_range(0, 1 << 20, 256), 0.0,
                [&](const blocked_range<int>& block, double sum) {
                  body.call();
                  return sum + static_cast<double>(block.size());
                },
                std::plus<>()),
            std::nullopt);
  EXPECT_LT(body.calls, 4096);
}

TEST_P(stop_of, closures_that_have_not_begun_do_not_run) {
  std::stop_source source;
  std::atomic<int> ran{0};
  const auto later = [&] { ++ran; };
  const std::uint64_t lent_before = test::threads_lent();
  EXPECT_FALSE(parallel_invoke(source.get_token(), [&] { source.request_stop(); }, later, later));
  if (GetParam() == 1 && test::threads_lent() == lent_before) {
    EXPECT_EQ(ran, 0);
  }
  std::stop_source second;
  EXPECT_EQ(parallel_invoke(
                second.get_token(), [&] { return second.request_stop(); }, [] { return 1; }),
            std::nullopt);
}

// All workers are busy with the call: the time is kept by another thread.
TEST_P(stop_of, a_time_stops_a_call_that_has_all_workers) {
  std::atomic<int> begun{0};
  EXPECT_FALSE(parallel_for(stop_after(2ms), 0, 1000, [&](int) {
    ++begun;
    while (!this_task::canceled()) detail::real_atomics::pause();
  }));
  EXPECT_LT(begun, 1000);
  const auto t = steady::now() + 2ms;
  EXPECT_FALSE(run(stop_at(t), [] {
    while (!this_task::canceled()) detail::real_atomics::pause();
  }));
  EXPECT_GE(steady::now(), t);
  EXPECT_FALSE(async(stop_after(1ms), [] {
                 while (!this_task::canceled()) detail::real_atomics::pause();
               }).get());
}

TEST_P(stop_of, what_runs_inside_is_stopped_too) {
  std::stop_source source;
  std::atomic<int> ran{0};
  EXPECT_FALSE(run(source.get_token(), [&] {
    task_group group;
    group.run([&] { source.request_stop(); });
    group.wait();
    EXPECT_TRUE(this_task::canceled());
    group.run([&] { ++ran; });
    group.wait();
    std::vector<int> v(1000);
    parallel_for_each(v.begin(), v.end(), [&](int) { ++ran; });
    int next = 0;
    pipeline(
        4, [&] { return next < 100 ? std::optional(next++) : std::nullopt; },
        serial([&](int) { ++ran; }));
    EXPECT_FALSE(parallel_for(stop_condition(), 0, 1000, [&](int) { ++ran; }));
  }));
  EXPECT_EQ(ran, 0);
  EXPECT_FALSE(this_task::canceled());
}

TEST_P(stop_of, an_inner_stop_does_not_stop_what_is_around) {
  std::stop_source outer, inner;
  EXPECT_TRUE(run(outer.get_token(), [&] {
    EXPECT_FALSE(run(inner.get_token(), [&] {
      inner.request_stop();
      EXPECT_TRUE(this_task::canceled());
    }));
    EXPECT_FALSE(this_task::canceled());
  }));
}

TEST_P(stop_of, a_canceled_group_stops_the_calls_inside) {
  std::atomic<int> ran{0};
  run([&] {
    task_group group;
    group.run([&] {
      group.cancel();
      EXPECT_FALSE(parallel_for(stop_after(1h), 0, 1000, [&](int) { ++ran; }));
      EXPECT_EQ(run(stop_condition(), [] { return 1; }), std::nullopt);
    });
    group.wait();
  });
  EXPECT_EQ(ran, 0);
}

TEST_P(stop_of, an_exception_leaves_a_call) {
  std::stop_source source;
  run([&] {
    EXPECT_THROW(static_cast<void>(parallel_for(source.get_token(), 0, 1000,
                                                [&](int i) {
                                                  if (i == 500) throw std::runtime_error("500");
                                                })),
                 std::runtime_error);
    EXPECT_THROW(static_cast<void>(run(stop_after(1h),
                                       [&] {
                                         source.request_stop();
                                         throw std::runtime_error("stopped");
                                       })),
                 std::runtime_error);
    EXPECT_FALSE(this_task::canceled());
    EXPECT_EQ(detail::current_scope(), nullptr);
  });
}

// The call waits, and goes on on any worker.
TEST_P(stop_of, calls_that_wait_keep_their_scope) {
  std::stop_source source;
  std::atomic<int> stopped{0};
  latch all(4);
  tasks(4, [&](int i) {
    static_cast<void>(run(i == 0 ? std::stop_token() : source.get_token(), [&] {
      all.arrive_and_wait();
      for (int k = 0; k != 10; ++k) this_task::yield();
      EXPECT_FALSE(this_task::canceled());
      if (i == 0) sleep_for(100us);
    }));
    EXPECT_FALSE(this_task::canceled());
  });
  latch begun(4);
  tasks(4, [&](int i) {
    const bool is_whole = run(i == 0 ? std::stop_token() : source.get_token(), [&] {
      begun.arrive_and_wait();
      if (i == 0) source.request_stop();
      while (i != 0 && !this_task::canceled()) this_task::yield();
    });
    if (!is_whole) ++stopped;
    EXPECT_EQ(is_whole, i == 0);
  });
  EXPECT_EQ(stopped, 3);
}

// ---- groups ------------------------------------------------------------------------------------

TEST_P(stop_of, a_group_is_stopped_by_a_token_and_stays_so) {
  run([] {
    std::stop_source source;
    std::atomic<int> ran{0};
    stoppable_group group(source.get_token());
    for (int i = 0; i != 100; ++i) group.run([&] { ++ran; });
    EXPECT_TRUE(group.wait());
    EXPECT_EQ(ran, 100);
    EXPECT_FALSE(group.canceled());
    group.cancel();
    group.run([&] { ++ran; });
    EXPECT_FALSE(group.wait());
    group.run([&] { ++ran; });
    EXPECT_TRUE(group.wait());
    EXPECT_EQ(ran, 101);
    group.run([&] { source.request_stop(); });
    EXPECT_FALSE(group.wait());
    EXPECT_TRUE(group.canceled());
    group.run([&] { ++ran; });
    EXPECT_FALSE(group.wait());
    EXPECT_EQ(ran, 101);
  });
}

TEST_P(stop_of, a_group_is_stopped_by_a_time) {
  run([] {
    std::atomic<int> ran{0};
    {
      stoppable_group group(stop_after(1ms));
      group.run([&] {
        ++ran;
        while (!this_task::canceled()) this_task::yield();
      });
      EXPECT_FALSE(group.wait());
      group.run([&] { ++ran; });
    }
    EXPECT_LE(ran, 1);
    stoppable_group group(stop_after(1h));
    group.run([&] { throw std::runtime_error("task"); });
    EXPECT_THROW(static_cast<void>(group.wait()), std::runtime_error);
    EXPECT_TRUE(group.wait());
  });
}

TEST_P(stop_of, a_group_that_nobody_waits_for_can_still_be_stopped) {
  std::stop_source source;
  std::thread stops;
  run([&] {
    latch begun(1);  // before the group: its task uses it until the group ends
    stoppable_group group(source.get_token());
    stops = std::thread([&] {
      begun.wait();
      source.request_stop();
    });
    group.run([&] {
      begun.count_down();
      while (!this_task::canceled()) this_task::yield();
    });
  });
  stops.join();
}

// ---- stop and end together ---------------------------------------------------------------------

TEST_P(stop_of, who_is_told_whole_has_all) {
  constexpr int size = 300;
  for (int k = 0, turns = test::scaled(1000); k != turns; ++k) {
    std::stop_source source;
    std::atomic<int> loop_ran{0};
    std::atomic<bool> begun{false};
    std::thread stops([&] {
      while (!begun) detail::real_atomics::pause();
      for (int i = 20 * (k % 100); i > 0; --i) detail::real_atomics::pause();
      source.request_stop();
    });
    const bool is_whole = parallel_for(source.get_token(), 0, size, [&](int) {
      begun = true;
      ++loop_ran;
    });
    EXPECT_TRUE(!is_whole || loop_ran == size);
    const std::optional<int> sum = parallel_reduce(stop_after(20us * (k % 4), source.get_token()),
                                                   0, size, 0, std::identity(), std::plus<>());
    EXPECT_EQ(sum.value_or(size * (size - 1) / 2), size * (size - 1) / 2);
    stops.join();
  }
}

TEST_P(stop_of, many_conditions_at_once) {
  const int each = test::scaled(200);
  std::stop_source source;
  std::atomic<int> whole{0};
  tasks_and_threads(6, 2, [&](int i) {
    for (int k = 0; k != each; ++k) {
      const stop_condition mine =
          i % 2 == 0 ? stop_after(1h, source.get_token()) : stop_condition(source.get_token());
      whole += parallel_for(mine, 0, 10, [](int) {}) ? 1 : 0;
      static_cast<void>(run(stop_after(std::chrono::microseconds(k % 50)), [] {}));
    }
  });
  EXPECT_EQ(whole, 8 * each);
}

INSTANTIATE_TEST_SUITE_P(workers, stop_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
