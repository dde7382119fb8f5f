// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

using detail::fork_points;

class fork_point : public pool_of {};

long fib(kasuri::fork_point here, int n) {
  if (n < 2) return n;
  const auto [a, b] = parallel_invoke(
      here, [n](kasuri::fork_point first) { return fib(first, n - 1); },
      [n](kasuri::fork_point second) { return fib(second, n - 2); });
  return a + b;
}

constexpr long fib_20 = 6765;

TEST_P(fork_point, gives_results_in_order) {
  run([] {
    const kasuri::fork_point here;
    const auto [a, b] = parallel_invoke(
        here, [] { return 1; }, [](kasuri::fork_point) { return std::string("two"); });
    EXPECT_EQ(a, 1);
    EXPECT_EQ(b, "two");
    static_assert(
        std::is_void_v<decltype(parallel_invoke(here, [] {}, [](kasuri::fork_point) {}))>);
    for (int i = 0; i != scaled(50); ++i) ASSERT_EQ(fib(kasuri::fork_point(), 20), fib_20);
  });
}

TEST_P(fork_point, reaches_closures_of_every_call) {
  const auto sum = [](int n) { return [n](kasuri::fork_point p) { return fib(p, n); }; };
  // From a thread that is no worker, of two and of more closures, with advice.
  const auto [a, b] = parallel_invoke(sum(10), sum(11));
  EXPECT_EQ(a + b, 55 + 89);
  const auto [c, d, e] = parallel_invoke(sum(10), [] { return 1L; }, sum(12));
  EXPECT_EQ(c + d + e, 55 + 1 + 144);
  run([&] {
    const kasuri::fork_point here;
    const auto [f, g] = parallel_invoke(here, share(1, sum(10)), hinted(7, sum(11)));
    EXPECT_EQ(f + g, 55 + 89);
    const auto [h, i] = parallel_invoke(here, sum(10), kasuri::at(on_worker(0), sum(11)));
    EXPECT_EQ(h + i, 55 + 89);
  });
}

// A tree whose closures suspend between their forks and use the points that they had before.
long leaves_of(kasuri::fork_point here, int depth) {
  if (depth == 0) return 1;
  long sum = 0;
  for (int i = 0; i != 2; ++i) {
    const auto [a, b] = parallel_invoke(
        here,
        [depth](kasuri::fork_point first) {
          this_task::yield();
          return leaves_of(first, depth - 1);
        },
        [depth, here](kasuri::fork_point second) {
          const long before = leaves_of(second, depth - 1);
          this_task::yield();
          return before + leaves_of(here, depth - 1) + leaves_of(second, depth - 1);
        });
    sum += a + b;
    this_task::yield();
  }
  return sum;
}

TEST_P(fork_point, may_be_used_after_suspensions) {
  long expected = 1;
  for (int i = 0; i != 4; ++i) expected *= 8;
  for (int i = 0; i != scaled(10); ++i) {
    std::atomic<long> all{0};
    tasks(4, [&all](int) { all += leaves_of(kasuri::fork_point(), 4); });
    ASSERT_EQ(all, 4 * expected);
  }
}

TEST_P(fork_point, goes_on_after_waits_for_other_tasks) {
  for (int i = 0; i != scaled(50); ++i)
    run([] {
      semaphore begun(0);
      const auto [a, b] = parallel_invoke(
          kasuri::fork_point(),
          [&begun](kasuri::fork_point p) {
            begun.acquire();  // the other closure releases: this one is suspended or it was stolen
            return fib(p, 10);
          },
          [&begun](kasuri::fork_point p) {
            begun.release();
            return fib(p, 11);
          });
      ASSERT_EQ(a + b, 55 + 89);
    });
}

// Every task forks by points that were made elsewhere: by other tasks, and outside.
TEST_P(fork_point, of_others_is_harmless) {
  std::vector<kasuri::fork_point> points(1);
  run([&points] {
    points.emplace_back();
    parallel_invoke(points.back(), [&points](kasuri::fork_point p) { points.push_back(p); }, [] {});
  });
  EXPECT_FALSE(fork_points::fits(points.front()));
  std::atomic<long> all{0};
  const auto use = [&](int i) {
    for (const kasuri::fork_point p : points) all += fib(p, 10 + i % 2);
  };
  tasks_and_threads(6, 2, use);
  EXPECT_EQ(all, static_cast<long>(points.size()) * (4 * 55 + 4 * 89));
  // And of a pool that is no more.
  finalize();
  initialize({.workers = GetParam()});
  all = 0;
  tasks(4, use);
  EXPECT_EQ(all, static_cast<long>(points.size()) * (2 * 55 + 2 * 89));
}

TEST_P(fork_point, throws_the_first_exception_in_order) {
  for (int i = 0; i != scaled(100); ++i)
    for (int who = 1; who != 4; ++who) {
      std::string caught;
      long after = 0;
      run([&] {
        const kasuri::fork_point here;
        try {
          parallel_invoke(
              here,
              [who](kasuri::fork_point p) {
                this_task::yield();
                if ((who & 1) != 0) throw std::runtime_error("f");
                return fib(p, 5);
              },
              [who](kasuri::fork_point p) {
                if ((who & 2) != 0) throw std::runtime_error("g");
                return fib(p, 5);
              });
        } catch (const std::runtime_error& e) {
          caught = e.what();
        }
        after = fib(here, 10);
      });
      ASSERT_EQ(caught, (who & 1) != 0 ? "f" : "g");
      ASSERT_EQ(after, 55);
    }
}

long depth_sum(kasuri::fork_point here, long depth) {
  if (depth == 0) return 0;
  const auto [below, one] = parallel_invoke(
      here, [depth](kasuri::fork_point p) { return depth_sum(p, depth - 1); }, [] { return 1L; });
  return below + one;
}

// A push that is refused leaves the slot that its closure was told about as it was.
TEST(fork_point_exhaustion, of_a_frame_that_a_full_deque_refused) {
  if (sanitized) GTEST_SKIP() << "needs plain stack frames";
  initialize({.workers = 1, .stack_size = std::size_t{1} << 30});
  constexpr long depth = (1 << 20) + 50'000;
  long sum = 0;
  run([&sum] {
    task_group g;
    g.run([&sum] { sum = depth_sum(kasuri::fork_point(), depth); }, spawn::child_first);
    g.wait();
  });
  EXPECT_EQ(sum, depth);
  finalize();
}

// What the overload saves is saved where nothing is suspended and nobody steals.
TEST(fork_point_of_one_worker, fits_in_both_closures) {
  initialize({.workers = 1});
  run([] {
    const kasuri::fork_point here;
    EXPECT_TRUE(fork_points::fits(here));
    parallel_invoke(
        here,
        [here](kasuri::fork_point first) {
          EXPECT_TRUE(fork_points::fits(first));
          EXPECT_FALSE(fork_points::fits(here));  // a frame lies there
          parallel_invoke(
              first, [](kasuri::fork_point p) { EXPECT_TRUE(fork_points::fits(p)); },
              [](kasuri::fork_point p) { EXPECT_TRUE(fork_points::fits(p)); });
          EXPECT_TRUE(fork_points::fits(first));
        },
        [](kasuri::fork_point second) { EXPECT_TRUE(fork_points::fits(second)); });
    EXPECT_TRUE(fork_points::fits(here));
  });
  finalize();
}

INSTANTIATE_TEST_SUITE_P(workers, fork_point, testing::Values(1, 2, 4),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace kasuri::test
