// SPDX-License-Identifier: Apache-2.0
#include <kasuri/adapters/parlay.hpp>

#include <parlay/internal/collect_reduce.h>
#include <parlay/primitives.h>
#include <parlay/sequence.h>
#include <parlay/worker_specific.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "support/pool_fixture.hpp"

namespace kasuri {
namespace {

using parlay_of = test::pool_of;

TEST_P(parlay_of, loops_call_each_index_once) {
  for (const long granularity : {0L, 1L, 100L, 100'000L}) {
    std::vector<std::atomic<int>> calls(10'000);
    parlay::parallel_for(0, calls.size(), [&](std::size_t i) { ++calls[i]; }, granularity);
    for (const auto& c : calls) EXPECT_EQ(c, 1);
  }
  parlay::parallel_for(5, 5, [](std::size_t) { FAIL() << "there is no index"; });
  parlay::parallel_for(7, 5, [](std::size_t) { FAIL() << "there is no index"; });
}

long fib(int n) {
  if (n < 2) return n;
  long a = 0;
  long b = 0;
  parlay::par_do([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
  return a + b;
}

TEST_P(parlay_of, forks_nest) {
  EXPECT_EQ(fib(15), 610);
  EXPECT_EQ(run([] { return fib(15); }), 610);
}

TEST_P(parlay_of, exceptions_come_out) {
  EXPECT_THROW(parlay::par_do([] { throw std::runtime_error("left"); }, [] {}), std::runtime_error);
  EXPECT_THROW(parlay::parallel_for(0, 1000,
                                    [](std::size_t i) {
                                      if (i == 500) throw std::runtime_error("500");
                                    }),
               std::runtime_error);
}

TEST_P(parlay_of, numbers_of_workers_lie_below_their_bound) {
  std::atomic<int> wrong{0};
  tasks_and_threads(2, 2, [&](int) {
    parlay::parallel_for(0, 10'000, [&](std::size_t) {
      wrong += parlay::worker_id() < parlay::num_workers() ? 0 : 1;
    });
  });
  EXPECT_EQ(wrong, 0);
}

TEST_P(parlay_of, what_each_worker_has_adds_up) {
  parlay::WorkerSpecific<long> sums;
  run([&] {
    parlay::parallel_for(0, 100'000, [&](std::size_t i) { *sums += static_cast<long>(i); });
  });
  long sum = 0;
  for (const long s : sums) sum += s;
  EXPECT_EQ(sum, 100'000L * 99'999 / 2);
}

TEST_P(parlay_of, its_algorithms_run) {
  const std::size_t n = 200'000;
  const auto numbers = parlay::tabulate(n, [](std::size_t i) { return parlay::hash64(i) % 1000; });
  const auto sorted = parlay::sort(numbers);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  EXPECT_EQ(parlay::reduce(sorted), parlay::reduce(numbers));
  const auto [sums, total] = parlay::scan(numbers);
  EXPECT_EQ(total, parlay::reduce(numbers));
  EXPECT_EQ(sums[1], numbers[0]);
  const auto counts = parlay::histogram_by_index(numbers, std::size_t{1000});
  EXPECT_EQ(parlay::reduce(counts), n);
}

/// Counts the blocks in which parlaylib collects: it asks for one initial value in each.
struct counting_sums {
  std::atomic<int>& blocks;
  std::size_t get_key(unsigned x) const { return x % 4; }
  unsigned get_val(unsigned x) const { return x; }
  unsigned init() const {
    ++blocks;
    return 0;
  }
  void update(unsigned& sum, unsigned x) const { sum += x; }
};

// Each of them costs something: there are no more than the workers call for.
TEST_P(parlay_of, its_algorithms_divide_by_the_number_of_workers) {
  const std::size_t n = 1'000'000;
  const auto numbers = parlay::tabulate(n, [](std::size_t i) { return static_cast<unsigned>(i); });
  std::atomic<int> blocks{0};
  const auto sums = parlay::internal::collect_reduce_few(numbers, counting_sums{blocks}, 4);
  EXPECT_EQ(parlay::reduce(sums), parlay::reduce(numbers));
  if (GetParam() == 1)
    EXPECT_EQ(blocks, 1) << "one worker collects in one block";
  else
    EXPECT_LE(blocks, 4 * GetParam() + 1 + 4) << "four for each worker and one; one for each sum";
}

INSTANTIATE_TEST_SUITE_P(workers, parlay_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
