// SPDX-License-Identifier: Apache-2.0
#include "kasuri/parallel_for.hpp"
#include "kasuri/parallel_reduce.hpp"
#include "kasuri/time.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <deque>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace kasuri {
namespace {

using counts = std::vector<std::atomic<int>>;

::testing::AssertionResult all_equal(const counts& c, int expected) {
  for (std::size_t i = 0; i < c.size(); ++i)
    if (c[i] != expected)
      return ::testing::AssertionFailure() << "place " << i << " was visited " << c[i] << " times";
  return ::testing::AssertionSuccess();
}

TEST(parallel_for, visits_each_index_once) {
  for (const std::size_t grain : {0u, 1u, 2u, 5u, 64u, 5000u})
    for (std::size_t n = 0; n < 300; ++n) {
      counts visited(n);
      parallel_for(std::size_t{0}, n, grain, [&](std::size_t i) { ++visited[i]; });
      ASSERT_TRUE(all_equal(visited, 1)) << "n=" << n << " grain=" << grain;
    }
}

TEST(parallel_for, visits_each_index_of_a_long_range_once) {
  counts visited(1'000'000);
  parallel_for(std::size_t{0}, visited.size(), [&](std::size_t i) { ++visited[i]; });
  EXPECT_TRUE(all_equal(visited, 1));
}

template <class Index>
void sums_up(Index first, Index last) {
  std::atomic<std::int64_t> sum{0};
  std::atomic<int> count{0};
  parallel_for(first, last, [&](Index i) {
    sum += static_cast<std::int64_t>(i);
    ++count;
  });
  std::int64_t expected = 0;
  for (std::int64_t i = static_cast<std::int64_t>(first); i < static_cast<std::int64_t>(last); ++i)
    expected += i;
  EXPECT_EQ(sum, expected);
  EXPECT_EQ(count, std::max<std::int64_t>(
                       static_cast<std::int64_t>(last) - static_cast<std::int64_t>(first), 0));
}

TEST(parallel_for, takes_every_integer_type) {
  sums_up<std::int8_t>(-128, 127);
  sums_up<std::uint8_t>(0, 255);
  sums_up<char>('a', 'z');
  sums_up<short>(-3000, 3000);
  sums_up<int>(INT_MIN, INT_MIN + 1000);
  sums_up<int>(INT_MAX - 1000, INT_MAX);
  sums_up<unsigned>(0, 1000);
  sums_up<long>(-1000, 1000);
  sums_up<unsigned long long>(1ull << 40, (1ull << 40) + 1000);
}

TEST(parallel_for, counts_with_the_common_type) {
  const std::vector<int> v(100);
  std::atomic<int> count{0};
  parallel_for(0, v.size(), [&](auto i) {
    static_assert(std::is_same_v<decltype(i), std::size_t>);
    ++count;
  });
  EXPECT_EQ(count, 100);
}

TEST(parallel_for, an_end_before_the_beginning_is_empty) {
  parallel_for(10, 5, [](int) { FAIL(); });
  parallel_for(10u, 5u, [](unsigned) { FAIL(); });
  parallel_for(10, 10, 4, [](int) { FAIL(); });
  parallel_for(0u, -1, [](unsigned) { FAIL(); });
  EXPECT_EQ(
      parallel_reduce(std::size_t{0}, -1, 7, [](std::size_t) { return 1; }, std::plus<>()), 7);
}

TEST(parallel_for, takes_iterators) {
  std::vector<int> v(10'000, 1);
  parallel_for(v.begin(), v.end(), [](auto it) { *it += 1; });
  EXPECT_EQ(std::count(v.begin(), v.end(), 2), 10'000);
  std::deque<int> d(10'000, 1);
  parallel_for(d.begin(), d.end(), [](auto it) { *it += 1; });
  EXPECT_EQ(std::count(d.begin(), d.end(), 2), 10'000);
}

TEST(parallel_for, no_piece_but_the_last_is_shorter_than_the_grain) {
  for (const std::size_t grain : {1u, 3u, 10u, 100u})
    for (const std::size_t n : {1u, 7u, 99u, 100u, 1000u, 12345u}) {
      counts visited(n);
      parallel_for(blocked_range<std::size_t>(0, n, grain), [&](const auto& piece) {
        EXPECT_TRUE(piece.size() >= grain || piece.end() == n) << piece.size() << " of " << n;
        for (std::size_t i = piece.begin(); i != piece.end(); ++i) ++visited[i];
      });
      ASSERT_TRUE(all_equal(visited, 1));
    }
}

TEST(parallel_for, a_loop_within_its_grain_runs_in_order_on_the_caller) {
  std::vector<int> order;
  const auto caller = std::this_thread::get_id();
  parallel_for(0, 50, 50, [&](int i) {
    order.push_back(i);
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
  std::vector<int> expected(50);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST(parallel_for, covers_each_cell_of_a_rectangle_once) {
  for (const std::size_t grain : {0u, 1u, 4u, 1000u})
    for (const auto& [rows, columns] : std::vector<std::array<int, 2>>{
             {0, 5}, {5, 0}, {1, 1}, {1, 100}, {100, 1}, {37, 53}, {200, 99}}) {
      counts visited(static_cast<std::size_t>(rows * columns));
      const blocked_range2d<int> range({-3, rows - 3, grain}, {5, columns + 5, grain});
      parallel_for(range, [&, width = columns](const blocked_range2d<int>& tile) {
        EXPECT_FALSE(tile.empty());
        for (int r = tile.rows().begin(); r != tile.rows().end(); ++r)
          for (int c = tile.columns().begin(); c != tile.columns().end(); ++c)
            ++visited[static_cast<std::size_t>((r + 3) * width + (c - 5))];
      });
      ASSERT_TRUE(all_equal(visited, 1)) << rows << "x" << columns;
    }
}

TEST(parallel_for, covers_each_cell_of_a_box_once) {
  constexpr std::size_t pages = 13, rows = 29, columns = 41;
  for (const std::size_t grain : {0u, 1u, 5u}) {
    counts visited(pages * rows * columns);
    const blocked_range3d<std::size_t> range({0, pages, grain}, {0, rows, grain}, {0, columns, 0});
    parallel_for(range, [&](const auto& tile) {
      for (auto p = tile.pages().begin(); p != tile.pages().end(); ++p)
        for (auto r = tile.rows().begin(); r != tile.rows().end(); ++r)
          for (auto c = tile.columns().begin(); c != tile.columns().end(); ++c)
            ++visited[(p * rows + r) * columns + c];
    });
    ASSERT_TRUE(all_equal(visited, 1));
  }
}

TEST(parallel_for, nests) {
  counts visited(200 * 200);
  parallel_for(0, 200, [&](int i) {
    parallel_for(0, 200, [&](int j) { ++visited[static_cast<std::size_t>(i * 200 + j)]; });
  });
  EXPECT_TRUE(all_equal(visited, 1));
}

TEST(parallel_for, lets_an_exception_out) {
  for (const int where : {0, 1, 17, 4999, 9999}) {
    std::vector<std::atomic<int>> visited(10'000);
    try {
      parallel_for(0, 10'000, [&](int i) {
        ++visited[static_cast<std::size_t>(i)];
        if (i == where) throw std::runtime_error("at " + std::to_string(i));
      });
      FAIL() << "no exception";
    } catch (const std::runtime_error& e) {
      EXPECT_EQ(e.what(), "at " + std::to_string(where));
    }
    for (const auto& count : visited) ASSERT_LE(count, 1);
    EXPECT_EQ(visited[static_cast<std::size_t>(where)], 1);
  }
}

TEST(parallel_for, lets_one_of_many_exceptions_out) {
  EXPECT_THROW(parallel_for(0, 1000, [](int i) { throw i; }), int);
}

TEST(parallel_for, takes_iterations_of_very_different_length) {
  std::atomic<std::uint64_t> sum{0};
  parallel_for(0, 2000, [&](int i) {
    std::uint64_t x = 1;
    for (int k = 0; k < (i % 97 == 0 ? 20'000 : 10); ++k) x = x * 6364136223846793005u + 1;
    sum += x != 0;
  });
  EXPECT_EQ(sum, 2000u);
}

TEST(parallel_for, stops_early_in_a_canceled_group) {
  task_group group;
  std::atomic<int> visited{0};
  group.run([&] {
    group.cancel();
    parallel_for(0, 1'000'000, [&](int) { ++visited; });
  });
  group.wait();
  EXPECT_LT(visited, 1'000'000);
}

// Tasks that wait let others begin, which divide the loop; these have to look as well.
TEST(parallel_for, stops_early_where_iterations_wait) {
  task_group group;
  std::atomic<int> visited{0};
  std::atomic<int> at_cancel{0};
  group.run([&] {
    parallel_for(0, 10'000'000, [&](int) {
      if (++visited == 100) {
        group.cancel();
        at_cancel = visited.load();  // 100, or more where other threads ran before this one called
      }
      sleep_for(std::chrono::microseconds(1));
    });
  });
  group.wait();
  // Each of those that had begun may be in a piece of 128 iterations, and each thread that had
  // looked may begin one more.
  EXPECT_LT(visited, (at_cancel + max_slots()) * 129);
}

TEST(parallel_for_each, changes_each_element) {
  std::vector<int> v(5000, 1);
  parallel_for_each(v, [](int& x) { x += 2; });
  EXPECT_EQ(std::count(v.begin(), v.end(), 3), 5000);
  std::array<int, 3> a{1, 2, 3};
  parallel_for_each(std::span(a), [](int& x) { x *= 10; });
  EXPECT_EQ(a, (std::array{10, 20, 30}));
  parallel_for_each(std::vector<int>{}, [](int) { FAIL(); });
}

TEST(parallel_transform, writes_each_result) {
  std::vector<int> in(5000);
  std::iota(in.begin(), in.end(), 0);
  std::vector<std::string> out(5000);
  const auto end = parallel_transform(in.begin(), in.end(), out.begin(),
                                      [](int x) { return std::to_string(x); });
  EXPECT_EQ(end, out.end());
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], std::to_string(i));
  parallel_transform(in.begin(), in.end(), in.begin(), [](int x) { return 2 * x; });
  EXPECT_EQ(in[4999], 9998);
}

}  // namespace
}  // namespace kasuri
