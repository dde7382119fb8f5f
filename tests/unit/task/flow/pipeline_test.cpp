// SPDX-License-Identifier: Apache-2.0
#include <kasuri/pipeline.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <kasuri/kasuri.hpp>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using pipeline_of = test::pool_of;

/// A source of 0, 1 ... count - 1.
auto numbers(int count) {
  return [i = 0, count]() mutable -> std::optional<int> {
    if (i == count) return std::nullopt;
    return i++;
  };
}

TEST_P(pipeline_of, keeps_the_order_where_it_is_asked_to) {
  const int count = test::scaled(5000);
  std::vector<int> out;
  pipeline(8, numbers(count), parallel([](int i) {
             if (i % 16 == 0) this_task::yield();
             return 2 * i;
           }),
           in_order([&out](int i) { out.push_back(i); }));
  ASSERT_EQ(out.size(), static_cast<std::size_t>(count));
  for (int i = 0; i != count; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], 2 * i);
}

TEST_P(pipeline_of, brings_all_through_stages_of_all_sorts) {
  const int count = test::scaled(3000);
  std::vector<std::string> in;
  std::vector<std::string> out;
  std::atomic<int> inside_serial{0};
  pipeline(16, numbers(count), in_order([&in](int i) {
             in.push_back(std::to_string(i));
             return i;
           }),
           parallel([](int i) { return std::make_unique<int>(i); }),
           serial([&inside_serial](std::unique_ptr<int> p) {
             EXPECT_EQ(++inside_serial, 1);
             this_task::yield();
             --inside_serial;
             return p;
           }),
           parallel([](std::unique_ptr<int> p) { return std::to_string(*p); }),
           in_order([&out](std::string s) { out.push_back(std::move(s)); }));
  EXPECT_EQ(in.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(in, out);
}

TEST_P(pipeline_of, keeps_the_bound_of_items_in_flight) {
  std::atomic<int> in_flight{0};
  std::atomic<int> worst{0};
  int i = 0;
  const int count = test::scaled(2000);
  pipeline(
      3,
      [&]() -> std::optional<int> {
        if (i == count) return std::nullopt;
        const int now = ++in_flight;
        int seen = worst;
        while (seen < now && !worst.compare_exchange_weak(seen, now)) {
        }
        return i++;
      },
      parallel([](int n) {
        this_task::yield();
        return n;
      }),
      serial([&in_flight](int) { --in_flight; }));
  EXPECT_LE(worst, 3);
  EXPECT_EQ(in_flight, 0);
  EXPECT_EQ(i, count);
}

TEST_P(pipeline_of, one_in_flight_is_a_loop) {
  std::vector<int> seen;
  pipeline(1, numbers(100), parallel([&seen](int i) {
             seen.push_back(i);
             return i;
           }),
           parallel([&seen](int i) { EXPECT_EQ(seen.back(), i); }));
  EXPECT_EQ(seen.size(), 100U);
}

TEST_P(pipeline_of, of_no_items_calls_nothing) {
  pipeline(4, numbers(0), parallel([](int) { FAIL(); }));
}

// Each item of a group of four waits for the others: none is bound to a worker.
TEST_P(pipeline_of, stages_may_wait_for_each_other) {
  barrier all(4);
  std::atomic<int> through{0};
  pipeline(4, numbers(4 * test::scaled(100)), parallel([&all](int i) {
             all.arrive_and_wait();
             return i;
           }),
           parallel([&through](int) { ++through; }));
  EXPECT_EQ(through, 4 * test::scaled(100));
}

TEST_P(pipeline_of, rethrows_what_a_stage_throws) {
  for (int k = 0; k != test::scaled(100); ++k) {
    std::vector<int> out;
    try {
      pipeline(8, numbers(1000), parallel([](int i) {
                 if (i == 100) throw std::runtime_error("item 100");
                 return i;
               }),
               in_order([&out](int i) { out.push_back(i); }));
      FAIL() << "no exception";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "item 100");
    }
    EXPECT_LE(out.size(), 100U);
    for (std::size_t i = 0; i != out.size(); ++i) EXPECT_EQ(out[i], static_cast<int>(i));
  }
}

TEST_P(pipeline_of, rethrows_what_the_source_throws) {
  int i = 0;
  std::atomic<int> through{0};
  EXPECT_THROW(pipeline(
                   4,
                   [&i]() -> std::optional<int> {
                     if (i == 50) throw 3;
                     return i++;
                   },
                   in_order([&through](int n) {
                     ++through;
                     return n;
                   }),
                   in_order([](int) {})),
               int);
  EXPECT_LE(through, 50);
}

TEST_P(pipeline_of, drops_items_of_a_canceled_group) {
  std::atomic<int> made{0};
  std::atomic<int> ended{0};
  run([&] {
    task_group group;
    group.run([&] {
      int i = 0;
      pipeline(
          4,
          [&]() -> std::optional<int> {
            if (i == 20) group.cancel();
            made = i + 1;
            return i++;  // for ever
          },
          parallel([](int n) { return n; }), in_order([&ended](int) { ++ended; }));
    });
    group.wait();
  });
  EXPECT_GE(made, 21);
  EXPECT_LE(ended, made);
}

TEST_P(pipeline_of, nests) {
  std::atomic<int> sum{0};
  pipeline(3, numbers(20),
           parallel([&sum](int i) { pipeline(2, numbers(i), parallel([&sum](int) { ++sum; })); }));
  EXPECT_EQ(sum, 190);
}

TEST_P(pipeline_of, names_a_wrong_bound) {
  try {
    pipeline(0, numbers(1), parallel([](int) {}));
    FAIL() << "no exception";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "kasuri::pipeline: max_in_flight = 0; accepted: 1 or more");
  }
}

INSTANTIATE_TEST_SUITE_P(workers, pipeline_of, testing::Values(1, 2, 4, 16));

}  // namespace
}  // namespace kasuri
