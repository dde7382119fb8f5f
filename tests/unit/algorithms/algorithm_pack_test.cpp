// SPDX-License-Identifier: Apache-2.0
#include "kasuri/algorithm/pack.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "random_inputs.hpp"

namespace kasuri {
namespace {

using test::for_inputs;

// Few, half, nearly all, none, all.
const std::vector<bool (*)(int)> predicates{
    [](int x) { return x % 100 == 0; }, [](int x) { return x % 2 == 0; },
    [](int x) { return x % 100 != 0; }, [](int) { return false; }, [](int) { return true; }};

TEST(algorithm_pack, copies_what_std_copies) {
  for_inputs([](const std::vector<int>& v) {
    for (const auto is : predicates) {
      std::vector<int> got(v.size() + 1, -1), expected(v.size() + 1, -1);
      std::atomic<std::size_t> calls{0};
      const auto end = copy_if(par, v, got.begin(), [&](int x) {
        ++calls;
        return is(x);
      });
      const auto std_end = std::copy_if(v.begin(), v.end(), expected.begin(), is);
      ASSERT_EQ(end - got.begin(), std_end - expected.begin());
      ASSERT_EQ(got, expected);  // also that nothing is written behind the end
      ASSERT_EQ(calls, v.size());
      std::fill(got.begin(), got.end(), -1);
      std::fill(expected.begin(), expected.end(), -1);
      remove_copy_if(par, v.begin(), v.end(), got.begin(), is);
      std::remove_copy_if(v.begin(), v.end(), expected.begin(), is);
      ASSERT_EQ(got, expected);
    }
  });
}

TEST(algorithm_pack, removes_what_std_removes) {
  for_inputs([](const std::vector<int>& v) {
    for (const auto is : predicates) {
      std::vector<int> got = v, expected = v;
      got.erase(remove_if(par, got, is), got.end());
      expected.erase(std::remove_if(expected.begin(), expected.end(), is), expected.end());
      ASSERT_EQ(got, expected);
      got = expected = v;
      got.erase(remove_if(par.with_grain(7), got, is), got.end());
      expected.erase(std::remove_if(expected.begin(), expected.end(), is), expected.end());
      ASSERT_EQ(got, expected);
    }
    std::vector<int> got = v, expected = v;
    got.erase(remove(par, got.begin(), got.end(), 1), got.end());
    expected.erase(std::remove(expected.begin(), expected.end(), 1), expected.end());
    ASSERT_EQ(got, expected);
  });
}

TEST(algorithm_pack, one_of_several_equal_ones_stays) {
  for_inputs([](std::vector<int> v) {
    for (const bool sorted : {false, true}) {
      if (sorted) std::sort(v.begin(), v.end());
      for (const std::size_t grain : {0u, 5u}) {
        std::vector<int> got = v, expected = v;
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        got.erase(unique(par.with_grain(grain), got), got.end());
        ASSERT_EQ(got, expected);
        got.assign(v.size(), 0);
        got.erase(unique_copy(par.with_grain(grain), v.begin(), v.end(), got.begin()), got.end());
        ASSERT_EQ(got, expected);
      }
    }
  });
}

TEST(algorithm_pack, moves_what_cannot_be_copied) {
  std::vector<std::unique_ptr<int>> v(50'000);
  for (std::size_t i = 0; i != v.size(); ++i) v[i] = std::make_unique<int>(static_cast<int>(i));
  const auto end = remove_if(par, v, [](const std::unique_ptr<int>& x) { return *x % 3 != 0; });
  ASSERT_EQ(end - v.begin(), 16'667);
  for (std::ptrdiff_t i = 0; i != end - v.begin(); ++i)
    ASSERT_EQ(*v[static_cast<std::size_t>(i)], 3 * i);
}

TEST(algorithm_pack, an_exception_comes_out) {
  std::vector<int> v(100'000, 1);
  v[50'000] = 2;
  const auto is = [](int x) {
    if (x == 2) throw std::runtime_error("one");
    return true;
  };
  std::vector<int> to(v.size());
  EXPECT_THROW(copy_if(par, v, to.begin(), is), std::runtime_error);
  EXPECT_THROW(remove_if(par, v, is), std::runtime_error);
}

}  // namespace
}  // namespace kasuri
