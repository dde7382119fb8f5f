// SPDX-License-Identifier: Apache-2.0
// Advice on where tasks run: followed where nothing speaks against it, and never more than advice.
#include <kasuri/kasuri.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

long fib(long n) {
  if (n < 2) return n;
  const auto [a, b] = parallel_invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

template <class Counter>
std::uint64_t sum_of(Counter counter) {
  std::uint64_t sum = 0;
  for (const worker_counters& c : counters()) sum += c.*counter;
  return sum;
}

// ---- places
// ---------------------------------------------------------------------------------------

class places : public pool_of {};

TEST_P(places, results_come_back_from_everywhere) {
  for (int round = 0; round != scaled(200); ++round) {
    const auto [a, b, c] = run([round] {
      return parallel_invoke([round] { return fib(5 + round % 5); },
                             at(on_worker(round % 7), [] { return std::string("placed"); }),
                             at(on_node(round % 3), [] { return 7; }));
    });
    EXPECT_EQ(a, fib(5 + round % 5));
    EXPECT_EQ(b, "placed");
    EXPECT_EQ(c, 7);
  }
}

TEST_P(places, both_sides_may_be_placed) {
  int seen = 0;
  run([&seen] {
    const auto both =
        parallel_invoke(at(on_worker(0), [] { return 1; }), at(on_worker(1), [] { return 2; }));
    EXPECT_EQ(both, std::tuple(1, 2));
    const auto first = parallel_invoke(at(on_worker(0), [] { return 3; }), [&seen] { seen = 4; });
    EXPECT_EQ(std::get<0>(first), 3);
  });
  EXPECT_EQ(seen, 4);
}

TEST_P(places, exceptions_pass) {
  std::atomic<int> ran{0};
  const auto throws = [] { throw std::runtime_error("f"); };
  run([&] {
    EXPECT_THROW(parallel_invoke(throws, at(on_worker(1), [&ran] { ++ran; })), std::runtime_error);
    EXPECT_THROW(parallel_invoke([&ran] { ++ran; }, at(on_worker(1), throws)), std::runtime_error);
  });
  EXPECT_GE(ran, 1);
  EXPECT_LE(ran, 2);
}

TEST_P(places, group_tasks_all_run) {
  std::atomic<int> count{0};
  const int n = scaled(3000);
  run([&] {
    task_group group;
    for (int i = 0; i != n; ++i) group.run(at(on_worker(i % 5 - 1), [&count] { ++count; }));
    group.wait();
  });
  EXPECT_EQ(count, n);
}

TEST_P(places, futures_come_back_from_everywhere) {
  run([] {
    std::vector<future<long>> all;
    for (int i = 0; i != scaled(500); ++i) {
      if (i % 3 == 0)
        all.push_back(async(hinted(i, [i] { return long{i}; })));
      else
        all.push_back(
            async(at(i % 3 == 1 ? on_worker(i % 7) : on_node(i % 5), [i] { return long{i}; })));
    }
    for (std::size_t i = 0; i != all.size(); ++i) EXPECT_EQ(all[i].get(), static_cast<long>(i));
  });
}

TEST_P(places, outside_of_the_pool_are_anywhere) {
  std::atomic<int> count{0};
  task_group group;
  group.run(at(on_worker(0), [&count] { ++count; }));
  group.run(at(where{}, [&count] { ++count; }));
  group.wait();
  EXPECT_EQ(count, 2);
}

TEST_P(places, are_counted) {
  const int n = scaled(500);
  const auto run_at_a_place = [] {
    return sum_of(&worker_counters::where_kept) + sum_of(&worker_counters::where_near) +
           sum_of(&worker_counters::where_missed);
  };
  const std::uint64_t before = sum_of(&worker_counters::posted);
  const std::uint64_t run_before = run_at_a_place();
  run([n] {
    task_group group;
    const int other = this_task::worker() == 0 ? 1 : 0;
    for (int i = 0; i != n; ++i) group.run(at(on_worker(other), [] {}));
    group.wait();
  });
  EXPECT_EQ(sum_of(&worker_counters::posted) - before, static_cast<std::uint64_t>(n));
  EXPECT_EQ(run_at_a_place() - run_before, static_cast<std::uint64_t>(n));
}

INSTANTIATE_TEST_SUITE_P(workers, places, testing::Values(2, 3, 8),
                         testing::PrintToStringParamName());

// ---- almost deterministic work stealing
// --------------------------------------------------------------

class adws : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { initialize({.workers = GetParam(), .scheduling = "adws"}); }
  void TearDown() override { finalize(); }
};

TEST_P(adws, fork_join_is_right) {
  for (int round = 0; round != scaled(20); ++round) EXPECT_EQ(run([] { return fib(16); }), 987);
}

