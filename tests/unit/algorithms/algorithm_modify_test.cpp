// SPDX-License-Identifier: Apache-2.0
#include "kasuri/algorithm/modify.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "random_inputs.hpp"

namespace kasuri {
namespace {

using test::for_inputs;

TEST(algorithm_modify, writes_what_std_writes) {
  for_inputs([](const std::vector<int>& v) {
    std::vector<int> got(v.size()), expected = v;
    ASSERT_EQ(copy(par, v, got.begin()), got.end());
    ASSERT_EQ(got, v);
    const auto odd = [](int x) { return x % 2 == 1; };
    replace_if(par, got.begin(), got.end(), odd, -1);
    std::replace_if(expected.begin(), expected.end(), odd, -1);
    ASSERT_EQ(got, expected);
    replace(par, got.begin(), got.end(), -1, 5);
    std::replace(expected.begin(), expected.end(), -1, 5);
    ASSERT_EQ(got, expected);
    ASSERT_EQ(transform(par, v, got.begin(), [](int x) { return 3 * x; }), got.end());
    ASSERT_EQ(transform(par, v.begin(), v.end(), got.begin(), got.begin(), std::minus<>()),
              got.end());
    for (std::size_t i = 0; i != v.size(); ++i) ASSERT_EQ(got[i], -2 * v[i]);
    fill(par, got, 4);
    ASSERT_EQ(got, std::vector<int>(v.size(), 4));
    for_each(par, got, [](int& x) { ++x; });
    ASSERT_EQ(got, std::vector<int>(v.size(), 5));
  });
}

// Its iterators are none of C++17.
TEST(algorithm_modify, takes_a_view_of_long) {
  const auto numbers = std::views::iota(0L, 5'000L);
  std::vector<long> doubled(5'000);
  std::vector<long> tripled(5'000);
  transform(par, numbers, doubled.begin(), [](long x) { return 2 * x; });
  for_each(par, numbers, [&](long x) { tripled[static_cast<std::size_t>(x)] = 3 * x; });
  for (const long x : numbers) {
    ASSERT_EQ(doubled[static_cast<std::size_t>(x)], 2 * x);
    ASSERT_EQ(tripled[static_cast<std::size_t>(x)], 3 * x);
  }
}

TEST(algorithm_modify, changes_the_order_as_std_does) {
  for_inputs([](const std::vector<int>& v) {
    std::vector<int> got = v, expected = v;
    reverse(par, got);
    std::reverse(expected.begin(), expected.end());
    ASSERT_EQ(got, expected);
    ASSERT_EQ(reverse_copy(par, v.begin(), v.end(), got.begin()), got.end());
    ASSERT_EQ(got, expected);
    for (const std::size_t middle : {std::size_t{0}, v.size() / 3, v.size()}) {
      got = expected = v;
      const auto m = static_cast<std::ptrdiff_t>(middle);
      const auto at = rotate(par, got.begin(), got.begin() + m, got.end());
      const auto std_at = std::rotate(expected.begin(), expected.begin() + m, expected.end());
      ASSERT_EQ(got, expected);
      ASSERT_EQ(at - got.begin(), std_at - expected.begin());
    }
    std::vector<int> other(v.size(), 1);
    got = v;
    ASSERT_EQ(swap_ranges(par, got.begin(), got.end(), other.begin()), other.end());
    ASSERT_EQ(other, v);
    ASSERT_EQ(got, std::vector<int>(v.size(), 1));
  });
}

TEST(algorithm_modify, generates_each_once) {
  std::vector<int> v(100'000);
  std::atomic<int> next{0};
  generate(par, v, [&] { return next++; });
  std::sort(v.begin(), v.end());
  for (std::size_t i = 0; i != v.size(); ++i) ASSERT_EQ(v[i], static_cast<int>(i));
}

TEST(algorithm_modify, moves_what_cannot_be_copied) {
  std::vector<std::unique_ptr<int>> v(50'000), to(v.size());
  for (std::size_t i = 0; i != v.size(); ++i) v[i] = std::make_unique<int>(static_cast<int>(i));
  reverse(par, v);
  EXPECT_EQ(kasuri::move(par, v.begin(), v.end(), to.begin()), to.end());
  for (std::size_t i = 0; i != v.size(); ++i) {
    ASSERT_EQ(v[i], nullptr);
    ASSERT_EQ(*to[i], static_cast<int>(v.size() - 1 - i));
  }
}

TEST(algorithm_modify, an_exception_comes_out) {
  std::vector<int> v(100'000);
  std::iota(v.begin(), v.end(), 0);
  EXPECT_THROW(for_each(par, v,
                        [](int x) {
                          if (x == 77'777) throw std::runtime_error("one");
                        }),
               std::runtime_error);
}

}  // namespace
}  // namespace kasuri
