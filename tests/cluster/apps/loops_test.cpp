// SPDX-License-Identifier: Apache-2.0
// for_each, transform, fill, copy, reduce, transform_reduce.
#include "kasuri/global/algorithm.hpp"

#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"

namespace kasuri::global::test {
namespace {

TEST(for_each, changes_every_element_once) {
  for (const std::size_t n : sizes) {
    std::vector<std::uint32_t> expected = numbers(n, 1000);
    const array<std::uint32_t> a(expected);
    const auto change = [](std::uint32_t& x) { x = 3 * x + 1; };
    run([v = a.view(), change] { global::for_each(v, change, small_leaves()); });
    for (std::uint32_t& x : expected) x = 3 * x + 1;
    EXPECT_EQ(a.differences(expected), 0u) << n;
  }
}

TEST(for_each, writes_without_reading) {
  const array<std::uint32_t> a(1000);
  const auto set = [](std::uint32_t& x) { x = 7; };
  run([v = a.view(), set] { global::for_each(v, write, set, small_leaves()); });
  EXPECT_EQ(a.differences(std::vector<std::uint32_t>(1000, 7)), 0u);
}

TEST(transform, one_input) {
  for (const std::size_t n : sizes) {
    const std::vector<std::uint32_t> in = numbers(n, 1000);
    std::vector<double> expected(n);
    const array<std::uint32_t> a(in);
    const array<double> b(n);
    const auto half = [](std::uint32_t x) { return x / 2.0; };
    std::transform(in.begin(), in.end(), expected.begin(), half);
    run([a = a.view(), b = b.view(), half] { global::transform(a, b, half, small_leaves()); });
    EXPECT_EQ(b.differences(expected), 0u) << n;
    EXPECT_EQ(a.differences(in), 0u) << n;
  }
}

TEST(transform, in_place_and_two_inputs) {
  std::vector<std::uint32_t> x = numbers(5000, 1000, 1);
  const std::vector<std::uint32_t> y = numbers(5000, 1000, 2);
  const array<std::uint32_t> a(x);
  const array<std::uint32_t> b(y);
  const array<std::uint32_t> sum(5000);
  run([a = a.view(), b = b.view(), sum = sum.view()] {
    global::transform(a, a, [](std::uint32_t i) { return i + 1; }, small_leaves());
    global::transform(a, b, sum, std::minus<>(), small_leaves());
  });
  for (std::uint32_t& i : x) ++i;
  EXPECT_EQ(a.differences(x), 0u);
  std::transform(x.begin(), x.end(), y.begin(), x.begin(), std::minus<>());
  EXPECT_EQ(sum.differences(x), 0u);
}

TEST(fill_and_copy, all_elements) {
  for (const std::size_t n : sizes) {
    const array<std::uint32_t> a(n);
    const array<std::uint32_t> b(n);
    run([a = a.view(), b = b.view()] {
      global::fill(a, 42, small_leaves());
      global::copy(a, b, small_leaves());
    });
    EXPECT_EQ(b.differences(std::vector<std::uint32_t>(n, 42)), 0u) << n;
  }
}

TEST(fill_and_copy, default_policy_beyond_a_piece) {
  constexpr std::size_t n = 70'000;  // 280 kB
  const std::vector<std::uint32_t> in = numbers(n, 1u << 31);
  const array<std::uint32_t> a(in);
  const array<std::uint32_t> b(n);
  run([a = a.view(), b = b.view()] { global::copy(a, b); });
  EXPECT_EQ(b.differences(in), 0u);
}

TEST(fill_and_copy, from_const_elements) {
  const std::vector<std::uint32_t> in = numbers(1000, 1u << 31);
  const array<std::uint32_t> a(in);
  const array<std::uint32_t> b(in.size());
  run([a = global::view<const std::uint32_t>(a.view()), b = b.view()] {
    global::copy(a, b, small_leaves());
  });
  EXPECT_EQ(b.differences(in), 0u);
}

TEST(reduce, sums) {
  for (const std::size_t n : sizes) {
    const std::vector<std::uint32_t> in = numbers(n, 1u << 31);
    const array<std::uint32_t> a(in);
    const auto sum = run([v = a.view()] {
      return global::reduce(v, std::uint64_t{5}, std::plus<>(), small_leaves());
    });
    EXPECT_EQ(sum, std::accumulate(in.begin(), in.end(), std::uint64_t{5})) << n;
  }
}

// x -> a x + b: composition does not commute.
struct line {
  std::uint32_t a;
  std::uint32_t b;
  friend bool operator==(const line&, const line&) = default;
};

TEST(reduce, keeps_the_order_of_an_operation_that_does_not_commute) {
  const auto after = [](line f, line g) { return line{f.a * g.a, f.a * g.b + f.b}; };
  const auto from_number = [](std::uint32_t x) { return line{2 * x + 1, x}; };
  for (const std::size_t n : sizes) {
    const std::vector<std::uint32_t> in = numbers(n, 1u << 31);
    line expected{1, 9};
    for (const std::uint32_t x : in) expected = after(expected, from_number(x));
    const array<std::uint32_t> a(in);
    const line got = run([v = a.view(), after, from_number] {
      return global::transform_reduce(v, line{1, 9}, after, from_number, small_leaves());
    });
    EXPECT_EQ(got, expected) << n;
  }
}

TEST(reduce, same_bits_every_time) {
  const array<std::uint32_t> a(numbers(12'345, 1u << 31));
  const auto sum = [v = a.view()] {
    const auto inverse = [](std::uint32_t x) { return 1.0 / (1.0 + x); };
    return global::transform_reduce(v, 0.0, std::plus<>(), inverse, small_leaves());
  };
  const double first = run(sum);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(run(sum), first);
}

TEST(transform_reduce, inner_product) {
  for (const std::size_t n : sizes) {
    const std::vector<std::uint32_t> x = numbers(n, 1000, 1);
    const std::vector<std::uint32_t> y = numbers(n, 1000, 2);
    const array<std::uint32_t> a(x);
    const array<std::uint32_t> b(y);
    const auto got = run([a = a.view(), b = b.view()] {
      return global::transform_reduce(a, b, std::uint64_t{0}, std::plus<>(), std::multiplies<>(),
                                      small_leaves());
    });
    EXPECT_EQ(got, std::inner_product(x.begin(), x.end(), y.begin(), std::uint64_t{0})) << n;
  }
}

}  // namespace
}  // namespace kasuri::global::test
