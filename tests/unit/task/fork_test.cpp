// SPDX-License-Identifier: Apache-2.0
// fork() with a running pool, and the ends of a process: static destructors, atexit.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <kasuri/arena.hpp>
#include <kasuri/kasuri.hpp>
#include <optional>
#include <string>
#include <thread>

#include "support/scale.hpp"

namespace kasuri::test {
namespace {

int fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = parallel_invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

/// How a child ended, and what it said.
struct end_of_child {
  int code;  // or -1
  std::string said;
};

/// Forks; the child goes on from here, the parent has the child's end. A child that hangs has code
/// -1.
std::optional<end_of_child> fork_here() {
  int ends[2];
  if (::pipe(ends) != 0) return end_of_child{-1, "no pipe"};
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::alarm(500);
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    return std::nullopt;
  }
  ::close(ends[1]);
  end_of_child r{-1, {}};
  char buffer[512];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    r.said.append(buffer, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (WIFEXITED(status)) r.code = WEXITSTATUS(status);
  return r;
}

constexpr int gave_up = 2;  // of a child that could not go on

void expect_one_line(const end_of_child& end) {
  EXPECT_NE(end.said.find("kasuri: the child of a fork cannot go on"), std::string::npos)
      << end.said;
  EXPECT_EQ(std::ranges::count(end.said, '\n'), 1) << end.said;
}

/// Runs f in a forked child; the child's exit status, or -1.
template <class F>
int in_child(F f) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::alarm(500);
    f();
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class forks : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    // A lock of theirs that another thread holds stays locked in the child, and ThreadSanitizer
    // takes the child's threads for its parent's.
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

/// The child has a permit of the arena that it was born in, and makes arenas of its own.
TEST_P(forks, from_inside_an_arena) {
  const auto child = [] {
    const bool inside = fib(12) == 144;  // in the arena of the parent, whose worker this is
    std::atomic<int> ran{0};
    bool mine_runs = false;
    {
      arena mine(2);
      for (int t = 0; t != 20; ++t) mine.enqueue([&ran] { ran += fib(6) == 8; });
      mine_runs = mine.execute([] { return fib(12); }) == 144;
    }
    ::_exit(inside && mine_runs && ran == 20 ? 7 : 1);
  };
  for (const int bound : {1, 2, 3}) {
    arena a(bound);
    for (int i = 0; i != scaled(10); ++i) {
      a.execute([&] { EXPECT_EQ(in_child(child), 7); });
      run([&] { a.execute([&] { EXPECT_EQ(in_child(child), 7); }); });
      a.enqueue([&] { EXPECT_EQ(in_child(child), 7); });
      EXPECT_EQ(a.execute([] { return fib(10); }), 55);  // the parent goes on
    }
  }
}

TEST_P(forks, a_child_that_returns_from_execute_goes_on_outside_of_the_arena) {
  for (int i = 0; i != scaled(20); ++i) {
    arena a(1);
    const auto end = a.execute([] { return fork_here(); });
    if (!end.has_value()) ::_exit(fib(12) == 144 && num_workers() == GetParam() ? 7 : 1);
    EXPECT_EQ(end->code, 7) << end->said;
  }
}

/// Others are in the arena, and wait for it, while the parent forks outside of it.
TEST_P(forks, while_an_arena_is_full) {
  arena a(1);
  std::atomic<bool> stop{false};
  for (int t = 0; t != 4; ++t)
    a.enqueue([&stop] {
      while (!stop) fib(8);
    });
  for (int i = 0; i != scaled(10); ++i)
    EXPECT_EQ(in_child([] {
                arena mine(1);
                ::_exit(mine.execute([] { return fib(12); }) == 144 ? 7 : 1);
              }),
              7);
  stop = true;
}

TEST_P(forks, from_a_task_that_a_thief_may_be_asking) {
  for (int i = 0; i != scaled(300); ++i)
    EXPECT_EQ(async([] { return in_child([] { ::_exit(fib(12) == 144 ? 7 : 1); }); }).get(), 7);
}

TEST_P(forks, a_child_that_returns_from_a_task_of_the_pool_ends_with_a_line) {
  for (int i = 0; i != scaled(20); ++i) {
    std::optional<end_of_child> end;
    // Other tasks of the parent are not for the child.
    task_group others;
    for (int t = 0; t != 20; ++t) others.run([] { fib(8); });
    async([&end] { end = fork_here(); }).get();
    others.wait();
    ASSERT_TRUE(end.has_value()) << "only the parent may come here";
    EXPECT_EQ(end->code, gave_up);
    expect_one_line(*end);
  }
}

TEST_P(forks, a_child_that_returns_on_the_callers_stack_goes_on) {
  for (int i = 0; i != scaled(20); ++i) {
    const auto end = run([] {
      fib(8);
      return fork_here();
    });
    if (!end.has_value()) ::_exit(fib(12) == 144 && num_workers() == GetParam() ? 7 : 1);
    EXPECT_EQ(end->code, 7) << end->said;
  }
}

TEST_P(forks, a_child_that_waits_for_queued_tasks_runs_them_alone_or_ends_with_a_line) {
  for (int i = 0; i != scaled(100); ++i) {
    std::atomic<int> ran{0};
    const auto end = run([&ran] {
      task_group g;
      for (int t = 0; t != 50; ++t) g.run([&ran] { ran += fib(6) == 8; });
      auto forked = fork_here();
      g.wait();
      return forked;
    });
    if (!end.has_value()) ::_exit(ran == 50 && fib(12) == 144 ? 7 : 1);
    EXPECT_EQ(ran, 50);
    if (end->code == gave_up)
      expect_one_line(*end);  // a thief had one
    else
      EXPECT_EQ(end->code, 7) << end->said;
  }
}

TEST_P(forks, a_child_of_a_task_blocks_and_is_woken_by_a_thread_of_its_own) {
  run([] {
    EXPECT_EQ(in_child([] {
                semaphore s(0);
                std::thread waker([&s] {
                  fib(10);
                  s.release();
                });
                s.acquire();
                waker.join();
                ::_exit(7);
              }),
              7);
  });
}

TEST_P(forks, while_other_threads_send_tasks_to_places) {
  std::atomic<bool> stop{false};
  const auto send_some = [](int n) {
    std::atomic<int> ran{0};
    task_group g;
    for (int t = 0; t != n; ++t) g.run(at(on_worker(t % 5), [&ran] { ran.fetch_add(1); }));
    g.wait();
    return ran.load();
  };
  std::thread others[3];
  for (std::thread& t : others)
    t = std::thread([&] {
      while (!stop) send_some(20);
    });
  for (int i = 0; i != scaled(25); ++i) {
    EXPECT_EQ(in_child([&] { ::_exit(send_some(20) == 20 && fib(12) == 144 ? 7 : 1); }), 7);
    run([&] {
      EXPECT_EQ(in_child([&] { ::_exit(send_some(20) == 20 && fib(12) == 144 ? 7 : 1); }), 7);
    });
    async([&] {
      EXPECT_EQ(in_child([&] { ::_exit(send_some(20) == 20 && fib(12) == 144 ? 7 : 1); }), 7);
    }).get();
  }
  stop = true;
  for (std::thread& t : others) t.join();
}

TEST_P(forks, the_child_has_no_timers_of_its_parent) {
  std::atomic<int> calls{0};
  task_group sleepers;
  std::atomic<bool> end{false};
  for (int i = 0; i != 20; ++i)
    sleepers.run([&] {
      while (!end) sleep_for(std::chrono::microseconds(200));
    });
  timer often = run_every(std::chrono::microseconds(300), [&] { ++calls; });
  for (int i = 0; i != scaled(20); ++i) {
    const auto child = [&] {
      const int before = calls;
      sleep_for(std::chrono::milliseconds(2));
      semaphore s(0);
      const bool late = !s.try_acquire_for(std::chrono::microseconds(100));
      latch called(1);
      const timer mine = run_after(std::chrono::microseconds(100), [&] { called.count_down(); });
      called.wait();
      async([] { sleep_for(std::chrono::microseconds(100)); }).get();
      often = timer();
      ::_exit(late && calls == before && fib(12) == 144 ? 7 : 1);
    };
    EXPECT_EQ(in_child(child), 7);
    run([&] { EXPECT_EQ(in_child(child), 7); });
  }
  end = true;
  sleepers.wait();
  EXPECT_TRUE(often.cancel());
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
