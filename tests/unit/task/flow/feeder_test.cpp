// SPDX-License-Identifier: Apache-2.0
#include <kasuri/parallel_for_each.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <forward_list>
#include <iterator>
#include <memory>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <kasuri/kasuri.hpp>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using feeder_of = test::pool_of;

// A complete binary tree, of which each node brings its two children.
TEST_P(feeder_of, visits_a_tree) {
  const int nodes = test::scaled(20'000);
  std::vector<std::atomic<int>> seen(static_cast<std::size_t>(nodes));
  const std::vector<int> roots{0};
  parallel_for_each(roots, [&](int node, feeder<int>& more) {
    ++seen[static_cast<std::size_t>(node)];
    for (const int child : {2 * node + 1, 2 * node + 2})
      if (child < nodes) more.add(child);
  });
  for (const std::atomic<int>& n : seen) EXPECT_EQ(n, 1);
}

// Items that are written out, with and without a condition, by bodies that add and that do not.
TEST_P(feeder_of, takes_a_list_of_items) {
  std::atomic<int> sum{0};
  parallel_for_each({1, 2, 3}, [&](int item) { sum += item; });
  EXPECT_EQ(sum, 6);
  parallel_for_each({4, 2}, [&](int item, feeder<int>& more) {
    ++sum;
    if (item > 1) more.add(item - 1);
  });
  EXPECT_EQ(sum, 6 + 4 + 2);
  EXPECT_TRUE(parallel_for_each(stop_condition(), {1, 2, 3}, [&](int item) { sum += item; }));
  EXPECT_TRUE(parallel_for_each(stop_condition(), {2}, [&](int item, feeder<int>& more) {
    ++sum;
    if (item > 1) more.add(item - 1);
  }));
  EXPECT_EQ(sum, 12 + 6 + 2);
}

// From all nodes of a grid at once, each visited when it is first reached.
TEST_P(feeder_of, searches_a_graph) {
  const int side = 60;
  std::vector<std::atomic<bool>> reached(side * side);
  std::atomic<int> visits{0};
  const int start[] = {0};
  parallel_for_each(start, start + 1, [&](int at, feeder<int>& more) {
    if (reached[static_cast<std::size_t>(at)].exchange(true)) return;
    ++visits;
    if (at % side != 0) more.add(at - 1);
    if (at % side != side - 1) more.add(at + 1);
    if (at >= side) more.add(at - side);
    if (at < side * (side - 1)) more.add(at + side);
  });
  EXPECT_EQ(visits, side * side);
}

TEST_P(feeder_of, takes_iterators_of_all_sorts) {
  const int count = 500;
  const auto expected = static_cast<long>(count) * (count - 1);  // each counts twice
  const auto run_over = [&](auto&& range) {
    std::atomic<long> sum{0};
    parallel_for_each(range.begin(), range.end(), [&sum](int i, feeder<int>& more) {
      sum += i < count ? i : i - count;
      if (i < count) more.add(i + count);
    });
    EXPECT_EQ(sum, expected);
  };
  std::vector<int> random;
  std::forward_list<int> forward;
  std::stringstream text;
  for (int i = 0; i != count; ++i) {
    random.push_back(i);
    forward.push_front(i);
    text << i << ' ';
  }
  run_over(random);
  run_over(forward);
  run_over(std::ranges::subrange(std::istream_iterator<int>(text), std::istream_iterator<int>()));
  run_over(std::views::iota(0, count));
}

TEST_P(feeder_of, bodies_may_change_elements_and_add_none) {
  std::forward_list<int> list(100, 1);
  parallel_for_each(list, [](int& n) { n = 2; });
  for (const int n : list) EXPECT_EQ(n, 2);
  std::vector<int> vector(100, 1);
  parallel_for_each(vector.begin(), vector.end(), [](int& n) { n = 3; });
  for (const int n : vector) EXPECT_EQ(n, 3);
  std::vector<int> none;
  parallel_for_each(none, [](int, feeder<int>&) { FAIL(); });
}

TEST_P(feeder_of, items_may_only_move) {
  std::vector<std::unique_ptr<int>> first;
  first.push_back(std::make_unique<int>(3));
  std::atomic<int> sum{0};
  parallel_for_each(first, [&sum](auto&& item, feeder<std::unique_ptr<int>>& more) {
    sum += *item;
    if (*item > 0) more.add(std::make_unique<int>(*item - 1));
  });
  EXPECT_EQ(sum, 6);
  std::atomic<int> taken{0};
  parallel_for_each(std::make_move_iterator(first.begin()), std::make_move_iterator(first.end()),
                    [&taken](std::unique_ptr<int> item, feeder<std::unique_ptr<int>>& more) {
                      taken += *item;
                      if (*item > 0) more.add(std::make_unique<int>(*item - 1));
                    });
  EXPECT_EQ(taken, 6);
}

TEST_P(feeder_of, bodies_may_wait) {
  latch all(64);
  std::vector<int> items(1, 64);
  std::atomic<int> through{0};
  parallel_for_each(items, [&](int left, feeder<int>& more) {
    if (left > 1) more.add(left - 1);
    all.arrive_and_wait();
    ++through;
  });
  EXPECT_EQ(through, 64);
}

TEST_P(feeder_of, rethrows_and_leaves_the_rest) {
  for (int k = 0; k != test::scaled(100); ++k) {
    std::vector<int> items{0};
    std::atomic<int> called{0};
    EXPECT_THROW(parallel_for_each(items,
                                   [&called](int i, feeder<int>& more) {
                                     if (++called == 500) throw std::runtime_error("enough");
                                     more.add(i + 1);
                                     more.add(i + 1);
                                   }),
                 std::runtime_error);  // without end else
    EXPECT_GE(called, 500);
  }
}

TEST_P(feeder_of, ends_when_it_is_cancelled) {
  std::vector<int> items{0};
  std::atomic<int> called{0};
  parallel_for_each(items, [&called](int i, feeder<int>& more) {
    if (++called == 500) more.cancel();
    more.add(i + 1);
    more.add(i + 1);
  });
  EXPECT_GE(called, 500);
  std::atomic<bool> saw{false};
  run([&] {
    task_group group;
    group.run([&] {
      group.cancel();
      parallel_for_each(items, [](int, feeder<int>&) { FAIL(); });
      saw = true;
    });
    group.wait();
  });
  EXPECT_TRUE(saw);
}

struct throws_on_copy {
  int n = 0;
  explicit throws_on_copy(int i) : n(i) {}
  throws_on_copy(const throws_on_copy& o) : n(o.n) {
    if (n == 7) throw std::runtime_error("no copy");
  }
  throws_on_copy(throws_on_copy&&) noexcept = default;
  throws_on_copy& operator=(const throws_on_copy&) = default;
};

TEST_P(feeder_of, an_item_whose_copy_throws_is_not_added) {
  const throws_on_copy first[] = {throws_on_copy(1)};
  std::atomic<int> called{0};
  EXPECT_THROW(parallel_for_each(first, first + 1,
                                 [&called](const throws_on_copy& t, feeder<throws_on_copy>& more) {
                                   ++called;
                                   const throws_on_copy seven(t.n == 1 ? 7 : 8);
                                   more.add(seven);
                                 }),
               std::runtime_error);
  EXPECT_EQ(called, 1);
}

struct alignas(64) aligned_item {
  int n = 0;
};

TEST_P(feeder_of, keeps_alignment) {
  const std::vector<aligned_item> first(1, aligned_item{5});
  std::atomic<int> sum{0};
  parallel_for_each(first, [&sum](const aligned_item& a, feeder<aligned_item>& more) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&a) % alignof(aligned_item), 0U);
    sum += a.n;
    if (a.n > 0) more.add(aligned_item{a.n - 1});
  });
  EXPECT_EQ(sum, 15);
}

INSTANTIATE_TEST_SUITE_P(workers, feeder_of, testing::Values(1, 2, 4, 16));

}  // namespace
}  // namespace kasuri
