// SPDX-License-Identifier: Apache-2.0
// Comparators that throw, and comparators that lie: nothing is lost, nothing crashes.
#include <kasuri/parallel_sort.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace kasuri {
namespace {

struct refusal {};

std::vector<std::uint32_t> numbers(std::size_t n) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::vector<std::uint32_t> v(n);
  for (auto& x : v) x = static_cast<std::uint32_t>(random());
  return v;
}

std::vector<std::string> texts(std::size_t n) {
  std::vector<std::string> v;
  for (const std::uint32_t x : numbers(n)) v.push_back("a text too long to be kept inside " + std::to_string(x));
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
bool survives_a_refusal(const std::vector<T>& in, long at, Sort sort) {
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
  auto expected = in;
  std::sort(expected.begin(), expected.end());
  std::sort(v.begin(), v.end());
  EXPECT_EQ(v, expected) << "n=" << in.size() << " refused at " << at;
  return thrown;
}

const auto unstable = [](auto& v, auto comp) { parallel_sort(v, comp); };
const auto stable = [](auto& v, auto comp) { parallel_stable_sort(v, comp); };

template <class T>
void survives_refusals(std::vector<T> (*make)(std::size_t)) {
  for (const std::size_t n : {2u, 10u, 33u, 100u, 3000u, 50'000u, 200'000u}) {
    const auto in = make(n);
    // Every comparison of short sequences, some of long ones.
    long at = 0;
    while (survives_a_refusal(in, at, unstable)) at += n <= 100 ? 1 : 1 + at;
    EXPECT_GT(at, 0);
    at = 0;
    while (survives_a_refusal(in, at, stable)) at += n <= 100 ? 1 : 1 + at;
    EXPECT_GT(at, 0);
  }
}

TEST(sort_exception, numbers_survive_a_comparator_that_throws) { survives_refusals(numbers); }
TEST(sort_exception, texts_survive_a_comparator_that_throws) { survives_refusals(texts); }
TEST(sort_exception, wide_records_survive_a_comparator_that_throws) { survives_refusals(wide_numbers); }

TEST(sort_exception, elements_survive_a_comparator_that_throws_often) {
  for (const unsigned rarely : {2u, 10u, 1000u}) {
    for (const auto& sort : {+[](std::vector<std::string>& v, std::function<bool(const std::string&, const std::string&)> c) { parallel_sort(v, c); },
                             +[](std::vector<std::string>& v, std::function<bool(const std::string&, const std::string&)> c) { parallel_stable_sort(v, c); }}) {
      auto v = texts(20'000);
      auto expected = v;
      std::atomic<unsigned> calls{0};
      EXPECT_THROW(sort(v, [&](const std::string& a, const std::string& b) -> bool {
                     if (calls++ % rarely == 1) throw refusal();
                     return a < b;
                   }),
                   refusal);
      std::sort(expected.begin(), expected.end());
      std::sort(v.begin(), v.end());
      ASSERT_EQ(v, expected);
    }
  }
}

template <class T>
void survives_lies(std::vector<T> (*make)(std::size_t)) {
  for (const std::size_t n : {2u, 7u, 32u, 33u, 500u, 5000u, 150'000u})
    for (int lie = 0; lie < 4; ++lie) {
      std::atomic<std::uint32_t> calls{0};
      const auto liar = [&](const T& a, const T& b) {
        switch (lie) {
          case 0: return true;
          case 1: return (calls++ * 2654435761u >> 7 & 1) != 0;
          case 2: return !(b < a);
          default: return calls++ % 3 == 0 ? b < a : a < b;
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

TEST(sort_exception, numbers_survive_a_comparator_that_lies) { survives_lies(numbers); }
TEST(sort_exception, texts_survive_a_comparator_that_lies) { survives_lies(texts); }
TEST(sort_exception, wide_records_survive_a_comparator_that_lies) { survives_lies(wide_numbers); }

}  // namespace
}  // namespace kasuri
