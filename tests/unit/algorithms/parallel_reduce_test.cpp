// SPDX-License-Identifier: Apache-2.0
#include "kasuri/parallel_reduce.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
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
