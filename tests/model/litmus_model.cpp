// SPDX-License-Identifier: Apache-2.0
// The explorer's memory model against the classical litmus tests: what C++20 allows must be found,
// what it forbids must not.
#include "litmus.hpp"

#include <gtest/gtest.h>

namespace kasuri::model {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto acq_rel = std::memory_order_acq_rel;
constexpr auto seq_cst = std::memory_order_seq_cst;

/// True when some execution reads exactly these values, in order of threads and instructions.
bool reads(const litmus_test& test, int locations, const std::vector<int>& values) {
  const report result = explore_litmus(test, locations);
  EXPECT_TRUE(result.complete);
  for (const auto& outcome : result.outcomes) {
    if (std::equal(values.begin(), values.end(), outcome.begin())) return true;
  }
  return false;
}

/// True when some execution ends with exactly these values in memory.
bool leaves(const litmus_test& test, int locations, const std::vector<int>& values) {
  const report result = explore_litmus(test, locations);
  EXPECT_TRUE(result.complete);
  for (const auto& outcome : result.outcomes) {
    if (std::equal(values.rbegin(), values.rend(), outcome.rbegin())) return true;
  }
  return false;
}

bool store_buffering(const std::vector<instruction>& between_0,
                     const std::vector<instruction>& between_1, std::memory_order order = relaxed) {
  litmus_test test{{write(0, 1, order)}, {write(1, 1, order)}};
  test[0].insert(test[0].end(), between_0.begin(), between_0.end());
  test[1].insert(test[1].end(), between_1.begin(), between_1.end());
  test[0].push_back(read(1, order));
  test[1].push_back(read(0, order));
  return reads(test, 2, {0, 0});
}

TEST(litmus, store_buffering_needs_full_fences_on_both_sides) {
  EXPECT_TRUE(store_buffering({}, {}));
  EXPECT_TRUE(store_buffering({fence(seq_cst)}, {}));
  EXPECT_TRUE(store_buffering({fence(acq_rel)}, {fence(acq_rel)}));
  EXPECT_FALSE(store_buffering({fence(seq_cst)}, {fence(seq_cst)}));
  EXPECT_FALSE(store_buffering({}, {}, seq_cst));
}

TEST(litmus, an_asymmetric_pair_replaces_the_full_fences) {
  EXPECT_FALSE(store_buffering({light()}, {heavy()}));
  EXPECT_FALSE(store_buffering({heavy()}, {heavy()}));
  EXPECT_FALSE(store_buffering({fence(seq_cst)}, {heavy()}));
  EXPECT_TRUE(store_buffering({light()}, {light()}));
  EXPECT_TRUE(store_buffering({light()}, {fence(seq_cst)}));
  EXPECT_TRUE(store_buffering({}, {heavy()}));
}

bool message_passing(std::memory_order store, std::memory_order load) {
  return reads({{write(0, 1, relaxed), write(1, 1, store)}, {read(1, load), read(0, relaxed)}}, 2,
               {1, 0});
}

TEST(litmus, message_passing_needs_release_and_acquire) {
  EXPECT_TRUE(message_passing(relaxed, relaxed));
  EXPECT_TRUE(message_passing(release, relaxed));
  EXPECT_TRUE(message_passing(relaxed, acquire));
  EXPECT_FALSE(message_passing(release, acquire));
}

TEST(litmus, message_passing_by_fences) {
  const auto passing = [](const instruction& first, const instruction& second) {
    return reads({{write(0, 1, relaxed), first, write(1, 1, relaxed)},
                  {read(1, relaxed), second, read(0, relaxed)}},
                 2, {1, 0});
  };
  EXPECT_FALSE(passing(fence(release), fence(acquire)));
  EXPECT_TRUE(passing(fence(acquire), fence(acquire)));
  EXPECT_TRUE(passing(fence(release), fence(release)));
  EXPECT_FALSE(passing(light(), heavy()));
}

TEST(litmus, a_read_modify_write_continues_a_release_sequence_and_a_store_does_not) {
  const auto passing = [](const instruction& middle) {
    return reads({{write(0, 1, relaxed), write(1, 1, release)},
                  {middle},
                  {read(1, acquire), read(0, relaxed)}},
                 2, middle.what == step::add ? std::vector{1, 3, 0} : std::vector{3, 0});
  };
  EXPECT_FALSE(passing(add(1, 2, relaxed)));
  EXPECT_TRUE(passing(write(1, 3, relaxed)));
}

bool independent_reads(std::memory_order order, const std::vector<instruction>& between = {}) {
  litmus_test test{{write(0, 1, order == seq_cst ? seq_cst : relaxed)},
                   {write(1, 1, order == seq_cst ? seq_cst : relaxed)},
                   {read(0, order)},
                   {read(1, order)}};
  for (const std::size_t thread : {2u, 3u}) {
    test[thread].insert(test[thread].end(), between.begin(), between.end());
    test[thread].push_back(read(thread == 2 ? 1 : 0, order));
  }
  return reads(test, 2, {1, 0, 1, 0});
}

TEST(litmus, independent_reads_of_independent_writes) {
  EXPECT_TRUE(independent_reads(relaxed));
  EXPECT_TRUE(independent_reads(acquire));
  EXPECT_FALSE(independent_reads(seq_cst));
  EXPECT_FALSE(independent_reads(relaxed, {fence(seq_cst)}));
}

TEST(litmus, reads_and_writes_of_one_location_are_coherent) {
  const litmus_test two_reads{{write(0, 1, relaxed)}, {read(0, relaxed), read(0, relaxed)}};
  EXPECT_FALSE(reads(two_reads, 1, {1, 0}));
  EXPECT_TRUE(reads(two_reads, 1, {0, 1}));
  const litmus_test own{{write(0, 1, relaxed), read(0, relaxed)}, {write(0, 2, relaxed)}};
  EXPECT_FALSE(reads(own, 1, {0}));
  const litmus_test same{{write(0, 1, relaxed), write(0, 2, relaxed)},
                         {read(0, relaxed), read(0, relaxed)}};
  EXPECT_FALSE(reads(same, 1, {2, 1}));
}

TEST(litmus, writes_may_overtake_each_other) {
  const auto crossed = [](std::memory_order order) {
    return leaves(
        {{write(0, 1, order), write(1, 2, order)}, {write(1, 1, order), write(0, 2, order)}}, 2,
        {1, 1});
  };
  EXPECT_TRUE(crossed(relaxed));
  EXPECT_TRUE(crossed(release));
  EXPECT_FALSE(crossed(seq_cst));
}

TEST(litmus, causality_through_a_third_thread) {
  const auto broken = [](std::memory_order load, std::memory_order store) {
    return reads({{write(0, 1, relaxed)},
                  {read(0, load), write(1, 1, store)},
                  {read(1, acquire), read(0, relaxed)}},
                 2, {1, 1, 0});
  };
  EXPECT_TRUE(broken(relaxed, relaxed));
  EXPECT_FALSE(broken(relaxed, release));  // coherence alone carries what was read
  EXPECT_FALSE(broken(acquire, release));
}

TEST(litmus, read_modify_writes_are_atomic) {
  const report result =
      explore_litmus({{add(0, 1, relaxed)}, {add(0, 1, relaxed)}, {add(0, 1, relaxed)}}, 1);
  for (const auto& outcome : result.outcomes) EXPECT_EQ(outcome.back(), 3);
  EXPECT_EQ(result.outcomes.size(), 6u);  // one for each order of the three
  EXPECT_EQ(result.executions, 6u);
}

TEST(litmus, load_buffering_is_beyond_the_model) {
  EXPECT_FALSE(
      reads({{read(0, relaxed), write(1, 1, relaxed)}, {read(1, relaxed), write(0, 1, relaxed)}}, 2,
            {1, 1}));
}

}  // namespace
}  // namespace kasuri::model
