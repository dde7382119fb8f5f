// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <atomic>
#include <stdexcept>
#include <thread>

#include "sched/pool.hpp"
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

INSTANTIATE_TEST_SUITE_P(workers, blocking_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
