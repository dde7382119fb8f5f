// SPDX-License-Identifier: Apache-2.0
#include "kasuri/algorithm/find.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <stdexcept>
#include <ranges>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "random_inputs.hpp"

namespace kasuri {
namespace {

using test::for_inputs;

TEST(algorithm_find, finds_what_std_finds) {
  for_inputs([](const std::vector<int>& v) {
    for (const int value : {0, 1, 99, 123'456, -1}) {
      const auto is = [value](int x) { return x == value; };
      ASSERT_EQ(find(par, v.begin(), v.end(), value), std::find(v.begin(), v.end(), value));
      ASSERT_EQ(find(par, v, value), std::find(v.begin(), v.end(), value));
      ASSERT_EQ(find_if(par, v, is), std::find_if(v.begin(), v.end(), is));
      ASSERT_EQ(find_if_not(par, v, is), std::find_if_not(v.begin(), v.end(), is));
      ASSERT_EQ(any_of(par, v, is), std::any_of(v.begin(), v.end(), is));
      ASSERT_EQ(all_of(par, v, is), std::all_of(v.begin(), v.end(), is));
      ASSERT_EQ(none_of(par, v, is), std::none_of(v.begin(), v.end(), is));
    }
  });
}

// Views of wide integers have iterators that the standard library's own algorithms do not take.
TEST(algorithm_find, takes_a_view_of_long) {
  const auto numbers = std::views::iota(0L, 100'000L);
  const auto is = [](long x) { return x >= 70'000; };
  EXPECT_EQ(find_if(par, numbers, is) - numbers.begin(), 70'000);
  EXPECT_TRUE(any_of(par, numbers, is));
  EXPECT_TRUE(none_of(par, numbers, [](long x) { return x < 0; }));
  EXPECT_EQ(find(par, numbers, -1L), numbers.end());
}

TEST(algorithm_find, finds_the_first_of_several) {
  constexpr std::size_t size = 1'000'000;
  for (const std::size_t at : {0u, 1u, 100u, 5'000u, 123'456u, 999'999u}) {
    std::vector<char> v(size);
    v[at] = 1;
    if (at + 1 < size) v[at + 1] = v[size - 1] = 1;
    ASSERT_EQ(find(par, v, 1) - v.begin(), static_cast<std::ptrdiff_t>(at));
  }
}

TEST(algorithm_find, looks_at_no_more_than_it_says) {
  const std::vector<int> v(1'000'000);
  for (const std::size_t at : {0u, 1u, 10u, 1'000u, 50'000u, 400'000u}) {
    std::atomic<std::size_t> looks{0};
    const auto found = find_if(par, v, [&](const int& x) {
      ++looks;
      return static_cast<std::size_t>(&x - v.data()) >= at;
    });
    ASSERT_EQ(found - v.begin(), static_cast<std::ptrdiff_t>(at));
    EXPECT_LE(looks, 2 * (at + 1));
  }
}

TEST(algorithm_find, takes_a_projection_and_a_grain) {
  struct named {
    std::string name;
    int number;
  };
  std::deque<named> people;
  for (int i = 0; i != 10'000; ++i) people.push_back({std::to_string(i), i});
  EXPECT_EQ(find(par, people, "7777", &named::name)->number, 7777);
  EXPECT_EQ(find_if(
                par.with_grain(100), people, [](int n) { return n > 5000; }, &named::number)
                ->number,
            5001);
  EXPECT_EQ(find(par, people, "none", &named::name), people.end());
}

TEST(algorithm_find, an_exception_comes_out) {
  const std::vector<int> v(100'000);
  for (const std::size_t at : {0u, 99u, 99'999u})
    EXPECT_THROW(any_of(par, v,
                        [&](const int& x) {
                          if (static_cast<std::size_t>(&x - v.data()) == at)
                            throw std::runtime_error("one");
                          return false;
                        }),
                 std::runtime_error);
}

TEST(algorithm_find, neighbours) {
  for_inputs([](std::vector<int> v) {
    ASSERT_EQ(adjacent_find(par, v), std::adjacent_find(v.begin(), v.end()));
    ASSERT_EQ(is_sorted(par, v), std::is_sorted(v.begin(), v.end()));
    std::sort(v.begin(), v.end());
    ASSERT_TRUE(is_sorted(par, v));
    ASSERT_EQ(adjacent_find(par, v), std::adjacent_find(v.begin(), v.end()));
    for (const std::size_t at : {std::size_t{1}, v.size() / 2, v.size() - 1}) {
      if (v.size() < 2) break;
      std::vector<int> w = v;
      w[at] = w[at - 1] - 1;
      ASSERT_EQ(is_sorted_until(par, w.begin(), w.end()), std::is_sorted_until(w.begin(), w.end()));
    }
  });
}

TEST(algorithm_find, two_ranges) {
  for_inputs([](const std::vector<int>& v) {
    ASSERT_TRUE(equal(par, v, v));
    ASSERT_FALSE(lexicographical_compare(par, v, v));
    for (const std::size_t at : {std::size_t{0}, v.size() / 3, v.size() - 1}) {
      if (v.empty()) break;
      std::vector<int> w = v;
      w[at] += 1;
      ASSERT_FALSE(equal(par, v, w));
      ASSERT_EQ(mismatch(par, v.begin(), v.end(), w.begin(), w.end()),
                std::mismatch(v.begin(), v.end(), w.begin(), w.end()));
      ASSERT_TRUE(lexicographical_compare(par, v, w));
      ASSERT_FALSE(lexicographical_compare(par, w, v));
      w.resize(at);
      ASSERT_FALSE(equal(par, v, w));
      ASSERT_TRUE(lexicographical_compare(par, w, v));
      ASSERT_FALSE(lexicographical_compare(par, v, w));
    }
  });
}

}  // namespace
}  // namespace kasuri
