// SPDX-License-Identifier: Apache-2.0
// Fork-join of the C interface, and tasks that keep their OS thread.
#include <gtest/gtest.h>
#include <kasuri/kasuri.h>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

class c_invoke : public test::pool_of {};

// OS threads by the kernel's number: compilers take pthread_self for constant in a function.

struct sum {
  int n;
  long result;
  std::atomic<int>* moved;  // null: nobody counts
};

/// fib(n) by the C interface; with `moved` each call keeps its OS thread and looks whether it did.
void fib(void* arg);

void fork(void* arg) {
  auto& s = *static_cast<sum*>(arg);
  sum a{s.n - 1, 0, s.moved};
  sum b{s.n - 2, 0, s.moved};
  const pid_t here = gettid();
  ASSERT_EQ(kasuri_invoke(fib, &a, fib, &b), KASURI_SUCCESS);
  if (s.moved != nullptr && gettid() != here) ++*s.moved;
  s.result = a.result + b.result;
}

void fib(void* arg) {
  auto& s = *static_cast<sum*>(arg);
  if (s.n < 2) {
    s.result = s.n;
    // Long enough for others to take something meanwhile, so that who forked has to wait.
    if (s.moved != nullptr) std::this_thread::sleep_for(std::chrono::microseconds(20));
    return;
  }
  if (s.moved == nullptr) return fork(arg);
  ASSERT_EQ(kasuri_keep_os_thread(fork, arg), KASURI_SUCCESS);
}

TEST_P(c_invoke, calls_both) {
  sum s{20, 0, nullptr};
  fib(&s);
  EXPECT_EQ(s.result, 6765);
}

TEST_P(c_invoke, refuses_null) {
  const auto nothing = [](void*) {};
  EXPECT_EQ(kasuri_invoke(nullptr, nullptr, nothing, nullptr), KASURI_ERROR_INVALID);
  EXPECT_EQ(kasuri_invoke(nothing, nullptr, nullptr, nullptr), KASURI_ERROR_INVALID);
  EXPECT_EQ(kasuri_keep_os_thread(nullptr, nullptr), KASURI_ERROR_INVALID);
}

TEST_P(c_invoke, a_task_keeps_its_os_thread_at_joins) {
  std::atomic<int> moved{0};
  for (int i = 0; i != test::scaled(20); ++i) {
    sum s{10, 0, &moved};
    run([&] { fib(&s); });
    ASSERT_EQ(s.result, 55);
  }
  EXPECT_EQ(moved, 0);
}

TEST_P(c_invoke, a_task_keeps_its_os_thread_at_every_wait) {
  static std::atomic<int> moved;
  moved = 0;
  tasks(test::scaled(50), [](int) {
    const auto wait = [](void*) {
      const pid_t here = gettid();
      const auto look = [&] { moved += gettid() != here ? 1 : 0; };
      kasuri_yield();
      look();
      ASSERT_EQ(kasuri_sleep_ns(1000), KASURI_SUCCESS);
      look();
      kasuri_thread_t child;
      const auto answer = [](void* arg) -> void* {
        kasuri_yield();
        return arg;
      };
      for (const kasuri_spawn_t policy : {KASURI_PARENT_FIRST, KASURI_CHILD_FIRST}) {
        ASSERT_EQ(kasuri_thread_create(&child, answer, nullptr, policy), KASURI_SUCCESS);
        look();
        ASSERT_EQ(kasuri_thread_join(child, nullptr), KASURI_SUCCESS);
        look();
      }
      ASSERT_EQ(kasuri_blocking(answer, nullptr, nullptr), KASURI_SUCCESS);
      look();
      const auto piece = [](std::int64_t, std::int64_t, void*) { std::this_thread::yield(); };
      ASSERT_EQ(kasuri_parallel_for(0, 100, 1, piece, nullptr), KASURI_SUCCESS);
      look();
    };
    kasuri_keep_os_thread(wait, nullptr);
  });
  EXPECT_EQ(moved, 0);
}

TEST_P(c_invoke, what_ends_lets_the_stack_move_again) {
  // Threads that all wait for each other: if each kept an OS thread they would need a thousand.
  static kasuri_latch_t all;
  constexpr std::uint32_t many = 1000;
  ASSERT_EQ(kasuri_latch_init(&all, many), KASURI_SUCCESS);
  tasks(many, [](int) {
    kasuri_keep_os_thread([](void*) { kasuri_yield(); }, nullptr);
    kasuri_latch_count_down(&all, 1);
    kasuri_latch_wait(&all);
  });
  EXPECT_EQ(kasuri_latch_destroy(&all), KASURI_SUCCESS);
}

INSTANTIATE_TEST_SUITE_P(workers, c_invoke, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
