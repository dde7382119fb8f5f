// SPDX-License-Identifier: Apache-2.0
#include "kasuri/algorithm/merge.hpp"
#include "kasuri/algorithm/order.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "random_inputs.hpp"

namespace kasuri {
namespace {

using test::for_inputs;
using test::random_values;

std::vector<int> sorted(std::vector<int> v) {
  std::sort(v.begin(), v.end());
  return v;
}

TEST(algorithm_order, sorts_by_a_projection) {
  for_inputs([](const std::vector<int>& v) {
    std::vector<int> got = v;
    kasuri::sort(par, got);
    ASSERT_EQ(got, sorted(v));
    got = v;
    kasuri::sort(par, got, std::greater<>());
    ASSERT_TRUE(std::is_sorted(got.begin(), got.end(), std::greater<>()));
    std::vector<int> expected = got = v;
    const auto last_digit = [](int x) { return x % 10; };
    kasuri::stable_sort(par, got, {}, last_digit);
    std::ranges::stable_sort(expected, {}, last_digit);
    ASSERT_EQ(got, expected);
  });
}

TEST(algorithm_order, partition_keeps_all_elements) {
  for_inputs([](const std::vector<int>& v) {
    for (const int below : {0, 1, 3, 50, 500'000, 1'000'000})
      for (const std::size_t grain : {0u, 100u}) {
        std::vector<int> got = v;
        std::atomic<std::size_t> calls{0};
        const auto is = [&](int x) {
          ++calls;
          return x < below;
        };
        const auto at = partition(par.with_grain(grain), got, is);
        ASSERT_EQ(calls, v.size());
        ASSERT_TRUE(std::all_of(got.begin(), at, [=](int x) { return x < below; }));
        ASSERT_TRUE(std::none_of(at, got.end(), [=](int x) { return x < below; }));
        ASSERT_EQ(sorted(got), sorted(v));
      }
  });
}

TEST(algorithm_order, the_nth_element) {
  for_inputs([](const std::vector<int>& v) {
    const std::vector<int> expected = sorted(v);
    for (const std::size_t n : {std::size_t{0}, v.size() / 7, v.size() / 2, v.size()}) {
      std::vector<int> got = v;
      const auto nth = got.begin() + static_cast<std::ptrdiff_t>(n);
      nth_element(par, got.begin(), nth, got.end());
      if (n != v.size()) {
        ASSERT_EQ(*nth, expected[n]);
        ASSERT_TRUE(std::all_of(got.begin(), nth, [&](int x) { return x <= *nth; }));
        ASSERT_TRUE(std::all_of(nth, got.end(), [&](int x) { return x >= *nth; }));
      }
      ASSERT_EQ(sorted(got), expected);
      got = v;
      partial_sort(par, got.begin(), got.begin() + static_cast<std::ptrdiff_t>(n), got.end());
      ASSERT_TRUE(
          std::equal(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(n), expected.begin()));
    }
  });
}

TEST(algorithm_order, what_cannot_be_copied) {
  std::vector<std::unique_ptr<int>> v;
  for (const int x : random_values(100'000, 1000, 5)) v.push_back(std::make_unique<int>(x));
  const auto value = [](const std::unique_ptr<int>& p) { return *p; };
  const auto at = partition(par, v, [](int x) { return x < 500; }, value);
  EXPECT_TRUE(std::ranges::all_of(v.begin(), at, [](int x) { return x < 500; }, value));
  const auto less = [](const auto& a, const auto& b) { return *a < *b; };
  nth_element(par, v.begin(), v.begin() + 60'000, v.end(), less);
  EXPECT_TRUE(std::ranges::all_of(
      v.begin(), v.begin() + 60'000, [&](int x) { return x <= *v[60'000]; }, value));
}

TEST(algorithm_order, an_exception_comes_out) {
  std::vector<int> v = random_values(100'000, 1000, 5);
  const std::vector<int> before = sorted(v);
  EXPECT_THROW(partition(par, v,
                         [](int x) {
                           if (x == 7) throw std::runtime_error("one");
                           return x < 500;
                         }),
               std::runtime_error);
  EXPECT_EQ(sorted(v), before);
}

// Value and origin, compared by the value.
using traced = std::pair<int, int>;
constexpr auto by_value = [](const traced& a, const traced& b) { return a.first < b.first; };

std::vector<traced> trace(const std::vector<int>& v, int origin) {
  std::vector<traced> all;
  for (const int x : sorted(v)) all.emplace_back(x, origin + static_cast<int>(all.size()));
  return all;
}

TEST(algorithm_merge, on_sorted_ranges_as_std) {
  unsigned seed = 100;
  for (const std::size_t n : test::sizes())
    for (const std::size_t m : {std::size_t{0}, std::size_t{1}, n / 3, n, std::size_t{50'000}})
      for (const int different : {3, 10'000}) {
        const auto a = trace(random_values(n, different, seed++), 0);
        const auto b = trace(random_values(m, different, seed++), 1'000'000);
        std::vector<traced> got(n + m + 1), expected(n + m + 1);
        const auto check = [&](auto got_end, auto expected_end, const char* what) {
          ASSERT_EQ(got_end - got.begin(), expected_end - expected.begin())
              << what << n << ' ' << m;
          ASSERT_EQ(got, expected) << what << n << ' ' << m;
          std::fill(got.begin(), got.end(), traced());
          std::fill(expected.begin(), expected.end(), traced());
        };
        const auto a0 = a.begin(), a1 = a.end(), b0 = b.begin(), b1 = b.end();
        const auto to = got.begin(), std_to = expected.begin();
        check(kasuri::merge(par, a0, a1, b0, b1, to, by_value),
              std::merge(a0, a1, b0, b1, std_to, by_value), "merge");
        check(set_union(par, a0, a1, b0, b1, to, by_value),
              std::set_union(a0, a1, b0, b1, std_to, by_value), "union");
        check(set_intersection(par, a0, a1, b0, b1, to, by_value),
              std::set_intersection(a0, a1, b0, b1, std_to, by_value), "intersection");
        check(set_difference(par, a0, a1, b0, b1, to, by_value),
              std::set_difference(a0, a1, b0, b1, std_to, by_value), "difference");
        check(set_symmetric_difference(par, a0, a1, b0, b1, to, by_value),
              std::set_symmetric_difference(a0, a1, b0, b1, std_to, by_value), "symmetric");
        ASSERT_EQ(includes(par, a0, a1, b0, b1, by_value), std::includes(a0, a1, b0, b1, by_value));
        ASSERT_TRUE(includes(par, a0, a1, a0, a0 + (a1 - a0) / 2, by_value));
      }
}

TEST(algorithm_merge, ranges_are_taken_whole) {
  const std::vector<int> a = sorted(random_values(30'000, 5'000, 1));
  const std::vector<int> b = sorted(random_values(20'000, 5'000, 2));
  std::vector<int> got(a.size() + b.size()), expected(got.size());
  const auto check = [&](auto got_end, auto expected_end) {
    ASSERT_EQ(got_end - got.begin(), expected_end - expected.begin());
    ASSERT_EQ(got, expected);
  };
  check(kasuri::merge(par, a, b, got.begin()), std::ranges::merge(a, b, expected.begin()).out);
  check(set_union(par, a, b, got.begin()), std::ranges::set_union(a, b, expected.begin()).out);
  check(set_intersection(par, a, b, got.begin()),
        std::ranges::set_intersection(a, b, expected.begin()).out);
  check(set_difference(par, a, b, got.begin()),
        std::ranges::set_difference(a, b, expected.begin()).out);
  check(set_symmetric_difference(par, a, b, got.begin()),
        std::ranges::set_symmetric_difference(a, b, expected.begin()).out);
  EXPECT_EQ(includes(par, a, b), std::ranges::includes(a, b));
  EXPECT_TRUE(includes(par, a, std::span(a).first(9'000)));
}

}  // namespace
}  // namespace kasuri
