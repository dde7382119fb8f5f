// SPDX-License-Identifier: Apache-2.0
#include "kasuri/parallel_scan.hpp"

#include <cstdint>
#include <deque>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace kasuri {
namespace {

std::vector<std::uint64_t> long_numbers(std::size_t n) {
  std::mt19937_64 random(n);
  std::vector<std::uint64_t> v(n);
  for (auto& x : v) x = random();
  return v;
}

TEST(parallel_scan, equals_the_standard_scans) {
  for (const std::size_t grain : {0u, 1u, 3u, 100u})
    for (const std::size_t n :
         {0u, 1u, 2u, 3u, 10u, 255u, 256u, 257u, 2048u, 2049u, 4097u, 100'001u}) {
      const auto in = long_numbers(n);
      std::vector<std::uint64_t> expected(n);
      std::vector<std::uint64_t> got(n);
      const std::uint64_t total = std::accumulate(in.begin(), in.end(), std::uint64_t{9});

      std::inclusive_scan(in.begin(), in.end(), expected.begin(), std::plus<>(), std::uint64_t{9});
      EXPECT_EQ(parallel_scan(in.begin(), in.end(), got.begin(), std::uint64_t{9}, std::plus<>(),
                              scan::inclusive, grain),
                total);
      ASSERT_EQ(got, expected) << n << " " << grain;

      std::exclusive_scan(in.begin(), in.end(), expected.begin(), std::uint64_t{9});
      EXPECT_EQ(parallel_scan(in.begin(), in.end(), got.begin(), std::uint64_t{9}, std::plus<>(),
                              scan::exclusive, grain),
                total);
      ASSERT_EQ(got, expected) << n << " " << grain;
    }
}

TEST(parallel_scan, works_in_place) {
  for (const scan kind : {scan::inclusive, scan::exclusive}) {
    const auto in = long_numbers(50'000);
    std::vector<std::uint64_t> apart(in.size());
    parallel_scan(in.begin(), in.end(), apart.begin(), std::uint64_t{0}, std::plus<>(), kind);
    auto place = in;
    parallel_scan(place.begin(), place.end(), place.begin(), std::uint64_t{0}, std::plus<>(), kind);
    EXPECT_EQ(place, apart);
  }
}

TEST(parallel_scan, keeps_the_order_of_an_operation_that_does_not_commute) {
  std::deque<std::string> in;
  for (int i = 0; i < 500; ++i) in.push_back(std::string(1, static_cast<char>('a' + i % 26)));
  std::vector<std::string> out(in.size());
  const std::string total = parallel_scan(in.begin(), in.end(), out.begin(), std::string("<"),
                                          std::plus<>(), scan::exclusive, 10);
  std::string expected = "<";
  for (std::size_t i = 0; i < in.size(); ++i) {
    ASSERT_EQ(out[i], expected);
    expected += in[i];
  }
  EXPECT_EQ(total, expected);
}

// Blocks are folded from their own first element, and prefixes of blocks from the left.
TEST(parallel_scan, equals_the_documented_order_to_the_last_bit) {
  constexpr std::size_t n = 10'007, grain = 64;
  std::vector<double> in(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = 1e6 / (1.0 + static_cast<double>(i * 7919 % n));
  std::vector<double> out(n);
  parallel_scan(in.begin(), in.end(), out.begin(), 0.5, std::plus<>(), scan::inclusive, grain);
  const std::size_t blocks = (n + grain - 1) / grain;
  double before = 0.5;
  for (std::size_t k = 0, i = 0; k < blocks; ++k) {
    const std::size_t length = n / blocks + (k < n % blocks);
    double prefix = before;
    double sum = in[i];
    for (std::size_t j = i; j < i + length; ++j) {
      ASSERT_EQ(out[j], prefix += in[j]) << j;
      if (j != i) sum += in[j];
    }
    before = k == 0 ? prefix : before + sum;
    i += length;
  }
}

TEST(parallel_scan, lets_exceptions_out) {
  std::vector<int> v(10'000, 1);
  std::vector<int> out(v.size());
  const auto op = [](int a, int b) { return a == 5000 ? throw 1 : a + b; };
  EXPECT_THROW(parallel_scan(v.begin(), v.end(), out.begin(), 0, op), int);
}

}  // namespace
}  // namespace kasuri
