// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <kasuri/kasuri.h>

#include <atomic>

#include "support/crowd.hpp"
#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using c_arenas_of = test::pool_of;

kasuri_arena_t made(int bound, kasuri_priority_t priority = KASURI_PRIORITY_NORMAL) {
  kasuri_arena_t a = nullptr;
  EXPECT_EQ(kasuri_arena_create(&a, bound, priority), KASURI_SUCCESS);
  EXPECT_NE(a, nullptr);
  return a;
}

void visit(void* seen) { static_cast<test::crowd*>(seen)->visit(); }

TEST_P(c_arenas_of, bound_what_is_executed_and_enqueued) {
  for (const int bound : {1, 2, 3}) {
    const kasuri_arena_t a = made(bound);
    test::crowd seen;
    const int turns = test::scaled(200);
    tasks_and_threads(4, 2, [&](int i) {
      for (int k = 0; k != turns; ++k)
        EXPECT_EQ(i % 2 == 0 ? kasuri_arena_enqueue(a, visit, &seen)
                             : kasuri_arena_execute(a, visit, &seen),
                  KASURI_SUCCESS);
    });
    EXPECT_EQ(kasuri_arena_destroy(a), KASURI_SUCCESS);
    EXPECT_EQ(seen.visits(), 6 * turns);
    EXPECT_LE(seen.most(), bound);
  }
}

TEST_P(c_arenas_of, bound_the_threads_and_loops_that_are_made_inside) {
  const kasuri_arena_t a = made(2);
  test::crowd seen;
  const auto inside = [](void* to) {
    kasuri_thread_t threads[20];
    const auto main = [](void* crowd) -> void* {
      visit(crowd);
      return nullptr;
    };
    for (kasuri_thread_t& t : threads)
      EXPECT_EQ(kasuri_thread_create(&t, main, to, KASURI_PARENT_FIRST), KASURI_SUCCESS);
    const auto piece = [](int64_t begin, int64_t end, void* crowd) {
      for (; begin != end; ++begin) visit(crowd);
    };
    EXPECT_EQ(kasuri_parallel_for(0, 100, 0, piece, to), KASURI_SUCCESS);
    for (kasuri_thread_t t : threads) EXPECT_EQ(kasuri_thread_join(t, nullptr), KASURI_SUCCESS);
  };
  EXPECT_EQ(kasuri_arena_execute(a, inside, &seen), KASURI_SUCCESS);
  EXPECT_EQ(seen.visits(), 120);
  EXPECT_LE(seen.most(), 2);
  EXPECT_EQ(kasuri_arena_destroy(a), KASURI_SUCCESS);
}

TEST_P(c_arenas_of, run_what_is_enqueued_before_they_end) {
  for (const kasuri_priority_t p :
       {KASURI_PRIORITY_LOW, KASURI_PRIORITY_NORMAL, KASURI_PRIORITY_HIGH}) {
    const kasuri_arena_t a = made(0, p);
    std::atomic<int> ran{0};
    const auto count = [](void* n) { ++*static_cast<std::atomic<int>*>(n); };
    for (int i = 0; i != 100; ++i) EXPECT_EQ(kasuri_arena_enqueue(a, count, &ran), KASURI_SUCCESS);
    EXPECT_EQ(kasuri_arena_destroy(a), KASURI_SUCCESS);
    EXPECT_EQ(ran, 100);
  }
}

TEST_P(c_arenas_of, say_their_bound) {
  const kasuri_arena_t three = made(3);
  const kasuri_arena_t any = made(0, KASURI_PRIORITY_HIGH);
  EXPECT_EQ(kasuri_arena_max_concurrency(three), 3);
  EXPECT_EQ(kasuri_arena_max_concurrency(any), kasuri_num_workers());
  EXPECT_EQ(kasuri_arena_max_concurrency(nullptr), 0);
  EXPECT_EQ(kasuri_arena_destroy(three), KASURI_SUCCESS);
  EXPECT_EQ(kasuri_arena_destroy(any), KASURI_SUCCESS);
}

TEST_P(c_arenas_of, refuse_what_cannot_be) {
  const auto nothing = [](void*) {};
  kasuri_arena_t a = nullptr;
  EXPECT_EQ(kasuri_arena_create(nullptr, 1, KASURI_PRIORITY_NORMAL), KASURI_ERROR_INVALID);
  for (const int bound : {-1, 2049})
    EXPECT_EQ(kasuri_arena_create(&a, bound, KASURI_PRIORITY_NORMAL), KASURI_ERROR_INVALID);
  for (const int priority : {-2, 2})
    EXPECT_EQ(kasuri_arena_create(&a, 1, static_cast<kasuri_priority_t>(priority)),
              KASURI_ERROR_INVALID);
  EXPECT_EQ(a, nullptr);
  EXPECT_EQ(kasuri_arena_destroy(nullptr), KASURI_ERROR_INVALID);
  EXPECT_EQ(kasuri_arena_execute(nullptr, nothing, nullptr), KASURI_ERROR_INVALID);
  EXPECT_EQ(kasuri_arena_enqueue(nullptr, nothing, nullptr), KASURI_ERROR_INVALID);
  a = made(1);
  EXPECT_EQ(kasuri_arena_execute(a, nullptr, nullptr), KASURI_ERROR_INVALID);
  EXPECT_EQ(kasuri_arena_enqueue(a, nullptr, nullptr), KASURI_ERROR_INVALID);
  EXPECT_EQ(kasuri_arena_destroy(a), KASURI_SUCCESS);
}

TEST_P(c_arenas_of, do_not_end_while_somebody_is_inside) {
  struct {
    kasuri_arena_t arena;
    kasuri_sem_t go_on;
    std::atomic<bool> inside;
  } x{made(2), {}, false};
  ASSERT_EQ(kasuri_sem_init(&x.go_on, 0), KASURI_SUCCESS);
  const auto waits = [](void* arg) {
    auto& all = *static_cast<decltype(x)*>(arg);
    EXPECT_EQ(kasuri_arena_destroy(all.arena), KASURI_ERROR_DEADLOCK);
    all.inside = true;
    EXPECT_EQ(kasuri_sem_acquire(&all.go_on), KASURI_SUCCESS);
  };
  tasks(2, [&](int i) {
    if (i == 0) {
      EXPECT_EQ(kasuri_arena_execute(x.arena, waits, &x), KASURI_SUCCESS);
    } else {
      while (!x.inside) this_task::yield();
      EXPECT_EQ(kasuri_arena_destroy(x.arena), KASURI_ERROR_BUSY);
      EXPECT_EQ(kasuri_sem_release(&x.go_on, 1), KASURI_SUCCESS);
    }
  });
  EXPECT_EQ(kasuri_arena_destroy(x.arena), KASURI_SUCCESS);
  EXPECT_EQ(kasuri_sem_destroy(&x.go_on), KASURI_SUCCESS);
}

INSTANTIATE_TEST_SUITE_P(workers, c_arenas_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
