// SPDX-License-Identifier: Apache-2.0
// merge, sort, stable_sort.
#include "kasuri/global/algorithm.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"

namespace kasuri::global::test {
namespace {

// Not cheap to copy; the tag tells equal ones apart.
struct big {
  std::uint32_t key;
  std::uint32_t tag;
  std::array<std::uint32_t, 6> rest{};
  friend bool operator==(const big&, const big&) = default;
};

struct by_key {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return a.key < b.key;
  }
};

// Cheap to copy.
struct small {
  std::uint32_t key;
  std::uint32_t tag;
  friend bool operator==(const small&, const small&) = default;
};

template <class T>
std::vector<T> tagged(std::size_t n, std::uint32_t limit, unsigned seed) {
  std::vector<T> v(n);
  const std::vector<std::uint32_t> keys = numbers(n, limit, seed);
  for (std::size_t i = 0; i < n; ++i)
    v[i] = {keys[i], static_cast<std::uint32_t>(1'000'000 * seed + i)};
  return v;
}

template <class T>
void check_merges() {
  for (const std::size_t n : sizes)
    for (const std::size_t m : {0u, 1u, 99u, 1000u}) {
      std::vector<T> x = tagged<T>(n, 100, 1);
      std::vector<T> y = tagged<T>(m, 100, 2);
      std::stable_sort(x.begin(), x.end(), by_key());
      std::stable_sort(y.begin(), y.end(), by_key());
      std::vector<T> expected(n + m);
      std::merge(x.begin(), x.end(), y.begin(), y.end(), expected.begin(), by_key());
      const array<T> a(x);
      const array<T> b(y);
      const array<T> out(n + m);
      run([a = a.view(), b = b.view(), out = out.view()] {
        global::merge(a, b, out, by_key(), small_leaves());
      });
      EXPECT_EQ(out.differences(expected), 0u) << n << " " << m;
      run([a = global::view<const T>(a.view()), b = b.view(), out = out.view()] {
        global::merge(b, a, out, by_key(), small_leaves());
      });
      std::merge(y.begin(), y.end(), x.begin(), x.end(), expected.begin(), by_key());
      EXPECT_EQ(out.differences(expected), 0u) << n << " " << m;
    }
}

TEST(merge, stable) {
  check_merges<small>();
  check_merges<big>();
}

template <class T>
void check_stable_sorts() {
  for (const std::size_t n : sizes)
    for (const std::uint32_t limit : {1u, 10u, 1u << 31}) {
      std::vector<T> in = tagged<T>(n, limit, 1);
      const array<T> a(in);
      const array<T> b(in);
      const array<T> spare(n);
      run([a = a.view(), b = b.view(), spare = spare.view()] {
        global::stable_sort(a, by_key(), small_leaves());
        global::stable_sort(b, spare, by_key(), small_leaves());
      });
      std::stable_sort(in.begin(), in.end(), by_key());
      EXPECT_EQ(a.differences(in), 0u) << n << " " << limit;
      EXPECT_EQ(b.differences(in), 0u) << n << " " << limit;
    }
}

TEST(stable_sort, keeps_the_order_of_equals) {
  check_stable_sorts<small>();
  check_stable_sorts<big>();
}

template <class T, class Compare>
void check_sort(std::vector<T> in, Compare comp, policy p) {
  const array<T> a(in);
  run([a = a.view(), comp, p] { global::sort(a, comp, p); });
  std::sort(in.begin(), in.end(), comp);
  EXPECT_EQ(a.differences(in), 0u) << in.size() << " " << p.cutoff;
}

TEST(sort, numbers_around_the_cut_off) {
  for (const std::size_t n : sizes) {
    check_sort(numbers(n, 1u << 31), std::less<>(), small_leaves());
    check_sort(numbers(n, 3), std::less<>(), small_leaves());
    check_sort(numbers(n, 1u << 31), std::greater<>(), small_leaves());
  }
}

TEST(sort, leaves_by_digits_and_by_comparisons) {
  const auto reversed = [](std::uint32_t a, std::uint32_t b) { return a > b; };
  for (const std::size_t n : {1023u, 1024u, 5000u, 60'000u}) {
    check_sort(numbers(n, 1u << 31), std::less<>(), {.cutoff = 2000});
    check_sort(numbers(n, 1u << 31), std::greater<>(), {.cutoff = 2000});
    check_sort(numbers(n, 1u << 31), reversed, {.cutoff = 2000});
  }
}

TEST(sort, default_policy) {
  check_sort(numbers(300'000, 1u << 31), std::less<>(), {});
  std::vector<double> doubles(200'000);
  const std::vector<std::uint32_t> keys = numbers(doubles.size(), 1u << 31);
  for (std::size_t i = 0; i < keys.size(); ++i) doubles[i] = 1.0 / (keys[i] + 1.0) - 1e-9;
  check_sort(doubles, std::less<>(), {});
}

TEST(sort, sorted_and_reversed_input) {
  std::vector<std::uint32_t> in = numbers(20'000, 1u << 31);
  std::sort(in.begin(), in.end());
  check_sort(in, std::less<>(), small_leaves());
  std::reverse(in.begin(), in.end());
  check_sort(in, std::less<>(), small_leaves());
}

}  // namespace
}  // namespace kasuri::global::test
