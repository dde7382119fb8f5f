// SPDX-License-Identifier: Apache-2.0
#include "kasuri/parallel_reduce.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace kasuri {
namespace {

double term(std::size_t i) {
  return std::sin(static_cast<double>(i)) * 1e3 / (1.0 + static_cast<double>(i % 17));
}

// The serial order that the documentation promises, written a second time.
template <class T, class Map, class Combine>
T documented_order(std::size_t n, std::size_t grain, T identity, Map map, Combine combine) {
  if (n == 0) return identity;
  const std::size_t by_size = n <= 64          ? n
                              : n / 16 <= 64   ? 64
                              : n / 16 <= 256  ? n / 16
                              : n / 256 <= 256 ? 256
                                               : std::min<std::size_t>(n / 256, 1024);
  const std::size_t blocks =
      grain != 0 ? std::min<std::size_t>((n + grain - 1) / grain, 4096) : by_size;
  std::vector<T> fold;
  std::size_t i = 0;
  for (std::size_t k = 0; k < blocks; ++k) {
    T value = identity;
    for (std::size_t length = n / blocks + (k < n % blocks); length != 0; --length)
      value = combine(value, map(i++));
    fold.push_back(value);
  }
  while (fold.size() > 1) {
    std::vector<T> next;
    for (std::size_t k = 0; k + 1 < fold.size(); k += 2)
      next.push_back(combine(fold[k], fold[k + 1]));
    if (fold.size() % 2 != 0) next.push_back(fold.back());
    fold = next;
  }
  return fold.front();
}

TEST(parallel_reduce, sums) {
  for (std::int64_t n = 0; n < 2000; n += n < 600 ? 1 : 97)
    ASSERT_EQ(
        parallel_reduce(
            std::int64_t{0}, n, std::int64_t{0}, [](std::int64_t i) { return i; }, std::plus<>()),
        n * (n - 1) / 2);
}

TEST(parallel_reduce, equals_the_documented_order_to_the_last_bit) {
  for (const std::size_t n :
       {1u, 2u, 3u, 63u, 64u, 65u, 1000u, 2000u, 5000u, 65'537u, 300'000u, 1'000'003u})
    for (const std::size_t grain : {0u, 1u, 10u, 1000u}) {
      const double got = parallel_reduce(std::size_t{0}, n, grain, 0.0, term, std::plus<>());
      ASSERT_EQ(got, documented_order(n, grain, 0.0, term, std::plus<>())) << n << " " << grain;
    }
}

TEST(parallel_reduce, is_the_same_every_time) {
  const auto once = [] {
    return parallel_reduce(
        0, 200'000, 0.0, [](int i) { return term(static_cast<std::size_t>(i)); }, std::plus<>());
  };
  const double first = once();
  for (int k = 0; k < 20; ++k) ASSERT_EQ(once(), first);
}

TEST(parallel_reduce, keeps_the_order_of_an_operation_that_does_not_commute) {
  std::string expected;
  for (int i = 0; i < 3000; ++i) expected += std::to_string(i) + ",";
  const auto text = [](int i) { return std::to_string(i) + ","; };
  for (const std::size_t grain : {0u, 1u, 7u, 5000u})
    ASSERT_EQ(parallel_reduce(0, 3000, grain, std::string(), text, std::plus<>()), expected);
}

/// x -> a x + b with a in the high half: the first is applied first.
std::uint64_t one_behind_the_other(std::uint64_t first, std::uint64_t second) {
  const auto a = static_cast<std::uint32_t>(first >> 32);
  const auto c = static_cast<std::uint32_t>(second >> 32);
  const auto b = static_cast<std::uint32_t>(first);
  const auto d = static_cast<std::uint32_t>(second);
  return std::uint64_t{c * a} << 32 | std::uint32_t{c * b + d};
}

// Integers are cut as the loop goes; a short reduction is its caller's alone, a long one is not,
// and what one took decides about the next of its kind.
TEST(parallel_reduce, keeps_the_order_of_integers_that_do_not_commute) {
  const auto function = [](std::size_t i) {
    return std::uint64_t{2 * static_cast<std::uint32_t>(i) + 1} << 32 |
           std::uint32_t{static_cast<std::uint32_t>(i) * 977};
  };
  const std::uint64_t identity = std::uint64_t{1} << 32;
  for (int turn = 0; turn < 20; ++turn)
    for (const std::size_t n : {1u, 5u, 64u, 100u, 1000u, 20'000u, 200'000u})
      for (const std::size_t grain : {0u, 1u, 33u}) {
        std::uint64_t expected = identity;
        for (std::size_t i = 0; i < n; ++i) expected = one_behind_the_other(expected, function(i));
        ASSERT_EQ(
            parallel_reduce(std::size_t{0}, n, grain, identity, function, one_behind_the_other),
            expected)
            << n << " " << grain;
      }
}

TEST(parallel_reduce, counts_grains_up_to_the_end_of_all_indices) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  for (const std::size_t grain : {all / 2, all / 2 + 1, all / 4 + 1})
    EXPECT_EQ(parallel_reduce(
                  blocked_range<std::size_t>(0, all, grain), std::size_t{0},
                  [](const auto& r, std::size_t n) { return n + r.size(); }, std::plus<>()),
              all);
}

TEST(parallel_reduce, takes_a_combination_of_rvalues_of_integers) {
  EXPECT_EQ(parallel_reduce(
                0, 10'000, 0, [](int i) { return i; }, [](int&& a, int&& b) { return a + b; }),
            49'995'000);
}

TEST(parallel_reduce, takes_a_body_for_whole_blocks) {
  std::vector<int> v(10'000, 3);
  const auto sum = [](const auto& block, long value) {
    for (const auto& x : block) value += x;
    return value;
  };
  EXPECT_EQ(parallel_reduce(v.begin(), v.end(), 0L, sum, std::plus<>()), 30'000);
  const blocked_range range(v.begin(), v.end(), 100);
  EXPECT_EQ(parallel_reduce(range, 0L, sum, std::plus<>()), 30'000);
}

/// The tiles that the documentation promises, written a second time: first and last of each.
std::vector<std::pair<int, int>> documented_tiles(int first, int last, std::size_t grain) {
  const int extent = last - first;
  const int tile = grain != 0 ? static_cast<int>(grain) : std::max((extent + 31) / 32, 1);
  std::vector<std::pair<int, int>> all;
  for (int at = first; at < last; at += tile) all.emplace_back(at, std::min(at + tile, last));
  return all;
}

double cell(int row, int column) {
  return term(static_cast<std::size_t>(row + 50) * 977 + static_cast<std::size_t>(column + 50));
}

/// The serial order of a rectangle.
double documented_rectangle(int rows, int columns, std::size_t grain) {
  std::vector<std::pair<std::pair<int, int>, std::pair<int, int>>> tiles;
  for (const auto& row : documented_tiles(-3, rows - 3, grain))
    for (const auto& column : documented_tiles(5, columns + 5, grain))
      tiles.emplace_back(row, column);
  // Blocks of tiles, each folded from the left: a term is a whole tile for the one dimension.
  const std::size_t n = tiles.size();
  if (n == 0) return 0.0;
  const std::size_t blocks = std::min<std::size_t>(n, 4096);
  std::vector<double> fold;
  std::size_t at = 0;
  for (std::size_t k = 0; k < blocks; ++k) {
    double value = 0.0;
    for (std::size_t length = n / blocks + (k < n % blocks); length != 0; --length, ++at)
      for (int i = tiles[at].first.first; i != tiles[at].first.second; ++i)
        for (int j = tiles[at].second.first; j != tiles[at].second.second; ++j)
          value = value + cell(i, j);
    fold.push_back(value);
  }
  // Blocks are combined at distance 1, 2, 4 ..., as those of one dimension.
  return documented_order(
      fold.size(), 1, 0.0, [&](std::size_t i) { return fold[i]; }, std::plus<>());
}

TEST(parallel_reduce, over_a_rectangle_equals_the_documented_order_to_the_last_bit) {
  for (const auto& [rows, columns] : {std::pair{1, 1}, {7, 300}, {300, 7}, {100, 90}, {33, 65}})
    for (const std::size_t grain : {0u, 1u, 5u, 1000u}) {
      const blocked_range2d<int> range({-3, rows - 3, grain}, {5, columns + 5, grain});
      const double expected = documented_rectangle(rows, columns, grain);
      ASSERT_EQ(parallel_reduce(range, 0.0, cell, std::plus<>()), expected)
          << rows << " " << columns << " " << grain;
      const auto tile = [](const blocked_range2d<int>& t, double value) {
        for (int i = t.rows().begin(); i != t.rows().end(); ++i)
          for (int j = t.columns().begin(); j != t.columns().end(); ++j) value += cell(i, j);
        return value;
      };
      ASSERT_EQ(parallel_reduce(range, 0.0, tile, std::plus<>()), expected);
    }
}

TEST(parallel_reduce, over_a_rectangle_keeps_the_order_of_an_operation_that_does_not_commute) {
  // Tiles of one cell: row-major order of the cells.
  std::string expected;
  for (int i = 0; i != 40; ++i)
    for (int j = 0; j != 50; ++j) expected += std::to_string(i) + ":" + std::to_string(j) + ",";
  const auto text = [](int i, int j) { return std::to_string(i) + ":" + std::to_string(j) + ","; };
  const blocked_range2d<int> cells({0, 40, 1}, {0, 50, 1});
  EXPECT_EQ(parallel_reduce(cells, std::string(), text, std::plus<>()), expected);
}

TEST(parallel_reduce, over_rectangles_and_boxes_takes_each_cell_once) {
  std::vector<std::atomic<int>> visits(60 * 70);
  const blocked_range2d<int> rectangle({0, 60}, {0, 70, 9});
  const long sum = parallel_reduce(
      rectangle, 0L,
      [&](int i, int j) {
        ++visits[static_cast<std::size_t>(i * 70 + j)];
        return long{i};
      },
      std::plus<>());
  EXPECT_EQ(sum, 70L * 59 * 60 / 2);
  for (const auto& v : visits) EXPECT_EQ(v, 1);
  const blocked_range3d<int> box({0, 6}, {1, 8, 2}, {-1, 12, 5});
  const auto weight = [](int p, int i, int k) { return 100L * p + 10 * i + k; };
  long expected = 0;
  for (int p = 0; p != 6; ++p)
    for (int i = 1; i != 8; ++i)
      for (int k = -1; k != 12; ++k) expected += weight(p, i, k);
  EXPECT_EQ(parallel_reduce(box, 0L, weight, std::plus<>()), expected);
}

TEST(parallel_reduce, over_no_cells_gives_the_identity) {
  const auto one = [](int, int) { return 1; };
  EXPECT_EQ(parallel_reduce(blocked_range2d<int>({0, 0}, {0, 5}), 42, one, std::plus<>()), 42);
  EXPECT_EQ(parallel_reduce(blocked_range2d<int>({0, 5}, {5, 1}), 42, one, std::plus<>()), 42);
}

TEST(parallel_reduce, takes_booleans) {
  const auto any = [](int hit) {
    return parallel_reduce(0, 1000, false, [hit](int i) { return i == hit; }, std::logical_or<>());
  };
  EXPECT_TRUE(any(999));
  EXPECT_TRUE(any(0));
  EXPECT_FALSE(any(1000));
}

TEST(parallel_reduce, an_empty_range_gives_the_identity) {
  EXPECT_EQ(parallel_reduce(5, 5, 42, [](int i) { return i; }, std::plus<>()), 42);
  EXPECT_EQ(parallel_reduce(5, 1, 42, [](int i) { return i; }, std::plus<>()), 42);
}

TEST(parallel_reduce, lets_exceptions_out) {
  const auto map = [](int i) { return i == 777 ? throw std::runtime_error("map") : i; };
  EXPECT_THROW(parallel_reduce(0, 1000, 0, map, std::plus<>()), std::runtime_error);
  std::atomic<int> calls{0};
  const auto combine = [&](int a, int b) { return ++calls == 500 ? throw 1 : a + b; };
  EXPECT_THROW(parallel_reduce(0, 1000, 0, [](int i) { return i; }, combine), int);
}

}  // namespace
}  // namespace kasuri
