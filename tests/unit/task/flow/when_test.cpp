// SPDX-License-Identifier: Apache-2.0
#include <kasuri/when.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <kasuri/promise.hpp>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using when_of = test::pool_of;

TEST_P(when_of, all_of_a_pack_are_ready) {
  auto a = async([] { return 1; });
  const shared_future<std::string> b = async([] { return std::string("b"); }).share();
  auto all = when_all(a, b, async([] {}));
  EXPECT_FALSE(a.valid());
  EXPECT_TRUE(b.valid());
  auto [x, y, z] = all.get();
  EXPECT_TRUE(x.ready() && y.ready() && z.ready());
  EXPECT_EQ(x.get(), 1);
  EXPECT_EQ(y.get(), "b");
  z.get();
}

TEST_P(when_of, all_of_a_range_come_in_order) {
  const int count = test::scaled(2000);
  std::vector<future<int>> some;
  for (int i = 0; i != count; ++i) some.push_back(async([i] { return i; }));
  auto sum = when_all(some).then([](std::vector<future<int>> ready) {
    long total = 0;
    int next = 0;
    for (future<int>& f : ready) {
      const int n = f.get();
      EXPECT_EQ(n, next++);
      total += n;
    }
    return total;
  });
  EXPECT_EQ(sum.get(), count * (count - 1L) / 2);
  std::list<future<int>> few;
  few.push_back(async([] { return 1; }));
  few.push_back(async([] { return 2; }));
  EXPECT_EQ(when_all(few.begin(), few.end()).get().size(), 2U);
}

TEST_P(when_of, nothing_is_ready_at_once) {
  EXPECT_TRUE(when_all().ready());
  std::vector<future<int>> none;
  EXPECT_TRUE(when_all(none).get().empty());
  auto any = when_any(none);
  EXPECT_TRUE(any.ready());
  const auto result = any.get();
  EXPECT_EQ(result.index, result.not_one);
}

TEST_P(when_of, exceptions_stay_in_their_futures) {
  auto all = when_all(async([]() -> int { throw std::runtime_error("no answer"); }),
                      async([] { return 2; }));
  auto [bad, good] = all.get();
  EXPECT_THROW(bad.get(), std::runtime_error);
  EXPECT_EQ(good.get(), 2);
}

TEST_P(when_of, any_names_one_that_is_ready) {
  promise<int> never;
  promise<int> soon;
  auto any = when_any(never.get_future(), soon.get_future());
  EXPECT_FALSE(any.ready());
  soon.set_value(3);
  auto result = any.get();
  EXPECT_EQ(result.index, 1U);
  EXPECT_EQ(std::get<1>(result.futures).get(), 3);
  future<int>& other = std::get<0>(result.futures);
  EXPECT_FALSE(other.ready());
  auto after = other.then([](int n) { return n + 1; });
  never.set_value(10);
  EXPECT_EQ(after.get(), 11);
}

TEST_P(when_of, any_leaves_the_others_to_be_dropped) {
  promise<std::unique_ptr<int>> late;
  {
    auto any = when_any(late.get_future(), make_ready_future(1));
    EXPECT_EQ(any.get().index, 1U);
  }
  late.set_value(std::make_unique<int>(1));  // its callback finds nobody
}

TEST_P(when_of, any_races_with_all_of_its_futures) {
  for (int k = 0; k != test::scaled(1000); ++k) {
    std::vector<future<int>> some;
    for (int i = 0; i != 6; ++i) some.push_back(async([i] { return i; }));
    auto result = when_any(some.begin(), some.end()).get();
    ASSERT_LT(result.index, 6U);
    EXPECT_TRUE(result.futures[result.index].ready());
    int sum = 0;
    for (future<int>& f : result.futures) sum += f.get();
    EXPECT_EQ(sum, 15);
  }
}

TEST_P(when_of, one_shared_future_may_be_waited_for_twice) {
  promise<int> p;
  const shared_future<int> f = p.get_future().share();
  auto both = when_all(f, f);
  auto again = when_any(f, f);
  p.set_value(2);
  auto [a, b] = both.get();
  EXPECT_EQ(a.get() + b.get(), 4);
  EXPECT_LE(again.get().index, 1U);
}

TEST_P(when_of, refuses_a_future_without_a_task) {
  auto good = async([] { return 1; });
  future<int> none;
  EXPECT_THROW((void)when_all(good, none), std::logic_error);
  EXPECT_TRUE(good.valid());
  EXPECT_THROW((void)when_any(none), std::logic_error);
  std::vector<future<int>> some;
  some.emplace_back();
  EXPECT_THROW((void)when_all(some), std::logic_error);
  EXPECT_EQ(good.get(), 1);
}

INSTANTIATE_TEST_SUITE_P(workers, when_of, testing::Values(1, 2, 4, 16));

}  // namespace
}  // namespace kasuri
