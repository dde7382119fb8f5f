// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "kasuri/kasuri.h"
#include "kasuri/kasuri.hpp"
#include "sched/pool/pool.hpp"
#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using blocking_of = test::pool_of;

// The reader blocks in the kernel until a task that waits writes: on one worker that needs another
// OS thread.
TEST_P(blocking_of, others_run_meanwhile) {
  for (int k = 0; k != test::scaled(50); ++k) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    std::atomic<char> got{0};
    run([&] {
      task_group group;
      group.run([&] {
        for (int i = 0; i != GetParam(); ++i) EXPECT_EQ(write(ends[1], "x", 1), 1);
      });
      // Newer tasks run first: with as many readers as workers nobody is left for the writer.
      for (int i = 0; i != GetParam(); ++i)
        group.run([&] {
          const ssize_t n = blocking([&] {
            char c = 0;
            const ssize_t r = read(ends[0], &c, 1);
            got = c;
            return r;
          });
          EXPECT_EQ(n, 1);
        });
      group.wait();
    });
    EXPECT_EQ(got.load(), 'x');
    close(ends[0]);
    close(ends[1]);
  }
}

TEST_P(blocking_of, passes_results_and_exceptions) {
  int x = 0;
  EXPECT_EQ(blocking([] { return 5; }), 5);  // outside
  run([&] {
    EXPECT_EQ(&blocking([&]() -> int& { return x; }), &x);
    EXPECT_THROW(blocking([] { throw std::runtime_error("interrupted"); }), std::runtime_error);
    blocking([&] { x = 3; });
  });
  EXPECT_EQ(x, 3);
}

// Each section gives back what it was lent. The monitor may have lent something too; it takes that
// back by itself.
TEST_P(blocking_of, leaves_the_number_of_workers_as_it_was) {
  tasks(100, [](int i) {
    blocking([] {});
    if (i % 10 == 0) {
      EXPECT_THROW(blocking([] { throw 1; }), int);
    }
  });
  const auto tokens = [] { return static_cast<int>(sched::pool::get().counts().limit); };
  while (tokens() > GetParam()) std::this_thread::yield();
  EXPECT_EQ(tokens(), GetParam());
}

// More calls at once than there may be workers' slots of any kind: none of them takes one.
TEST_P(blocking_of, thousands_are_inside_at_once) {
  const int calls = test::scaled(2000);
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  std::atomic<int> inside{0};
  std::atomic<int> got{0};
  run([&] {
    task_group group;
    for (int i = 0; i != calls; ++i)
      group.run([&] {
        const ssize_t n = blocking([&] {
          ++inside;
          char c = 0;
          return read(ends[0], &c, 1);
        });
        got += static_cast<int>(n);
      });
    group.run([&] {
      while (inside != calls) this_task::yield();
      for (int i = 0; i != calls; ++i) EXPECT_EQ(write(ends[1], "x", 1), 1);
    });
    group.wait();
  });
  EXPECT_EQ(got, calls);
  close(ends[0]);
  close(ends[1]);
}

// Compilers keep the address of errno for as long as a function lasts; the OS thread may change
// meanwhile.
[[gnu::noinline]] int error_now() { return errno; }
[[gnu::noinline]] void set_error(int e) { errno = e; }

// A task leaves its worker and comes back with what is its own.
TEST_P(blocking_of, keeps_errno_and_the_exceptions_of_the_task) {
  std::atomic<int> right{0};
  tasks(100, [&right](int i) {
    try {
      throw i;
    } catch (int) {
      set_error(i + 1);
      const int seen = blocking([i] {
        const int before = error_now();
        set_error(1000 + i);
        return before;
      });
      const int after = error_now();
      try {
        throw;  // what is being handled is the task's still
      } catch (int again) {
        if (seen == i + 1 && after == 1000 + i && again == i) ++right;
      }
    }
  });
  EXPECT_EQ(right, 100);
}

// Calls within calls, and Kasuri within them: there the thread is one from outside.
TEST_P(blocking_of, may_use_the_pool_inside) {
  std::atomic<int> sum{0};
  mutex m;
  tasks(20, [&](int) {
    blocking([&] {
      blocking([&] { parallel_for(0, 10, [&](int k) { sum += k; }); });
      const std::lock_guard hold(m);
      ++sum;
    });
  });
  EXPECT_EQ(sum, 20 * 46);
}

// The pool ends when the calls have, and the tasks that made them.
TEST(blocking_then_finalized, tasks_that_nobody_waits_for_end_first) {
  for (int turn = 0; turn != test::scaled(20); ++turn) {
    initialize({.workers = 2});
    std::atomic<int> ended{0};
    std::array<kasuri_thread_t, 4> threads{};
    for (auto& t : threads) {
      const auto body = [](void* arg) -> void* {
        blocking([] { std::this_thread::yield(); });
        ++*static_cast<std::atomic<int>*>(arg);
        return nullptr;
      };
      ASSERT_EQ(kasuri_thread_create(&t, body, &ended, KASURI_PARENT_FIRST), KASURI_SUCCESS);
    }
    for (auto t : threads) ASSERT_EQ(kasuri_thread_detach(t), KASURI_SUCCESS);
    finalize();
    EXPECT_EQ(ended, 4);
  }
}

INSTANTIATE_TEST_SUITE_P(workers, blocking_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
