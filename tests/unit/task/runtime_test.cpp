// SPDX-License-Identifier: Apache-2.0
// Beginning and end of the pool.

#include <gtest/gtest.h>

#include <atomic>
#include <kasuri/kasuri.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/scale.hpp"

namespace kasuri::test {
namespace {

int fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = parallel_invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

TEST(runtime, starts_by_itself_and_again_after_finalize) {
  for (int i = 0; i != 20; ++i) {
    EXPECT_EQ(fib(12), 144);
    finalize();
  }
}

TEST(runtime, finalize_is_idempotent) {
  fib(5);
  finalize();
  finalize();
  EXPECT_EQ(fib(5), 5);
  finalize();
}

TEST(runtime, changes_its_size_between_lives) {
  for (const int workers : {1, 7, 2, 16, 1, 3}) {
    initialize({.workers = workers});
    EXPECT_EQ(num_workers(), workers);
    EXPECT_EQ(fib(15), 610);
    finalize();
  }
}

TEST(runtime, ends_with_every_number_of_workers_that_is_accepted) {
  for (const int workers : {2047, 2048}) {
    initialize({.workers = workers});
    EXPECT_EQ(fib(10), 55);
    finalize();
  }
  EXPECT_THROW(initialize({.workers = 2049}), std::invalid_argument);
}

TEST(runtime, more_workers_than_processors) {
  initialize({.workers = 64});
  for (int i = 0; i != scaled(20); ++i) ASSERT_EQ(fib(18), 2584);
  finalize();
}

TEST(runtime, refuses_to_initialize_twice) {
  initialize({.workers = 2});
  EXPECT_THROW(initialize({.workers = 2}), std::logic_error);
  finalize();
}

TEST(runtime, refuses_options_out_of_range) {
  EXPECT_THROW(initialize({.workers = -1}), std::invalid_argument);
  EXPECT_THROW(initialize({.workers = 4097}), std::invalid_argument);
  EXPECT_THROW(initialize({.stack_size = 1}), std::invalid_argument);
}

TEST(runtime, refuses_to_finalize_from_inside) {
  run([] { EXPECT_THROW(finalize(), std::logic_error); });
  std::atomic<bool> in{false};
  std::atomic<bool> out{false};
  std::thread other([&] {
    run([&] {
      in = true;
      while (!out) std::this_thread::yield();
    });
  });
  while (!in) std::this_thread::yield();
  EXPECT_THROW(finalize(), std::logic_error);
  out = true;
  other.join();
  finalize();
}

TEST(runtime, run_returns_and_throws_what_the_function_does) {
  int x = 3;
  EXPECT_EQ(run([] { return 5; }), 5);
  int& same = run([&x]() -> int& { return x; });
  EXPECT_EQ(&same, &x);
  EXPECT_THROW(run([]() -> void { throw std::out_of_range("x"); }), std::out_of_range);
  EXPECT_EQ(this_task::worker(), -1);
  EXPECT_EQ(run([] { return run([] { return this_task::worker() >= 0; }); }), true);
}

TEST(runtime, counters_count) {
  finalize();
  initialize({.workers = 2});
  run([] {
    task_group g;
    for (int i = 0; i != 100; ++i) g.run([] { this_task::yield(); });
    g.wait();
  });
  std::uint64_t suspends = 0;
  std::uint64_t resumes = 0;
  for (const worker_counters& c : counters()) {
    suspends += c.suspends;
    resumes += c.resumes;
  }
  EXPECT_EQ(suspends, resumes);
  finalize();
}

TEST(runtime, many_lives_with_many_guests) {
  for (int life = 0; life != scaled(20); ++life) {
    initialize({.workers = 1 + life % 4});
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int i = 0; i != 4; ++i) threads.emplace_back([&right] { right += fib(12) == 144; });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(right, 4);
    finalize();
  }
}

}  // namespace
}  // namespace kasuri::test
