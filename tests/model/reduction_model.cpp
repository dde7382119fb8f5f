// SPDX-License-Identifier: Apache-2.0
// The explorer leaves out schedules because they are equivalent to others. Here random programs are
// explored with and without that reduction, and the outcomes must be the same.
#include "litmus.hpp"

#include <gtest/gtest.h>

#include <random>

namespace kasuri::model {
namespace {

constexpr std::uint64_t full_limit = 20'000;  // executions of the exploration without reduction

instruction random_instruction(std::mt19937& random, int locations) {
  using enum std::memory_order;
  const auto pick = [&](std::initializer_list<std::memory_order> from) {
    return from.begin()[random() % from.size()];
  };
  const int location = static_cast<int>(random()) & (locations - 1);
  const int value = 1 + static_cast<int>(random() % 3);
  switch (random() % 18) {
    case 0:
    case 1:
    case 2:
    case 3:
      return read(location, pick({relaxed, acquire, seq_cst}));
    case 4:
    case 5:
    case 6:
    case 7:
      return write(location, value, pick({relaxed, release, seq_cst}));
    case 8:
      return add(location, value, pick({relaxed, acq_rel, seq_cst}));
    case 9:
      return {step::swap_if_zero, location, pick({relaxed, acq_rel, seq_cst}), value};
    case 10:
    case 11:
      return fence(pick({acquire, release, seq_cst}));
    case 12:
      return light();
    case 13:
      return heavy();
    case 14:
      return {step::await_nonzero, location, pick({relaxed, acquire})};
    case 15:
      return {step::sleep_if_zero, location};
    default:
      return {step::wake, location};
  }
}

litmus_test random_test(std::mt19937& random, int locations) {
  litmus_test test(2 + random() % 2);
  for (auto& thread : test) {
    const std::size_t length = test.size() == 2 ? 2 + random() % 3 : 1 + random() % 3;
    for (std::size_t i = 0; i < length; ++i) {
      thread.push_back(random_instruction(random, locations));
    }
  }
  return test;
}

TEST(reduction, finds_every_outcome_of_random_programs) {
  std::mt19937 random(1);
  std::uint64_t reduced_executions = 0;
  std::uint64_t full_executions = 0;
  int compared = 0;
  while (compared < 400) {
    const int locations = 1 + static_cast<int>(random() % 2);
    const litmus_program test(random_test(random, locations), locations);
    const report full =
        explore({.name = "full", .reduce = false, .max_executions = full_limit}, test.get());
    if (!full.complete && !full.failed) continue;
    const report reduced = explore({.name = "reduced"}, test.get());
    ASSERT_EQ(reduced.failed.has_value(), full.failed.has_value()) << "program " << compared;
    if (full.failed) continue;  // a deadlock: what was found until then depends on the order
    ASSERT_TRUE(reduced.complete);
    ASSERT_EQ(reduced.outcomes, full.outcomes) << "program " << compared;
    reduced_executions += reduced.executions + reduced.redundant;
    full_executions += full.executions;
    ++compared;
  }
  std::printf("%d programs: %llu executions, %llu with reduction\n", compared,
              static_cast<unsigned long long>(full_executions),
              static_cast<unsigned long long>(reduced_executions));
  EXPECT_LT(reduced_executions, full_executions);
}

}  // namespace
}  // namespace kasuri::model
