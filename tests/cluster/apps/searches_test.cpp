// SPDX-License-Identifier: Apache-2.0
// find, find_if, lower_bound, upper_bound, min_element, max_element, minmax_element, partition,
// histogram, the scans.
#include "kasuri/global/algorithm.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"

namespace kasuri::global::test {
namespace {

TEST(find, first_of_several) {
  for (const std::size_t n : sizes) {
    const std::vector<std::uint32_t> in = numbers(n, 500);
    const array<std::uint32_t> a(in);
    for (const std::uint32_t wanted : {0u, 7u, 499u, 500u}) {
      const auto at = run(
          [v = a.view(), wanted] { return global::find(v, wanted, small_leaves()) - v.begin(); });
      EXPECT_EQ(at, std::find(in.begin(), in.end(), wanted) - in.begin()) << n << " " << wanted;
    }
  }
}

TEST(find_if, does_not_look_far_behind) {
  constexpr std::size_t n = 100'000;
  std::vector<std::uint32_t> in(n);
  std::iota(in.begin(), in.end(), 0u);
  const array<std::uint32_t> a(in);
  for (const std::uint32_t least : {0u, 99u, 100u, 5000u}) {
    const auto at = run([v = a.view(), least] {
      // Nobody may look at what lies more than two waves behind.
      const auto is = [=](std::uint32_t x) { return x > 4 * least + 1000 ? throw 1 : x >= least; };
      return global::find_if(v, is, small_leaves()) - v.begin();
    });
    EXPECT_EQ(at, static_cast<std::ptrdiff_t>(least));
  }
}

TEST(bounds, among_equals_as_the_standard_ones) {
  for (const std::size_t n : sizes) {
    std::vector<std::uint32_t> in = numbers(n, 50);
    std::ranges::sort(in);
    const array<std::uint32_t> a(in);
    struct places {
      std::ptrdiff_t lower, upper;
    };
    for (const std::uint32_t wanted : {0u, 7u, 25u, 49u, 50u}) {
      const places got = run([v = a.view(), wanted] {
        return places{global::lower_bound(v, wanted) - v.begin(),
                      global::upper_bound(v, wanted) - v.begin()};
      });
      EXPECT_EQ(got.lower, std::ranges::lower_bound(in, wanted) - in.begin()) << n << " " << wanted;
      EXPECT_EQ(got.upper, std::ranges::upper_bound(in, wanted) - in.begin()) << n << " " << wanted;
    }
    std::ranges::reverse(in);
    const array<std::uint32_t> falling(in);
    const auto at = run(
        [v = falling.view()] { return global::upper_bound(v, 7, std::greater<>()) - v.begin(); });
    EXPECT_EQ(at, std::ranges::upper_bound(in, 7u, std::greater<>()) - in.begin()) << n;
  }
}

TEST(extremes, among_equals_as_the_standard_ones) {
  for (const std::size_t n : sizes) {
    const std::vector<std::uint32_t> in = numbers(n, 50);
    const array<std::uint32_t> a(in);
    struct places {
      std::ptrdiff_t min, max, both_min, both_max, least_by_greater;
    };
    const places got = run([v = a.view()] {
      const auto both = global::minmax_element(v, std::less<>(), small_leaves());
      return places{global::min_element(v, std::less<>(), small_leaves()) - v.begin(),
                    global::max_element(v, std::less<>(), small_leaves()) - v.begin(),
                    both.min - v.begin(), both.max - v.begin(),
                    global::min_element(v, std::greater<>(), small_leaves()) - v.begin()};
    });
    const auto both = std::minmax_element(in.begin(), in.end());
    EXPECT_EQ(got.min, std::min_element(in.begin(), in.end()) - in.begin()) << n;
    EXPECT_EQ(got.max, std::max_element(in.begin(), in.end()) - in.begin()) << n;
    EXPECT_EQ(got.both_min, both.first - in.begin()) << n;
    EXPECT_EQ(got.both_max, both.second - in.begin()) << n;
    EXPECT_EQ(got.least_by_greater, got.max) << n;
  }
}

TEST(extremes, among_const_elements) {
  const std::vector<std::uint32_t> in = numbers(1000, 1u << 31);
  const array<std::uint32_t> a(in);
  struct places {
    std::ptrdiff_t min, max, both_min;
  };
  const places got = run([v = global::view<const std::uint32_t>(a.view())] {
    const auto both = global::minmax_element(v, std::less<>(), small_leaves());
    return places{global::min_element(v, std::less<>(), small_leaves()) - v.begin(),
                  global::max_element(v, std::less<>(), small_leaves()) - v.begin(),
                  both.min - v.begin()};
  });
  EXPECT_EQ(got.min, std::min_element(in.begin(), in.end()) - in.begin());
  EXPECT_EQ(got.max, std::max_element(in.begin(), in.end()) - in.begin());
  EXPECT_EQ(got.both_min, got.min);
}

TEST(partition, from_const_elements) {
  const std::vector<std::uint32_t> in = numbers(1000, 1u << 31);
  std::vector<std::uint32_t> expected = in;
  const auto is_odd = [](std::uint32_t x) { return x % 2 == 1; };
  const auto middle = std::stable_partition(expected.begin(), expected.end(), is_odd);
  const array<std::uint32_t> a(in);
  const array<std::uint32_t> b(in.size());
  const std::ptrdiff_t got =
      run([a = global::view<const std::uint32_t>(a.view()), b = b.view(), is_odd] {
        return global::partition_copy(a, b, is_odd, small_leaves()) - b.begin();
      });
  EXPECT_EQ(got, middle - expected.begin());
  EXPECT_EQ(b.differences(expected), 0u);
}

TEST(partition, stable_with_none_some_and_all) {
  for (const std::size_t n : sizes)
    for (const std::uint32_t limit : {0u, 1u, 500u, 1000u}) {
      std::vector<std::uint32_t> expected = numbers(n, 1000);
      const array<std::uint32_t> a(expected);
      const auto below = [limit](std::uint32_t x) { return x < limit; };
      const auto at = run([v = a.view(), below] {
        return global::partition(v, below, small_leaves()) - v.begin();
      });
      const auto middle = std::stable_partition(expected.begin(), expected.end(), below);
      EXPECT_EQ(at, middle - expected.begin()) << n << " " << limit;
      EXPECT_EQ(a.differences(expected), 0u) << n << " " << limit;
    }
}

TEST(histogram, counts_and_leaves_out) {
  for (const std::size_t n : sizes)
    for (const std::size_t buckets : {1u, 10u, 99u, 9000u}) {
      const std::vector<std::uint32_t> in = numbers(n, 100);
      const array<std::uint32_t> a(in);
      const array<std::uint64_t> counts(buckets);
      run([v = a.view(), out = counts.view()] {
        global::histogram(v, out, [](std::uint32_t x) { return x; }, small_leaves());
      });
      std::vector<std::uint64_t> expected(buckets);
      for (const std::uint32_t x : in)
        if (x < buckets) ++expected[x];
      EXPECT_EQ(counts.differences(expected), 0u) << n << " " << buckets;
    }
}

TEST(histogram, of_more_buckets_than_a_checkout) {
  constexpr std::size_t buckets = 20'000;  // 160 kB
  const std::vector<std::uint32_t> in = numbers(200'000, buckets);
  const array<std::uint32_t> a(in);
  const array<std::uint64_t> counts(buckets);
  run([v = a.view(), out = counts.view()] { global::histogram(v, out, std::identity()); });
  std::vector<std::uint64_t> expected(buckets);
  for (const std::uint32_t x : in) ++expected[x];
  EXPECT_EQ(counts.differences(expected), 0u);
}

TEST(scans, equal_the_standard_ones) {
  for (const std::size_t n : sizes) {
    const std::vector<std::uint32_t> in = numbers(n, 1u << 31);
    const array<std::uint32_t> a(in);
    const array<std::uint64_t> inclusive(n);
    const array<std::uint64_t> exclusive(n);
    struct totals {
      std::uint64_t inclusive, exclusive;
    };
    const totals got = run([a = a.view(), i = inclusive.view(), e = exclusive.view()] {
      return totals{global::inclusive_scan(a, i, 9, std::plus<>(), small_leaves()),
                    global::exclusive_scan(a, e, 9, std::plus<>(), small_leaves())};
    });
    const std::uint64_t total = std::accumulate(in.begin(), in.end(), std::uint64_t{9});
    EXPECT_EQ(got.inclusive, total) << n;
    EXPECT_EQ(got.exclusive, total) << n;
    std::vector<std::uint64_t> expected(n);
    std::inclusive_scan(in.begin(), in.end(), expected.begin(), std::plus<>(), std::uint64_t{9});
    EXPECT_EQ(inclusive.differences(expected), 0u) << n;
    std::exclusive_scan(in.begin(), in.end(), expected.begin(), std::uint64_t{9});
    EXPECT_EQ(exclusive.differences(expected), 0u) << n;
  }
}

TEST(scans, in_place) {
  std::vector<std::uint32_t> in = numbers(12'345, 1000);
  const array<std::uint32_t> a(in);
  const array<std::uint32_t> b(in);
  run([a = a.view(), b = b.view()] {
    global::inclusive_scan(a, a, 0, std::plus<>(), small_leaves());
    global::exclusive_scan(b, b, 1, std::plus<>(), small_leaves());
  });
  std::vector<std::uint32_t> expected(in.size());
  std::inclusive_scan(in.begin(), in.end(), expected.begin());
  EXPECT_EQ(a.differences(expected), 0u);
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), 1u);
  EXPECT_EQ(b.differences(expected), 0u);
}

}  // namespace
}  // namespace kasuri::global::test
