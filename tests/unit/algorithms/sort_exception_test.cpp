// SPDX-License-Identifier: Apache-2.0
// Comparators that throw, and comparators that lie: nothing is lost, nothing crashes.
#include "kasuri/parallel_sort.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/scale.hpp"

namespace kasuri {
namespace {

struct refusal {};

std::vector<std::uint32_t> numbers(std::size_t n) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::vector<std::uint32_t> v(n);
  for (auto& x : v) x = static_cast<std::uint32_t>(random());
  return v;
}

std::vector<std::uint32_t> numbers_almost_in_order(std::size_t n) {
  auto v = numbers(n);
  std::sort(v.begin(), v.end());
  for (std::size_t i = 7; i < n; i += 90) std::swap(v[i], v[i * 31 % n]);
  return v;
}

std::vector<std::string> texts(std::size_t n) {
  std::vector<std::string> v;
  for (const std::uint32_t x : numbers(n))
    v.push_back("a text too long to be kept inside " + std::to_string(x));
  return v;
}

template <class T>
struct wide {
  T value;
  std::uint64_t rest[4] = {1, 2, 3, 4};
  friend bool operator<(const wide& a, const wide& b) { return a.value < b.value; }
  friend bool operator==(const wide&, const wide&) = default;
};

std::vector<wide<std::uint32_t>> wide_numbers(std::size_t n) {
  std::vector<wide<std::uint32_t>> v;
  for (const std::uint32_t x : numbers(n)) v.push_back({x});
  return v;
}

// Sorts, refusing the comparison number `at`; returns whether the sort got that far.
template <class T, class Sort>
bool survives_a_refusal(const std::vector<T>& in, const std::vector<T>& expected, long at,
                        Sort sort) {
  auto v = in;
  std::atomic<long> calls{0};
  bool thrown = false;
  try {
    sort(v, [&](const T& a, const T& b) {
      if (calls++ == at) throw refusal();
      return a < b;
    });
  } catch (const refusal&) {
    thrown = true;
  }
  std::sort(v.begin(), v.end());
  EXPECT_EQ(v, expected) << "n=" << in.size() << " refused at " << at;
  return thrown;
}

const auto unstable = [](auto& v, auto comp) { parallel_sort(v, comp); };
const auto stable = [](auto& v, auto comp) { parallel_stable_sort(v, comp); };

// Every comparison of short sequences, some of long ones: each time that many times further on.
constexpr long stride = test::full_size ? 1 : 15;

template <class T, class Sort>
void survives_refusals(const std::vector<T>& in, Sort sort) {
  auto expected = in;
  std::sort(expected.begin(), expected.end());
  long at = 0;
  while (survives_a_refusal(in, expected, at, sort)) at += in.size() <= 50 ? 1 : 1 + stride * at;
  EXPECT_GT(at, 0);
}

template <class T>
void survives_refusals(std::vector<T> (*make)(std::size_t),
                       std::initializer_list<std::size_t> sizes) {
  for (const std::size_t n : sizes) {
    survives_refusals(make(n), unstable);
    survives_refusals(make(n), stable);
  }
}

TEST(sort_exception, numbers_survive_a_comparator_that_throws) {
  survives_refusals(numbers, {2, 10, 33, 50, 3000, 20'000, 140'000});
}
TEST(sort_exception, numbers_almost_in_order_survive_a_comparator_that_throws) {
  survives_refusals(numbers_almost_in_order, {50, 3000, 20'000, 140'000});
}
TEST(sort_exception, texts_survive_a_comparator_that_throws) {
  survives_refusals(texts, {2, 10, 33, 50, 3000, 20'000});
}
TEST(sort_exception, wide_records_survive_a_comparator_that_throws) {
  survives_refusals(wide_numbers, {2, 10, 33, 50, 3000, 20'000});
}

TEST(sort_exception, elements_survive_a_comparator_that_throws_often) {
  const auto in = texts(10'000);
  auto expected = in;
  std::sort(expected.begin(), expected.end());
  const auto survives = [&](unsigned period, auto sort) {
    auto v = in;
    std::atomic<unsigned> calls{0};
    const auto comp = [&](const std::string& a, const std::string& b) {
      if (calls++ % period == 1) throw refusal();
      return a < b;
    };
    EXPECT_THROW(sort(v, comp), refusal);
    std::sort(v.begin(), v.end());
    EXPECT_EQ(v, expected);
  };
  for (const unsigned period : {2u, 10u, 1000u}) {
    survives(period, unstable);
    survives(period, stable);
  }
}

template <class T>
void survives_lies(std::vector<T> (*make)(std::size_t), std::size_t most) {
  for (const std::size_t n :
       {std::size_t{2}, std::size_t{7}, std::size_t{32}, std::size_t{33}, std::size_t{500}, most})
    for (int lie = 0; lie < 4; ++lie) {
      std::atomic<std::uint32_t> calls{0};
      const auto liar = [&](const T& a, const T& b) {
        switch (lie) {
          case 0:
            return true;
          case 1:
            return (calls++ * 2654435761u >> 7 & 1) != 0;
          case 2:
            return !(b < a);
          default:
            return calls++ % 3 == 0 ? b < a : a < b;
        }
      };
      const auto in = make(n);
      auto expected = in;
      std::sort(expected.begin(), expected.end());
      auto v = in;
      parallel_sort(v, liar);
      std::sort(v.begin(), v.end());
      ASSERT_EQ(v, expected) << n << " " << lie;
      v = in;
      parallel_stable_sort(v, liar);
      std::sort(v.begin(), v.end());
      ASSERT_EQ(v, expected) << n << " " << lie;
    }
}

TEST(sort_exception, numbers_almost_in_order_survive_a_comparator_that_lies) {
  survives_lies(numbers_almost_in_order, 150'000);
}
TEST(sort_exception, numbers_survive_a_comparator_that_lies) { survives_lies(numbers, 150'000); }
TEST(sort_exception, texts_survive_a_comparator_that_lies) { survives_lies(texts, 5000); }
TEST(sort_exception, wide_records_survive_a_comparator_that_lies) {
  survives_lies(wide_numbers, 150'000);
}

}  // namespace
}  // namespace kasuri
