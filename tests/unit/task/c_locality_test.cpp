// SPDX-License-Identifier: Apache-2.0
// Places, hints and steal functions of the C interface.
#include <gtest/gtest.h>
#include <kasuri/kasuri.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

void* same(void* argument) { return argument; }

using c_places = test::pool_of;

TEST_P(c_places, threads_give_their_results_from_everywhere) {
  std::vector<kasuri_thread_t> threads(static_cast<std::size_t>(test::scaled(5'000)));
  const char hint[] = "a hint that is longer than the record of a thread is, as hints may be";
  for (std::size_t i = 0; i != threads.size(); ++i) {
    const kasuri_thread_options_t options{
        .policy = static_cast<int>(i % 2),
        .place = {static_cast<int>(i % 3), static_cast<int>(i % 7) - 1},
        .hint = i % 5 == 0 ? nullptr : hint,
        .hint_bytes = i % 5 == 0 ? 0 : 1 + i % sizeof hint};
    ASSERT_EQ(kasuri_thread_create_with(&threads[i], same, &threads[i], &options), KASURI_SUCCESS);
    if (i % 11 == 0) {
      ASSERT_EQ(kasuri_thread_detach(threads[i]), KASURI_SUCCESS);
    }
  }
  for (std::size_t i = 0; i != threads.size(); ++i) {
    if (i % 11 == 0) continue;
    void* result = nullptr;
    ASSERT_EQ(kasuri_thread_join(threads[i], &result), KASURI_SUCCESS);
    ASSERT_EQ(result, &threads[i]);
  }
}

TEST_P(c_places, are_checked) {
  kasuri_thread_t t;
  kasuri_thread_options_t options{};
  EXPECT_EQ(kasuri_thread_create_with(&t, same, nullptr, nullptr), KASURI_ERROR_INVALID);
  EXPECT_EQ(kasuri_thread_create_with(nullptr, same, nullptr, &options), KASURI_ERROR_INVALID);
  EXPECT_EQ(kasuri_thread_create_with(&t, nullptr, nullptr, &options), KASURI_ERROR_INVALID);
  options.place.kind = 3;
  EXPECT_EQ(kasuri_thread_create_with(&t, same, nullptr, &options), KASURI_ERROR_INVALID);
  options = {};
  options.policy = 2;
  EXPECT_EQ(kasuri_thread_create_with(&t, same, nullptr, &options), KASURI_ERROR_INVALID);
  options = {};
  options.hint_bytes = 1;
  EXPECT_EQ(kasuri_thread_create_with(&t, same, nullptr, &options), KASURI_ERROR_INVALID);
  options.hint = &t;
  options.hint_bytes = SIZE_MAX;
  EXPECT_EQ(kasuri_thread_create_with(&t, same, nullptr, &options), KASURI_ERROR_MEMORY);
}

TEST_P(c_places, near_names_a_node_or_nothing) {
  const int local = 1;
  const kasuri_place_t place = kasuri_near(&local);
  EXPECT_TRUE(place.kind == KASURI_ANYWHERE || place.kind == KASURI_NODE) << place.kind;
}

INSTANTIATE_TEST_SUITE_P(workers, c_places, testing::Values(1, 2, 4),
                         testing::PrintToStringParamName());

/// What the steal function noted.
struct notes {
  std::atomic<long> right{0}, wrong{0}, taken{0}, refused{0};
};

constexpr char wanted[] = "take me";

int confirm(const void* hint, ptrdiff_t bytes, void* arg) {
  auto& seen = *static_cast<notes*>(arg);
  if (bytes == 0) return 1;
  const bool right = bytes == sizeof wanted && std::memcmp(hint, wanted, sizeof wanted) == 0;
  ++(right ? seen.right : seen.wrong);
  if (seen.refused.fetch_add(1, std::memory_order_relaxed) % 2 == 0) return 0;
  return 1;
}

int steal_by_hint(kasuri_steal_round_t* round, void* arg) {
  auto& seen = *static_cast<notes*>(arg);
  const int workers = kasuri_steal_workers(round);
  const int victim = static_cast<int>(kasuri_steal_random(round) % static_cast<unsigned>(workers));
  char hint[4];
  const ptrdiff_t bytes = kasuri_steal_peek(round, victim, hint, sizeof hint);
  if (bytes < 0 || victim == kasuri_steal_thief(round)) return 0;
  if (bytes != 0 && (bytes != sizeof wanted || std::memcmp(hint, wanted, sizeof hint) != 0))
    ++seen.wrong;
  const int got = kasuri_steal_take(round, victim, confirm, arg);
  seen.taken += got;
  return got;
}

using c_stealing = test::pool_of;

TEST_P(c_stealing, sees_the_hints_of_threads_and_decides) {
  static notes seen;  // rounds may go on until the pool has ended
  ASSERT_EQ(kasuri_set_steal_function(steal_by_hint, &seen), KASURI_SUCCESS);
  const auto parent = [](void*) -> void* {
    kasuri_thread_options_t options{};
    options.hint = wanted;
    options.hint_bytes = sizeof wanted;
    std::vector<kasuri_thread_t> threads(64);
    // Thieves come when the system gives them a CPU.
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(9);
    while ((seen.taken == 0 || seen.right == 0) && std::chrono::steady_clock::now() < end) {
      for (kasuri_thread_t& t : threads)
        EXPECT_EQ(kasuri_thread_create_with(
                      &t,
                      [](void*) -> void* {
                        kasuri_yield();
                        return nullptr;
                      },
                      nullptr, &options),
                  KASURI_SUCCESS);
      for (kasuri_thread_t t : threads) EXPECT_EQ(kasuri_thread_join(t, nullptr), KASURI_SUCCESS);
    }
    return nullptr;
  };
  kasuri_thread_t t;
  ASSERT_EQ(kasuri_thread_create(&t, parent, nullptr, KASURI_PARENT_FIRST), KASURI_SUCCESS);
  ASSERT_EQ(kasuri_thread_join(t, nullptr), KASURI_SUCCESS);
  ASSERT_EQ(kasuri_set_steal_function(nullptr, nullptr), KASURI_SUCCESS);
  EXPECT_GT(seen.right, 0);
  EXPECT_GT(seen.taken, 0);
  EXPECT_EQ(seen.wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(workers, c_stealing, testing::Values(2, 4),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace kasuri
