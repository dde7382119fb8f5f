// SPDX-License-Identifier: Apache-2.0
#include "omp/work/taskloop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace kasuri::omp {
namespace {

using clause = taskloop_clause;

std::vector<std::uint64_t> sizes(std::uint64_t iterations, clause c, std::uint64_t value,
                                 bool strict = false, int threads = 2) {
  const taskloop_split s = split_taskloop(iterations, c, value, strict, threads);
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i != s.tasks; ++i) all.push_back(s.size_of(i));
  return all;
}

using list = std::vector<std::uint64_t>;

TEST(taskloop, num_tasks_is_balanced_with_the_longer_ones_first) {
  EXPECT_EQ(sizes(10, clause::num_tasks, 4), (list{3, 3, 2, 2}));
  EXPECT_EQ(sizes(10, clause::num_tasks, 4, true), (list{3, 3, 2, 2}));
  EXPECT_EQ(sizes(3, clause::num_tasks, 8), (list{1, 1, 1}));
  EXPECT_EQ(sizes(7, clause::num_tasks, 1), (list{7}));
}

TEST(taskloop, strict_grainsize_is_exact_but_for_the_last) {
  EXPECT_EQ(sizes(10, clause::grainsize, 4, true), (list{4, 4, 2}));
  EXPECT_EQ(sizes(8, clause::grainsize, 4, true), (list{4, 4}));
  EXPECT_EQ(sizes(3, clause::grainsize, 4, true), (list{3}));
}

TEST(taskloop, grainsize_is_kept_and_less_than_doubled) {
  for (std::uint64_t n = 1; n != 200; ++n) {
    for (std::uint64_t grain = 1; grain != 40; ++grain) {
      std::uint64_t sum = 0;
      for (const std::uint64_t size : sizes(n, clause::grainsize, grain)) {
        EXPECT_GE(size, std::min(n, grain));
        EXPECT_LT(size, 2 * grain);
        sum += size;
      }
      EXPECT_EQ(sum, n);
    }
  }
}

TEST(taskloop, without_a_clause_every_thread_gets_some) {
  EXPECT_GE(sizes(1000, clause::none, 0, false, 8).size(), 8u);
  EXPECT_EQ(sizes(3, clause::none, 0, false, 8), (list{1, 1, 1}));
}

TEST(taskloop, counts_beyond_the_signed_range) {
  const std::uint64_t n = ~std::uint64_t{0};
  const taskloop_split s = split_taskloop(n, clause::num_tasks, 3, false, 2);
  EXPECT_EQ(s.size_of(0) + s.size_of(1) + s.size_of(2), n);
}

}  // namespace
}  // namespace kasuri::omp
