// SPDX-License-Identifier: Apache-2.0
#include "kasuri/parallel_sort.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/scale.hpp"

namespace kasuri {
namespace {

// Values by their place, in the orders that sorts have stumbled over.
struct pattern {
  const char* name;
  std::uint64_t (*value)(std::uint64_t i, std::uint64_t n);
};

std::uint64_t scrambled(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

const std::vector<pattern> patterns = {
    {"random", [](std::uint64_t i, std::uint64_t) { return scrambled(i); }},
    {"sorted", [](std::uint64_t i, std::uint64_t) { return i; }},
    {"reversed", [](std::uint64_t i, std::uint64_t n) { return n - i; }},
    {"equal", [](std::uint64_t, std::uint64_t) { return std::uint64_t{7}; }},
    {"two values", [](std::uint64_t i, std::uint64_t) { return scrambled(i) & 1; }},
    {"few values", [](std::uint64_t i, std::uint64_t) { return scrambled(i) % 13; }},
    {"some values", [](std::uint64_t i, std::uint64_t n) { return scrambled(i) % (1 + n / 100); }},
    {"organ pipe", [](std::uint64_t i, std::uint64_t n) { return std::min(i, n - i); }},
    {"valley", [](std::uint64_t i, std::uint64_t n) { return std::max(i, n - i); }},
    {"sawtooth", [](std::uint64_t i, std::uint64_t) { return i % 1000; }},
    {"sorted but the last", [](std::uint64_t i, std::uint64_t n) { return i + 1 == n ? 0 : i; }},
    {"sorted but the first", [](std::uint64_t i, std::uint64_t n) { return i == 0 ? n : i; }},
    {"sorted but one in a hundred",
     [](std::uint64_t i, std::uint64_t n) {
       return scrambled(i) % 100 == 0 ? scrambled(i + 1) % (n + 1) : i;
     }},
    {"each near its place", [](std::uint64_t i, std::uint64_t) { return i + scrambled(i) % 8; }},
    {"sorted, then random",
     [](std::uint64_t i, std::uint64_t n) { return i < n / 2 ? i : scrambled(i) % (n + 1); }},
    {"two sorted halves", [](std::uint64_t i, std::uint64_t n) { return 2 * i % (n | 1); }},
    {"one digit", [](std::uint64_t i, std::uint64_t) { return (scrambled(i) & 0xff) << 16; }},
    {"skewed",
     [](std::uint64_t i, std::uint64_t) { return scrambled(i) >> (scrambled(i + 1) & 63); }},
};

const std::vector<std::size_t> short_sizes = {0, 1, 2, 3, 31, 32, 33, 100, 1023, 1024, 4095, 5000};
// Long enough for parallel partition, merges and distribution.
const std::vector<std::size_t> long_sizes = test::full_size
                                                ? std::vector<std::size_t>{20'000, 140'000, 600'001}
                                                : std::vector<std::size_t>{140'000};

template <class T>
std::vector<T> make(const pattern& p, std::size_t n) {
  std::vector<T> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(p.value(i, n));
  return v;
}

template <class T, class Compare>
void sorts_all_patterns(Compare comp, const std::vector<std::size_t>& sizes = short_sizes) {
  for (const pattern& p : patterns)
    for (const std::size_t n : sizes) {
      const auto in = make<T>(p, n);
      auto expected = in;
      std::stable_sort(expected.begin(), expected.end(), comp);
      auto unstable = in;
      parallel_sort(unstable.begin(), unstable.end(), comp);
      ASSERT_EQ(unstable, expected) << p.name << " " << n;
      auto stable = in;
      parallel_stable_sort(stable.begin(), stable.end(), comp);
      ASSERT_EQ(stable, expected) << p.name << " " << n;
    }
}

TEST(parallel_sort, numbers_by_digits) {
  sorts_all_patterns<std::uint8_t>(std::less<>());
  sorts_all_patterns<std::int16_t>(std::greater<std::int16_t>());
  sorts_all_patterns<std::uint32_t>(std::less<>());
  sorts_all_patterns<std::int64_t>(std::ranges::less());
  sorts_all_patterns<double>(std::greater<>());
}

// The key must order as the values do.
template <class T>
void key_orders_as(std::vector<T> ascending) {
  for (const T a : ascending)
    for (const T b : ascending) {
      EXPECT_EQ(detail::radix_of<false>(a) < detail::radix_of<false>(b), a < b);
      EXPECT_EQ(detail::radix_of<true>(a) < detail::radix_of<true>(b), a > b);
    }
}

template <class T>
void key_orders_numbers() {
  using limits = std::numeric_limits<T>;
  key_orders_as<T>({limits::lowest(), T(limits::lowest() / 2), T(-1), T(0), T(1), T(2), T(100),
                    T(limits::max() / 2), limits::max()});
}

TEST(parallel_sort, the_key_of_a_number_orders_as_the_number_does) {
  key_orders_as<bool>({false, true});
  key_orders_numbers<char>();
  key_orders_numbers<std::int8_t>();
  key_orders_numbers<std::uint8_t>();
  key_orders_numbers<std::int16_t>();
  key_orders_numbers<std::uint16_t>();
  key_orders_numbers<std::int32_t>();
  key_orders_numbers<std::uint32_t>();
  key_orders_numbers<std::int64_t>();
  key_orders_numbers<std::uint64_t>();
  key_orders_numbers<float>();
  key_orders_numbers<double>();
  using limits = std::numeric_limits<double>;
  key_orders_as<double>({-limits::infinity(), -limits::min(), -limits::denorm_min(), -0.0, 0.0,
                         limits::denorm_min(), limits::min(), limits::epsilon(),
                         limits::infinity()});
}

TEST(parallel_sort, numbers_by_comparison) {
  sorts_all_patterns<std::uint32_t>([](auto a, auto b) { return a < b; });
  sorts_all_patterns<std::uint64_t>(
      [](auto a, auto b) { return a % 1000 < b % 1000 || (a % 1000 == b % 1000 && a < b); });
}

TEST(parallel_sort, long_sequences_by_digits) {
  sorts_all_patterns<std::uint32_t>(std::less<>(), long_sizes);
  sorts_all_patterns<double>(std::greater<>(), {140'000});
}

TEST(parallel_sort, long_sequences_by_comparison) {
  sorts_all_patterns<std::uint32_t>([](auto a, auto b) { return a < b; }, long_sizes);
}

TEST(parallel_sort, numbers_of_either_sign) {
  std::vector<double> v;
  for (int i = 0; i < 5000; ++i)
    v.push_back(std::ldexp(static_cast<double>(i * 7919 % 1000) - 500, i % 60 - 30));
  v.push_back(std::numeric_limits<double>::infinity());
  v.push_back(-std::numeric_limits<double>::infinity());
  v.push_back(std::numeric_limits<double>::denorm_min());
  auto expected = v;
  std::sort(expected.begin(), expected.end());
  parallel_sort(v);
  EXPECT_EQ(v, expected);
  std::reverse(expected.begin(), expected.end());
  parallel_sort(v, std::greater<>());
  EXPECT_EQ(v, expected);
}

TEST(parallel_stable_sort, zeros_of_either_sign_keep_their_order) {
  std::vector<double> v(4000);
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = i % 5 == 0 ? -1.0 : (scrambled(i) & 1) != 0 ? 0.0 : -0.0;
  auto expected = v;
  std::stable_sort(expected.begin(), expected.end());
  parallel_stable_sort(v);
  for (std::size_t i = 0; i < v.size(); ++i)
    ASSERT_EQ(std::signbit(v[i]), std::signbit(expected[i])) << i;
}

TEST(parallel_sort, not_a_number_neither_crashes_nor_is_lost) {
  for (const std::size_t n : {50u, 500u, 5000u, 50'000u}) {
    std::vector<double> v(n);
    for (std::size_t i = 0; i < n; ++i)
      v[i] = i % 3 == 0 ? std::nan("") : static_cast<double>(scrambled(i) % 100);
    const auto nans = [](const std::vector<double>& w) {
      return std::count_if(w.begin(), w.end(), [](double x) { return std::isnan(x); });
    };
    const auto count = nans(v);
    auto a = v, b = v, c = v;
    parallel_sort(a);
    parallel_sort(b, [](double x, double y) { return x < y; });
    parallel_stable_sort(c, [](double x, double y) { return x < y; });
    EXPECT_EQ(nans(a), count);
    EXPECT_EQ(nans(b), count);
    EXPECT_EQ(nans(c), count);
  }
}

// Every permutation and every sequence of few values of small lengths.
template <class T>
void sorts_all_short_sequences() {
  const auto check = [](std::vector<T> v) {
    auto expected = v;
    std::sort(expected.begin(), expected.end());
    auto stable = v;
    const auto less = [](const T& a, const T& b) { return a < b; };
    parallel_sort(v, less);
    parallel_stable_sort(stable, less);
    ASSERT_EQ(v, expected);
    ASSERT_EQ(stable, expected);
  };
  for (std::size_t n = 0; n <= 8; ++n) {
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    do {
      std::vector<T> v;
      for (const int x : order) v.push_back(static_cast<T>('a' + x));
      check(v);
    } while (std::next_permutation(order.begin(), order.end()));
  }
  for (std::size_t n = 9; n <= 14; ++n)
    for (std::uint32_t bits = 0; bits < (1u << n); ++bits) {
      std::vector<T> v;
      for (std::size_t i = 0; i < n; ++i) v.push_back(static_cast<T>('a' + (bits >> i & 1)));
      check(v);
    }
}

struct letter {
  std::string text;
  explicit letter(int c) : text(1, static_cast<char>(c)) {}
  friend auto operator<=>(const letter&, const letter&) = default;
};

TEST(parallel_sort, all_short_sequences) {
  sorts_all_short_sequences<int>();
  sorts_all_short_sequences<letter>();
}

struct record {
  std::uint32_t key;
  std::uint32_t place;
};

// Larger than what is treated as cheap to copy.
struct wide_record {
  std::uint32_t key;
  std::uint32_t place;
  std::uint64_t rest[3];
};

struct named_record {
  std::uint32_t key;
  std::uint32_t place;
  std::string name;
};

template <class Record>
void keeps_the_order_of_equals() {
  for (const std::uint32_t values : {1u, 2u, 17u, 1000u, 1u << 30})
    for (const std::size_t n : {5u, 17u, 40u, 1000u, 5000u, 100'000u}) {
      std::vector<Record> v(n);
      for (std::size_t i = 0; i < n; ++i) {
        v[i].key = static_cast<std::uint32_t>(scrambled(i) % values);
        v[i].place = static_cast<std::uint32_t>(i);
      }
      parallel_stable_sort(v, [](const Record& a, const Record& b) { return a.key < b.key; });
      for (std::size_t i = 1; i < n; ++i)
        ASSERT_TRUE(v[i - 1].key < v[i].key ||
                    (v[i - 1].key == v[i].key && v[i - 1].place < v[i].place))
            << "n=" << n << " i=" << i;
    }
}

TEST(parallel_stable_sort, keeps_the_order_of_equals) {
  keeps_the_order_of_equals<record>();
  keeps_the_order_of_equals<wide_record>();
  keeps_the_order_of_equals<named_record>();
}

TEST(parallel_sort, the_order_of_equals_is_the_same_every_time) {
  std::vector<record> in(300'000);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = {static_cast<std::uint32_t>(scrambled(i) % 100), static_cast<std::uint32_t>(i)};
  const auto sorted = [&] {
    auto v = in;
    parallel_sort(v, [](const record& a, const record& b) { return a.key < b.key; });
    std::vector<std::uint32_t> places;
    for (const record& r : v) places.push_back(r.place);
    return places;
  };
  const auto first = sorted();
  for (int k = 0; k < 5; ++k) ASSERT_EQ(sorted(), first);
}

TEST(parallel_sort, strings) {
  std::vector<std::string> v;
  for (std::uint64_t i = 0; i < 50'000; ++i) v.push_back(std::to_string(scrambled(i)));
  auto expected = v;
  std::sort(expected.begin(), expected.end());
  auto stable = v;
  parallel_sort(v);
  parallel_stable_sort(stable);
  EXPECT_EQ(v, expected);
  EXPECT_EQ(stable, expected);
}

TEST(parallel_sort, move_only_elements) {
  for (const std::size_t n : {3u, 100u, 5000u, 200'000u}) {
    const auto less = [](const auto& a, const auto& b) { return *a < *b; };
    const auto fill = [n] {
      std::vector<std::unique_ptr<std::uint64_t>> v;
      for (std::size_t i = 0; i < n; ++i)
        v.push_back(std::make_unique<std::uint64_t>(scrambled(i) % 1000));
      return v;
    };
    auto unstable = fill();
    parallel_sort(unstable, less);
    ASSERT_TRUE(std::is_sorted(unstable.begin(), unstable.end(), less));
    auto stable = fill();
    parallel_stable_sort(stable, less);
    ASSERT_TRUE(std::is_sorted(stable.begin(), stable.end(), less));
  }
}

TEST(parallel_sort, elements_that_are_not_contiguous) {
  for (const pattern& p : patterns) {
    const auto v = make<std::uint32_t>(p, 20'000);
    std::deque<std::uint32_t> d(v.begin(), v.end());
    auto stable = d;
    parallel_sort(d);
    parallel_stable_sort(stable);
    ASSERT_TRUE(std::is_sorted(d.begin(), d.end())) << p.name;
    ASSERT_EQ(d, stable) << p.name;
  }
}

// McIlroy's adversary ("A Killer Adversary for Quicksort", 1999): decides the order while the sort
// asks, such that every pivot is bad. The heap sort must then keep the count below c n log n.
// It is one adversary for all workers that ask.
TEST(parallel_sort, an_adversary_does_not_make_it_quadratic) {
  const int n = 4000;
  const int gas = n;
  std::vector<int> value(static_cast<std::size_t>(n), gas);
  std::vector<int> items(static_cast<std::size_t>(n));
  std::iota(items.begin(), items.end(), 0);
  int solid = 0, candidate = 0;
  long comparisons = 0;
  std::mutex asked;
  parallel_sort(items, [&](int x, int y) {
    const std::lock_guard one(asked);
    ++comparisons;
    auto& vx = value[static_cast<std::size_t>(x)];
    auto& vy = value[static_cast<std::size_t>(y)];
    if (vx == gas && vy == gas) (x == candidate ? vx : vy) = solid++;
    if (vx == gas)
      candidate = x;
    else if (vy == gas)
      candidate = y;
    return vx < vy;
  });
  EXPECT_LT(comparisons, 8L * n * 12);
}

}  // namespace
}  // namespace kasuri
