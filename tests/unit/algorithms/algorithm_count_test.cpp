// SPDX-License-Identifier: Apache-2.0
#include "kasuri/algorithm/count.hpp"
#include "kasuri/algorithm/extremes.hpp"
#include "kasuri/algorithm/numeric.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "random_inputs.hpp"

namespace kasuri {
namespace {

using test::for_inputs;

TEST(algorithm_count, as_std_counts) {
  for_inputs([](const std::vector<int>& v) {
    const auto odd = [](int x) { return x % 2 == 1; };
    ASSERT_EQ(count_if(par, v, odd), std::count_if(v.begin(), v.end(), odd));
    ASSERT_EQ(count(par, v, 1), std::count(v.begin(), v.end(), 1));
    ASSERT_EQ(count(par.with_grain(10), v.begin(), v.end(), 0), std::count(v.begin(), v.end(), 0));
  });
}

// Its iterators are none of C++17.
TEST(algorithm_count, takes_a_view_of_long) {
  EXPECT_EQ(count_if(par, std::views::iota(0L, 10'000L), [](long x) { return x % 7 == 0; }), 1429);
}

TEST(algorithm_count, histogram_by_bucket) {
  for (const std::size_t buckets : {1u, 7u, 1000u, 100'000u})
    for_inputs([&](const std::vector<int>& v) {
      std::vector<std::size_t> expected(buckets);
      for (const int x : v)
        if (static_cast<std::size_t>(x) < buckets) ++expected[static_cast<std::size_t>(x)];
      ASSERT_EQ(histogram(par, v, buckets, [](int x) { return x; }), expected);
    });
}

TEST(algorithm_extremes, the_elements_that_std_chooses) {
  for_inputs([](const std::vector<int>& v) {
    ASSERT_EQ(min_element(par, v), std::min_element(v.begin(), v.end()));
    ASSERT_EQ(max_element(par, v), std::max_element(v.begin(), v.end()));
    ASSERT_EQ(minmax_element(par, v), std::minmax_element(v.begin(), v.end()));
    const auto by_last_digit = [](int x) { return x % 10; };
    ASSERT_EQ(min_element(par, v, {}, by_last_digit),
              std::ranges::min_element(v, {}, by_last_digit));
    ASSERT_EQ(max_element(par, v, {}, by_last_digit),
              std::ranges::max_element(v, {}, by_last_digit));
  });
}

TEST(algorithm_numeric, sums) {
  for_inputs([](const std::vector<int>& v) {
    const long expected = std::accumulate(v.begin(), v.end(), 10L);
    ASSERT_EQ(reduce(par, v, 10L), expected);
    ASSERT_EQ(transform_reduce(par, v, 10L, std::plus<>(), [](int x) { return 2L * x; }),
              2 * expected - 10);
  });
}

TEST(algorithm_numeric, an_operation_that_does_not_commute) {
  const std::vector<int> v = test::random_values(20'000, 10, 1);
  std::string expected = "from ";
  for (const int x : v) expected += std::to_string(x);
  EXPECT_EQ(transform_reduce(par, v, std::string("from "), std::plus<>(),
                             [](int x) { return std::to_string(x); }),
            expected);
}

TEST(algorithm_numeric, prefix_sums) {
  for_inputs([](const std::vector<int>& small) {
    const std::vector<std::int64_t> v(small.begin(), small.end());  // whose sums have room
    std::vector<std::int64_t> expected(v.size()), got(v.size());
    std::inclusive_scan(v.begin(), v.end(), expected.begin());
    ASSERT_EQ(inclusive_scan(par, v.begin(), v.end(), got.begin()), got.end());
    ASSERT_EQ(got, expected);
    std::exclusive_scan(v.begin(), v.end(), expected.begin(), std::int64_t{7});
    got = v;
    ASSERT_EQ(exclusive_scan(par, got.begin(), got.end(), got.begin(), std::int64_t{7}), got.end());
    ASSERT_EQ(got, expected);
  });
}

}  // namespace
}  // namespace kasuri