TEST_P(adws, shares_divide_and_change_nothing_else) {
  struct tree {
    static long sum(int n, double work) {
      if (n == 0) return 1;
      const auto [a, b, c] = parallel_invoke(share(work, [=] { return sum(n - 1, work / 2); }),
                                             share(0, [=] { return sum(n - 1, 0); }),
                                             share(2 * work, [=] { return sum(n - 1, -work); }));
      return a + b + c;
    }
  };
  for (int round = 0; round != scaled(20); ++round)
    EXPECT_EQ(run([] { return tree::sum(7, 1.5); }), 2187);
}

TEST_P(adws, loops_are_divided_by_their_work) {
  const auto triangle = [](long i, long j) { return static_cast<double>((j - i) * (i + j)); };
  for (const long n : {1L, 2L, 3L, 100L, 1000L}) {
    std::vector<std::atomic<int>> visited(static_cast<std::size_t>(n));
    run([&] {
      parallel_for(0L, n, work_by{triangle},
                   [&](long i) { ++visited[static_cast<std::size_t>(i)]; });
      parallel_for(0L, n, work_by{[](long, long) { return 0; }},
                   [&](long i) { ++visited[static_cast<std::size_t>(i)]; });
    });
    for (const auto& v : visited) ASSERT_EQ(v, 2);
  }
  run([] { parallel_for(5, 5, work_by{[](int, int) { return 1; }}, [](int) { FAIL(); }); });
}

TEST_P(adws, a_loop_divided_by_its_work_gives_each_worker_as_much) {
  // Iteration i costs i + 1: of two workers the first has the first 71 %.
  const auto triangle = [](long i, long j) { return static_cast<double>((j - i) * (i + j + 1)); };
  const detail::equal_work<decltype(triangle)> division{triangle};
  EXPECT_EQ(division.middle(0, 1000), 707u);
  EXPECT_EQ(division.middle(0, 2), 1u);
  EXPECT_EQ(division.middle(10, 11 + 1), 11u);
}

TEST_P(adws, groups_with_and_without_a_total) {
  struct tree {
    static void count(std::atomic<int>& leaves, int depth) {
      if (depth == 0) {
        ++leaves;
        return;
      }
      task_group group(depth % 2 == 0 ? total_work{10} : total_work{0});
      for (int i = 1; i != 5; ++i)
        group.run(share(i, [&leaves, depth] { count(leaves, depth - 1); }));
      group.wait();
      group.run([&leaves] { ++leaves; });
      group.wait();
    }
  };
  for (int round = 0; round != scaled(20); ++round) {
    std::atomic<int> leaves{0};
    run([&leaves] { tree::count(leaves, 4); });
    EXPECT_EQ(leaves, 256 + 64 + 16 + 4 + 1);
  }
}

TEST_P(adws, exceptions_pass_and_what_was_sent_away_is_awaited_or_dropped) {
  for (int round = 0; round != scaled(100); ++round) {
    std::atomic<int> ran{0};
    run([&ran] {
      EXPECT_THROW(parallel_invoke([] { throw std::runtime_error("f"); }, [&ran] { ++ran; }),
                   std::runtime_error);
      EXPECT_THROW(parallel_invoke([&ran] { ++ran; }, [] { throw std::runtime_error("g"); }),
                   std::runtime_error);
      EXPECT_EQ(std::get<0>(parallel_invoke([] { return fib(8); }, [] { return 0; })), 21);
    });
    EXPECT_GE(ran, 1);
    EXPECT_LE(ran, 2);
  }
}

TEST_P(adws, threads_block_and_go_on) {
  run([] {
    mutex m;
    long sum = 0;
    parallel_for(0, 200, [&](int i) {
      this_task::yield();
      m.lock();
      sum += i;
      m.unlock();
    });
    EXPECT_EQ(sum, 199 * 100);
  });
}

TEST_P(adws, several_guests_at_once) {
  for (int round = 0; round != scaled(10); ++round) {
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int i = 0; i != 3; ++i) threads.emplace_back([&right] { right += fib(14) == 377; });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(right, 3);
  }
}

TEST_P(adws, routes_forks_that_span_workers_and_only_these) {
  const std::uint64_t before = sum_of(&worker_counters::routed);
  run([] { parallel_invoke([] {}, [] {}); });
  EXPECT_EQ(sum_of(&worker_counters::routed) - before, GetParam() == 1 ? 0u : 1u);
}

TEST(scheduling, of_an_unknown_name_is_refused) {
  try {
    initialize({.scheduling = "fifo"});
    FAIL() << "accepted";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(
        e.what(),
        "kasuri::initialize: scheduling = fifo: unknown name; accepted: near or random or adws");
  }
}

INSTANTIATE_TEST_SUITE_P(workers, adws, testing::Values(1, 2, 3, 8),
                         testing::PrintToStringParamName());

