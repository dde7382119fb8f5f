// SPDX-License-Identifier: Apache-2.0
// What is known of a kind of loop, and what follows from it.
#include "kasuri/detail/loop/pace.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "kasuri/detail/loop/alone.hpp"
#include "kasuri/parallel_for.hpp"
#include "kasuri/parallel_for_each.hpp"
#include "kasuri/runtime.hpp"
#include "kasuri/sync.hpp"

namespace kasuri {
namespace {

using detail::pace;

TEST(pace, of_a_kind_that_never_ran_is_not_known) {
  EXPECT_EQ(pace<struct never>::expected(1000), 0);
  pace<struct never>::learn(500, 100);
  EXPECT_EQ(pace<struct never>::expected(1000), 5000);
}

TEST(pace, a_longer_time_counts_when_it_comes_again) {
  using kind = pace<struct longer>;
  kind::learn(100, 100);
  kind::learn(900, 100);
  EXPECT_EQ(kind::expected(100), 100);
  EXPECT_TRUE(kind::is_doubtful());
  kind::learn(100, 100);
  EXPECT_FALSE(kind::is_doubtful());
  kind::learn(900, 100);
  kind::learn(800, 100);
  EXPECT_EQ(kind::expected(100), 800);
  EXPECT_FALSE(kind::is_doubtful());
}

TEST(pace, a_shorter_time_counts_at_once) {
  using kind = pace<struct shorter>;
  kind::learn(1000, 100);
  kind::learn(400, 100);
  EXPECT_EQ(kind::expected(100), 400);
}

TEST(pace, of_all_workers_counts_where_it_is_far_off) {
  using kind = pace<struct all>;
  kind::learn_of_all(1000, 100);
  kind::learn_of_all(1500, 100);
  EXPECT_EQ(kind::expected(100), 1000);
  kind::learn_of_all(3000, 100);
  EXPECT_EQ(kind::expected(100), 3000);
  kind::learn_of_all(100, 100);
  EXPECT_EQ(kind::expected(100), 100);
}

TEST(pace, is_trusted_after_many_in_a_row) {
  using kind = pace<struct trusted>;
  for (int i = 0; i != 1000; ++i) kind::learn(100, 100);
  EXPECT_TRUE(kind::is_trusted());
  kind::learn(200, 100);
  EXPECT_FALSE(kind::is_trusted());
}

TEST(pace, nothing_is_no_time) {
  using kind = pace<struct nothing>;
  kind::learn(0, 1000);
  EXPECT_GT(kind::expected(1000), 0);
}

TEST(alone, runs_each_once_from_the_left_until_the_time_is_over) {
  for (const std::size_t least : {1u, 3u, 100u})
    for (std::size_t size = 1; size < 400; ++size) {
      std::size_t at = 0;
      const auto piece = [&](std::size_t begin, std::size_t end) {
        EXPECT_EQ(begin, at);
        EXPECT_TRUE(end == size || end - begin >= least) << begin << " " << end;
        at = end;
        return true;
      };
      const std::uint64_t for_ever = ~std::uint64_t{0};
      EXPECT_EQ(detail::run_alone(size, least, for_ever, {1, 16, size / 4}, piece).end, size);
      EXPECT_EQ(at, size);
      at = 0;
      const std::size_t first = detail::run_alone(size, least, 0, {1, 16, size / 4}, piece).end;
      EXPECT_EQ(first, std::min(least, size));
    }
}

TEST(alone, ends_where_a_piece_says_so) {
  const auto stops_at_50 = [](std::size_t, std::size_t end) { return end < 50; };
  const std::size_t end =
      detail::run_alone(1000, 1, ~std::uint64_t{0}, {1, 16, 10}, stops_at_50).end;
  EXPECT_GE(end, 50U);
  EXPECT_LT(end, 60U);
}

TEST(alone, begins_nothing_that_is_known_to_be_long) {
  struct kind;
  pace<kind>::learn(1'000'000'000, 1);
  const auto never = [](std::size_t, std::size_t) {
    ADD_FAILURE();
    return true;
  };
  EXPECT_EQ(detail::alone<kind>(10, 1, 1, detail::alone_ticks(), never), 0U);
}

// Each call of one kind: short ones, then one that the kind's pace is wrong for.
TEST(alone, a_kind_that_was_short_visits_each_index_once_when_it_is_long) {
  std::vector<int> visits(5000);
  const auto loop = [&](int work) {
    parallel_for(std::size_t{0}, visits.size(), [&visits, work](std::size_t i) {
      std::atomic<int> spin{work};
      while (spin.fetch_sub(1, std::memory_order_relaxed) > 0) {
      }
      ++visits[i];
    });
  };
  for (int i = 0; i != 200; ++i) loop(0);
  for (int i = 0; i != 5; ++i) loop(300);
  for (int i = 0; i != 200; ++i) loop(0);
  for (const int n : visits) ASSERT_EQ(n, 405);
}

template <class Loop>
void expect_that_the_first_item_may_wait_for_the_last(Loop loop) {
  std::vector<int> items(1000);
  std::iota(items.begin(), items.end(), 0);
  latch* to_open = nullptr;
  const auto body = [&](int item) {
    if (to_open == nullptr) return;
    if (item == 0) to_open->wait();
    if (item == 999) to_open->count_down();
  };
  for (int i = 0; i != 200; ++i) loop(items, body);
  latch once(1);
  to_open = &once;
  loop(items, body);
}

// They are in different pieces of the loop.
TEST(alone, items_that_wait_for_each_other_are_not_run_alone) {
  if (num_workers() < 2) GTEST_SKIP() << "the pieces of one worker come one behind the other";
  expect_that_the_first_item_may_wait_for_the_last(
      [](auto& items, auto& body) { parallel_for_each(items, body); });
  expect_that_the_first_item_may_wait_for_the_last(
      [](auto& items, auto& body) { parallel_for_each(items.begin(), items.end(), body); });
}

}  // namespace
}  // namespace kasuri
