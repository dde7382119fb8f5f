// SPDX-License-Identifier: Apache-2.0
// fork() with a running pool, and the ends of a process: static destructors, atexit.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <kasuri/kasuri.hpp>
#include <thread>

#include "support/scale.hpp"

namespace kasuri::test {
namespace {

int fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = parallel_invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

/// Runs f in a forked child; the child's exit status, or -1.
template <class F>
int in_child(F f) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::alarm(30);
    f();
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class forks : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    // A lock of theirs that another thread holds stays locked in the child, and ThreadSanitizer takes
    // the child's threads for its parent's.
    if (sanitized) GTEST_SKIP() << "sanitizers do not mind forks while threads run";
    if (emulated) GTEST_SKIP() << "the emulator starts no threads in a forked child";
    initialize({.workers = GetParam()});
    fib(10);
  }
  void TearDown() override { finalize(); }
};

TEST_P(forks, the_child_has_a_pool_of_its_own) {
  for (int i = 0; i != scaled(10); ++i) {
    EXPECT_EQ(in_child([] { ::_exit(fib(16) == 987 ? 7 : 1); }), 7);
    EXPECT_EQ(fib(16), 987);
  }
}

TEST_P(forks, the_child_may_finalize_and_initialize) {
  EXPECT_EQ(in_child([] {
              finalize();
              initialize({.workers = 3});
              const bool right = num_workers() == 3 && fib(16) == 987;
              finalize();
              ::_exit(right ? 7 : 1);
            }),
            7);
}

TEST_P(forks, a_child_of_a_child) {
  EXPECT_EQ(in_child([] {
              const bool mine = fib(12) == 144;
              const int below = in_child([] { ::_exit(fib(14) == 377 ? 7 : 1); });
              ::_exit(mine && below == 7 ? 7 : 1);
            }),
            7);
}

TEST_P(forks, while_other_threads_run_tasks) {
  std::atomic<bool> stop{false};
  std::thread other([&stop] {
    while (!stop) fib(12);
  });
  for (int i = 0; i != scaled(10); ++i)
    EXPECT_EQ(in_child([] { ::_exit(fib(12) == 144 ? 7 : 1); }), 7);
  stop = true;
  other.join();
}

TEST_P(forks, from_inside_a_task) {
  for (int i = 0; i != scaled(10); ++i)
    run([] {
      EXPECT_EQ(in_child([] { ::_exit(fib(12) == 144 ? 7 : 1); }), 7);
      EXPECT_EQ(fib(12), 144);
    });
}

TEST_P(forks, from_a_task_that_a_thief_may_be_asking) {
  for (int i = 0; i != scaled(300); ++i)
    EXPECT_EQ(async([] { return in_child([] { ::_exit(fib(12) == 144 ? 7 : 1); }); }).get(), 7);
}

TEST_P(forks, a_child_of_a_task_takes_signals) {
  run([] {
    task_group g;
    for (int i = 0; i != 4; ++i)
      g.run([] {
        EXPECT_EQ(in_child([] {
                    sigset_t blocked;
                    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
                    ::_exit(sigismember(&blocked, SIGTERM) == 0 ? 7 : 1);
                  }),
                  7);
      });
    g.wait();
  });
}

struct at_the_very_end {
  bool armed = false;
  ~at_the_very_end() {
    if (armed && fib(12) != 144) ::_exit(1);
  }
} last;

TEST_P(forks, use_from_static_destructors_and_atexit_handlers) {
  EXPECT_EQ(in_child([] {
              last.armed = true;
              std::atexit([] {
                if (fib(11) != 89) ::_exit(2);
              });
              fib(10);
              std::exit(7);
            }),
            7);
  EXPECT_EQ(in_child([] {
              last.armed = true;
              fib(10);
              finalize();
              std::exit(7);
            }),
            7);
}

INSTANTIATE_TEST_SUITE_P(workers, forks, testing::Values(1, 2, 4),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace kasuri::test