// ---- the program's own steal function
// ---------------------------------------------------------------

/// What the functions below noted.
struct notes {
  std::atomic<long> peeks{0}, sizes_wrong{0}, confirmed{0}, refused{0}, rounds{0};
};

class stealing : public pool_of {
 protected:
  notes seen;  // rounds may go on until the pool has ended

  void TearDown() override {
    set_steal_function(nullptr);
    pool_of::TearDown();
  }

  static long hinted_fib(long n) {
    if (n < 2) return n;
    const auto [a, b] = parallel_invoke([n] { return hinted_fib(n - 1); },
                                        hinted(n, [n] { return hinted_fib(n - 2); }));
    return a + b;
  }
};

bool by_hint(steal_round& round, void* arg) {
  auto& seen = *static_cast<notes*>(arg);
  ++seen.rounds;
  int best = -1;
  long most = -1;
  for (int v = 0; v != round.workers(); ++v) {
    long hint = -1;
    const auto size = round.peek(v, &hint, sizeof hint);
    if (size < 0) continue;
    ++seen.peeks;
    if (size != sizeof hint || hint < 0 || hint > 40) ++seen.sizes_wrong;
    if (hint > most) {
      most = hint;
      best = v;
    }
  }
  const auto confirm = [](const void* hint, std::ptrdiff_t bytes, void* to) {
    auto& noted = *static_cast<notes*>(to);
    long n = -1;
    if (bytes == sizeof n) std::memcpy(&n, hint, sizeof n);
    const bool taken = n >= 0 && n % 2 == 0;
    ++(taken ? noted.confirmed : noted.refused);
    return taken;
  };
  return best >= 0 && round.steal(best, confirm, arg);
}

TEST_P(stealing, sees_the_hints_and_decides) {
  set_steal_function(by_hint, &seen);
  for (int round = 0; round != scaled(20); ++round)
    EXPECT_EQ(run([] { return hinted_fib(18); }), 2584);
  EXPECT_EQ(seen.sizes_wrong, 0);
  // The function counts first, the worker behind its return.
  while (sum_of(&worker_counters::declined) < static_cast<std::uint64_t>(seen.refused.load()))
    std::this_thread::yield();
}

TEST_P(stealing, survives_a_function_that_refuses_everything) {
  set_steal_function([](steal_round& round, void*) {
    for (int v = 0; v != round.workers(); ++v)
      round.steal(v, [](const void*, std::ptrdiff_t, void*) { return false; }, nullptr);
    return false;
  });
  EXPECT_EQ(run([] { return hinted_fib(18); }), 2584);
}

TEST_P(stealing, survives_garbage) {
  set_steal_function([](steal_round& round, void*) {
    char hint[3];
    for (const int v : {-1, round.workers(), 1 << 30, round.thief()}) {
      EXPECT_EQ(round.peek(v, hint, sizeof hint), -1);
      EXPECT_FALSE(round.steal(v, nullptr, nullptr));
    }
    return true;  // nothing was taken
  });
  EXPECT_EQ(run([] { return hinted_fib(18); }), 2584);
}

TEST_P(stealing, survives_exceptions) {
  set_steal_function([](steal_round&, void*) -> bool { throw std::runtime_error("steal"); });
  EXPECT_EQ(run([] { return hinted_fib(18); }), 2584);
  set_steal_function([](steal_round& round, void*) {
    for (int v = 0; v != round.workers(); ++v)
      round.steal(v, [](const void*, std::ptrdiff_t, void*) -> bool { throw 1; }, nullptr);
    return false;
  });
  EXPECT_EQ(run([] { return hinted_fib(18); }), 2584);
}

TEST_P(stealing, a_function_that_takes_nothing_is_overruled_and_a_task_that_waits_for_it_runs) {
  set_steal_function([](steal_round&, void*) { return false; });
  // The first side does not end before the second, which only a thief can begin.
  std::atomic<bool> begun{false};
  run([&begun] {
    parallel_invoke(
        [&begun] {
          while (!begun.load(std::memory_order_relaxed)) std::this_thread::yield();
        },
        [&begun] { begun.store(true, std::memory_order_relaxed); });
  });
  EXPECT_GE(sum_of(&worker_counters::overruled), 1u);
}

TEST_P(stealing, group_tasks_have_hints_too) {
  set_steal_function(by_hint, &seen);
  std::atomic<int> count{0};
  run([&count] {
    task_group group;
    for (long i = 0; i != 2000; ++i) group.run(hinted(i % 40, [&count] { ++count; }));
    group.wait();
  });
  EXPECT_EQ(count, 2000);
  EXPECT_EQ(seen.sizes_wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(workers, stealing, testing::Values(2, 4),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace kasuri::test
