// SPDX-License-Identifier: Apache-2.0
// User-level threads, local values and loops of the C interface.
#include <gtest/gtest.h>
#include <kasuri/kasuri.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <thread>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using c_threads_of = test::pool_of;

void* yield_and_return(void* argument) {
  kasuri_yield();
  return argument;
}

TEST_P(c_threads_of, each_gives_its_result) {
  for (const kasuri_spawn_t policy : {KASURI_PARENT_FIRST, KASURI_CHILD_FIRST}) {
    std::vector<kasuri_thread_t> threads(static_cast<std::size_t>(test::scaled(20'000)));
    for (kasuri_thread_t& t : threads)
      ASSERT_EQ(kasuri_thread_create(&t, yield_and_return, &t, policy), KASURI_SUCCESS);
    for (kasuri_thread_t& t : threads) {
      void* result = nullptr;
      ASSERT_EQ(kasuri_thread_join(t, &result), KASURI_SUCCESS);
      ASSERT_EQ(result, &t);
    }
  }
}

TEST_P(c_threads_of, one_may_detach_itself) {
  static std::atomic<int> ended;
  ended = 0;
  const auto leave = [](void*) -> void* {
    EXPECT_EQ(kasuri_thread_detach(kasuri_thread_self()), KASURI_SUCCESS);
    kasuri_yield();
    ++ended;
    return nullptr;
  };
  for (int i = 0; i != 100; ++i) {
    kasuri_thread_t t;
    ASSERT_EQ(kasuri_thread_create(&t, leave, nullptr, i % 2), KASURI_SUCCESS);
  }
  while (ended != 100) std::this_thread::yield();
}

TEST_P(c_threads_of, join_refuses_what_another_joins_and_itself) {
  static kasuri_sem_t end;
  ASSERT_EQ(kasuri_sem_init(&end, 0), KASURI_SUCCESS);
  const auto wait = [](void*) -> void* {
    EXPECT_EQ(kasuri_thread_join(kasuri_thread_self(), nullptr), KASURI_ERROR_DEADLOCK);
    kasuri_sem_acquire(&end);
    return nullptr;
  };
  kasuri_thread_t t;
  ASSERT_EQ(kasuri_thread_create(&t, wait, nullptr, KASURI_PARENT_FIRST), KASURI_SUCCESS);
  std::atomic<int> refused{0};
  tasks(2, [&](int) {
    // Whoever comes second is told so, and lets the thread end, which the first one waits for.
    if (kasuri_thread_join(t, nullptr) == KASURI_ERROR_BUSY) {
      ++refused;
      kasuri_sem_release(&end, 1);
    }
  });
  EXPECT_EQ(refused, 1);
}

TEST_P(c_threads_of, values_are_each_thread_s_own_and_are_destroyed_with_it) {
  static kasuri_key_t key;
  static std::atomic<int> destroyed;
  destroyed = 0;
  ASSERT_EQ(kasuri_key_create(&key, [](void*) { ++destroyed; }), KASURI_SUCCESS);
  const auto body = [](void* mine) -> void* {
    EXPECT_EQ(kasuri_key_get(key), nullptr);
    EXPECT_EQ(kasuri_key_set(key, mine), KASURI_SUCCESS);
    kasuri_yield();
    EXPECT_EQ(kasuri_key_get(key), mine);
    return nullptr;
  };
  std::vector<kasuri_thread_t> threads(100);
  for (kasuri_thread_t& t : threads)
    ASSERT_EQ(kasuri_thread_create(&t, body, &t, KASURI_PARENT_FIRST), KASURI_SUCCESS);
  for (kasuri_thread_t t : threads) ASSERT_EQ(kasuri_thread_join(t, nullptr), KASURI_SUCCESS);
  EXPECT_EQ(destroyed, 100);
  EXPECT_EQ(kasuri_key_delete(key), KASURI_SUCCESS);
}

TEST(c_keys, a_new_key_has_no_value_of_an_older_one) {
  int something = 0;
  kasuri_key_t older;
  ASSERT_EQ(kasuri_key_create(&older, nullptr), KASURI_SUCCESS);
  ASSERT_EQ(kasuri_key_set(older, &something), KASURI_SUCCESS);
  ASSERT_EQ(kasuri_key_delete(older), KASURI_SUCCESS);
  EXPECT_EQ(kasuri_key_get(older), nullptr);
  EXPECT_EQ(kasuri_key_set(older, &something), KASURI_ERROR_INVALID);
  kasuri_key_t newer;
  ASSERT_EQ(kasuri_key_create(&newer, nullptr), KASURI_SUCCESS);
  EXPECT_EQ(kasuri_key_get(newer), nullptr);
  EXPECT_EQ(kasuri_key_delete(newer), KASURI_SUCCESS);
}

TEST(c_keys, too_many_are_refused) {
  std::vector<kasuri_key_t> keys;
  kasuri_key_t key;
  int error;
  while ((error = kasuri_key_create(&key, nullptr)) == KASURI_SUCCESS) keys.push_back(key);
  EXPECT_EQ(error, KASURI_ERROR_AGAIN);
  EXPECT_GE(keys.size(), 100u);
  for (const kasuri_key_t k : keys) EXPECT_EQ(kasuri_key_delete(k), KASURI_SUCCESS);
}

struct covered {
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> indices{0};
};

void cover(std::int64_t begin, std::int64_t end, void* arg) {
  auto* c = static_cast<covered*>(arg);
  ++c->calls;
  c->indices += static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
}

TEST_P(c_threads_of, loops_cover_every_range_once) {
  const struct {
    std::int64_t begin, end, grain;
    std::uint64_t calls, indices;  // calls: 0 where the library chooses
  } loops[] = {
      {0, 0, 0, 0, 0},
      {7, 8, 0, 1, 1},
      {-5, 5, 3, 4, 10},
      {0, 10, INT64_MAX, 1, 10},
      {0, std::int64_t{1} << 40, 0, 0, std::uint64_t{1} << 40},
      {INT64_MAX - 5, INT64_MAX, 2, 3, 5},
      {0, INT64_MAX, 0, 0, INT64_MAX},
      {INT64_MIN, INT64_MAX, 0, 0, UINT64_MAX},
      {INT64_MIN, INT64_MAX, INT64_MAX, 3, UINT64_MAX},
  };
  for (const auto& l : loops) {
    covered c;
    EXPECT_EQ(kasuri_parallel_for(l.begin, l.end, l.grain, cover, &c), KASURI_SUCCESS);
    EXPECT_EQ(c.indices, l.indices) << l.begin << ' ' << l.end << ' ' << l.grain;
    EXPECT_TRUE(l.calls == 0 || c.calls == l.calls) << c.calls;
  }
  EXPECT_EQ(kasuri_parallel_for(1, 0, 0, cover, nullptr), KASURI_ERROR_INVALID);
  EXPECT_EQ(kasuri_parallel_for(0, 1, -1, cover, nullptr), KASURI_ERROR_INVALID);
  EXPECT_EQ(kasuri_parallel_for(0, 1, 0, nullptr, nullptr), KASURI_ERROR_INVALID);
}

INSTANTIATE_TEST_SUITE_P(workers, c_threads_of, testing::Values(1, 2, 5));

}  // namespace
}  // namespace kasuri
