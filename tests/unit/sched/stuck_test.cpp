// SPDX-License-Identifier: Apache-2.0
// Workers that make no progress: somebody else takes over what waits behind them. To end at all is
// to pass.

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <kasuri/kasuri.hpp>
#include <thread>

namespace kasuri::test {
namespace {

class stuck : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { initialize({.workers = GetParam()}); }
  void TearDown() override { finalize(); }
};

struct pipe_ends {
  int read_end = -1;
  int write_end = -1;
  pipe_ends() {
    int ends[2];
    if (::pipe(ends) == 0) {
      read_end = ends[0];
      write_end = ends[1];
    }
  }
  ~pipe_ends() {
    ::close(read_end);
    ::close(write_end);
  }
};

template <class Wait, class Go>
void wait_on_every_worker(int workers, Wait wait, Go go) {
  run([&] {
    task_group g;
    std::atomic<int> waiting{0};
    g.run([&] { go(); });  // the oldest, which nobody reaches while all others wait
    for (int i = 0; i != workers + 1; ++i)
      g.run([&] {
        ++waiting;
        wait();
      });
    g.wait();
    EXPECT_EQ(waiting, workers + 1);
  });
}

TEST_P(stuck, in_a_system_call) {
  const pipe_ends p;
  wait_on_every_worker(
      GetParam(),
      [&p] {
        char c = 0;
        EXPECT_EQ(::read(p.read_end, &c, 1), 1);
      },
      [&p] {
        for (int i = 0; i != GetParam() + 1; ++i) EXPECT_EQ(::write(p.write_end, "x", 1), 1);
      });
}

TEST_P(stuck, in_a_loop_without_scheduling_points) {
  std::atomic<bool> flag{false};
  wait_on_every_worker(
      GetParam(), [&flag] { while (!flag) std::this_thread::yield(); }, [&flag] { flag = true; });
}

TEST_P(stuck, in_a_loop_that_yields_the_task) {
  std::atomic<bool> flag{false};
  wait_on_every_worker(
      GetParam(), [&flag] { while (!flag) this_task::yield(); }, [&flag] { flag = true; });
}

TEST_P(stuck, in_announced_blocking) {
  const pipe_ends p;
  wait_on_every_worker(
      GetParam(),
      [&p] {
        char c = 0;
        EXPECT_EQ(blocking([&] { return ::read(p.read_end, &c, 1); }), 1);
      },
      [&p] {
        for (int i = 0; i != GetParam() + 1; ++i) EXPECT_EQ(::write(p.write_end, "x", 1), 1);
      });
}

// The first closure does not return before the second, which lies in its own worker's deque, ran.
TEST_P(stuck, a_thief_gets_the_task_of_an_owner_in_a_long_leaf) {
  std::atomic<bool> flag{false};
  for (int i = 0; i != 20; ++i) {
    flag = false;
    run([&flag] {
      parallel_invoke([&flag] { while (!flag) std::this_thread::yield(); }, [&flag] { flag = true; });
    });
  }
}

TEST_P(stuck, a_guest_waits_for_a_token_behind_a_stuck_worker) {
  std::atomic<bool> flag{false};
  std::atomic<int> inside{0};
  std::thread guest;
  run([&] {
    task_group g;
    for (int i = 0; i != GetParam(); ++i)
      g.run([&] {
        ++inside;
        while (!flag) std::this_thread::yield();
      });
    guest = std::thread([&] { run([&] { flag = true; }); });
    while (!flag) std::this_thread::yield();
    g.wait();
  });
  guest.join();
}

// What the monitor lent for a stuck worker ends with the pool.
TEST(stuck_then_finalized, the_next_pool_has_all_its_tokens) {
  for (int turn = 0; turn != 8; ++turn) {
    initialize({.workers = 1});
    std::atomic<bool> flag{false};
    run([&flag] {
      task_group g;
      g.run([&flag] { flag = true; });
      while (!flag) std::this_thread::yield();
      g.wait();
    });
    finalize();
    initialize({.workers = 1});
    std::atomic<int> done{0};
    run([&done] {
      task_group g;
      for (int i = 0; i != 100; ++i) g.run([&done] { ++done; });
      // Long enough for the monitor to look a few times.
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      g.wait();
    });
    run([] { this_task::yield(); });
    EXPECT_EQ(done, 100);
    finalize();
  }
}

INSTANTIATE_TEST_SUITE_P(workers, stuck, testing::Values(1, 2, 4),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace kasuri::test
