// SPDX-License-Identifier: Apache-2.0
// Workers that make no progress: somebody else takes over what waits behind them. To end at all is
// to pass.

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <kasuri/kasuri.h>
#include <kasuri/kasuri.hpp>
#include <mutex>
#include <thread>
#include <vector>

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
      GetParam(),
      [&flag] {
        while (!flag) std::this_thread::yield();
      },
      [&flag] { flag = true; });
}

/// Threads that meet at a barrier of the system.
struct meeting {
  pthread_barrier_t barrier{};
  int threads = 0;
  std::atomic<int> met{0};
  std::atomic<bool> over{false};
};

void* meet(void* arg) {
  auto& all = *static_cast<meeting*>(arg);
  ::pthread_barrier_wait(&all.barrier);
  ++all.met;
  return nullptr;
}

void* let_them_meet(void* arg) {
  auto& all = *static_cast<meeting*>(arg);
  std::vector<kasuri_thread_t> threads(static_cast<std::size_t>(all.threads));
  for (kasuri_thread_t& t : threads)
    EXPECT_EQ(kasuri_thread_create(&t, meet, arg, KASURI_PARENT_FIRST), KASURI_SUCCESS);
  for (kasuri_thread_t t : threads) EXPECT_EQ(kasuri_thread_join(t, nullptr), KASURI_SUCCESS);
  all.over = true;
  return nullptr;
}

// The monitor lends a token for each stuck worker that it sees in one look: each of them needs a
// thread, also where another one sleeps already.
TEST_P(stuck, at_a_barrier_of_the_system) {
  meeting m;
  m.threads = GetParam() + 4;
  ASSERT_EQ(::pthread_barrier_init(&m.barrier, nullptr, static_cast<unsigned>(m.threads)), 0);
  kasuri_thread_t first;
  ASSERT_EQ(kasuri_thread_create(&first, let_them_meet, &m, KASURI_PARENT_FIRST), KASURI_SUCCESS);
  while (!m.over) ::usleep(1000);  // a thread that waited in the pool would help
  EXPECT_EQ(kasuri_thread_join(first, nullptr), KASURI_SUCCESS);
  EXPECT_EQ(m.met, m.threads);
  ::pthread_barrier_destroy(&m.barrier);
}

// Each task holds the lock for a part of its time, so that the others sleep for it, many times
// between two looks of the monitor: spare threads come at their own pace, and go again.
TEST_P(stuck, where_tasks_contend_for_a_lock_of_the_system) {
  constexpr int rounds = 500;
  constexpr int tasks = 100;
  std::mutex lock;
  std::int64_t value = 0;
  run([&] {
    parallel_for(0, tasks, [&](int) {
      for (int i = 0; i != rounds; ++i) {
        const std::lock_guard hold(lock);
        for (int j = 0; j != 20000; ++j) asm volatile("" : "+r"(value));
        ++value;
      }
    });
  });
  EXPECT_EQ(value, std::int64_t{rounds} * tasks);
}

// A thread outside of the pool holds the lock until the oldest task sets the flag.
TEST_P(stuck, at_a_lock_of_the_system_whose_holder_waits_for_a_task) {
  std::mutex lock;
  std::atomic<bool> held{false};
  std::atomic<bool> flag{false};
  std::thread holder([&] {
    const std::lock_guard hold(lock);
    held = true;
    while (!flag) ::usleep(1000);
  });
  while (!held) std::this_thread::yield();
  std::atomic<int> ran{0};
  run([&] {
    task_group g;
    g.run([&] { flag = true; });  // the oldest, which nobody reaches while all others wait
    for (int i = 0; i != GetParam() + 4; ++i)
      g.run([&] {
        const std::lock_guard hold(lock);
        ++ran;
      });
    g.wait();
  });
  holder.join();
  EXPECT_EQ(ran, GetParam() + 4);
}

/// CPUs that the calling thread may run on.
int cpus_allowed() {
  cpu_set_t set;
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
}

// A thread that runs besides the configured workers has no processor of its own: all but GetParam()
// of the tasks below share one with another, as long as they run at the same time.
TEST_P(stuck, who_runs_for_a_worker_that_computes_shares_its_processor) {
  const int usual = cpus_allowed();
  if (usual < 2) GTEST_SKIP() << "one processor";
  const int workers = GetParam();
  // Again where the worker slept for once when the monitor looked: then it needed no processor.
  constexpr int most_rounds = 5;
  std::atomic<int> with_usual{workers + 1};
  for (int round = 0; round != most_rounds && with_usual > workers; ++round) {
    std::atomic<int> at_once{0};
    std::atomic<int> looked{0};
    with_usual = 0;
    run([&] {
      task_group g;
      for (int i = 0; i != workers + 1; ++i)
        g.run([&] {
          ++at_once;
          while (at_once < workers + 1) std::this_thread::yield();  // the last is on a lent token
          with_usual += cpus_allowed() == usual ? 1 : 0;
          ++looked;
          while (looked != workers + 1) std::this_thread::yield();
        });
      g.wait();
    });
  }
  EXPECT_LE(with_usual, workers);
  // What runs now is nothing but configured workers again.
  for (bool again = true; again;) {
    std::atomic<bool> shares{false};
    parallel_for(0, 64, [&](int) {
      if (cpus_allowed() != usual) shares = true;
    });
    again = shares;
  }
}

/// The processors that some tasks may run on, which say so again and again.
class allowed_processors {
 public:
  explicit allowed_processors(int tasks) : said_(static_cast<std::size_t>(tasks)) {}

  void say(int task) {
    const std::lock_guard hold(lock_);
    report& r = said_[static_cast<std::size_t>(task)];
    ::sched_getaffinity(0, sizeof r.set, &r.set);
    ++r.times;
    if (std::ranges::any_of(said_, [this](const report& each) { return each.times < seen_ + 1; }))
      return;
    seen_ = std::ranges::min(said_, {}, &report::times).times;
    cpu_set_t all;
    CPU_ZERO(&all);
    for (const report& each : said_) CPU_OR(&all, &all, &each.set);
    counts_.push_back(CPU_COUNT(&all));
  }

  /// Whether all tasks together had `wanted` or more, `times` times in a row.
  bool had(int wanted, std::size_t times) {
    const std::lock_guard hold(lock_);
    return counts_.size() >= times &&
           std::ranges::all_of(counts_.end() - static_cast<std::ptrdiff_t>(times), counts_.end(),
                               [=](int n) { return n >= wanted; });
  }

 private:
  struct report {
    cpu_set_t set;
    long times = 0;
  };
  std::mutex lock_;
  std::vector<report> said_;
  long seen_ = 0;  // how often all have said it
  std::vector<int> counts_;
};

// Threads that share a processor leave the others to the configured workers: the masks of the tasks
// that run at one time hold, together, as many processors as there are workers. The monitor sees to
// it at its next looks.
TEST_P(stuck, who_shares_a_processor_leaves_the_others_to_the_configured_workers) {
  const int usual = cpus_allowed();
  if (usual < 2) GTEST_SKIP() << "one processor";
  const int workers = GetParam();
  for (int round = 0; round != 5; ++round) {
    std::atomic<int> at_once{0};
    std::atomic<bool> over{false};
    allowed_processors processors(workers + 1);
    run([&] {
      task_group g;
      for (int i = 0; i != workers + 1; ++i)
        g.run([&, i] {
          ++at_once;
          while (at_once < workers + 1) std::this_thread::yield();  // the last is on a lent token
          while (!over) {
            processors.say(i);
            if (processors.had(std::min(workers, usual), 100)) over = true;
            std::this_thread::yield();
          }
        });
      g.wait();
    });
  }
}

// A thread that a task starts on a lent thread does not keep that one's one processor.
TEST_P(stuck, a_thread_started_by_who_shares_a_processor_gets_all_of_them) {
  const int usual = cpus_allowed();
  if (usual < 2) GTEST_SKIP() << "one processor";
  const int workers = GetParam();
  std::atomic<int> running{0};
  std::atomic<bool> over{false};
  std::vector<std::thread> started(static_cast<std::size_t>(workers) + 1);
  std::atomic<int> with_usual{0};
  run([&] {
    task_group g;
    for (std::size_t i = 0; i != started.size(); ++i)
      g.run([&, i] {
        ++running;
        while (running < workers + 1) std::this_thread::yield();
        started[i] = std::thread([&] {
          while (!over) std::this_thread::yield();
          while (cpus_allowed() != usual) std::this_thread::yield();
          ++with_usual;
        });
      });
    g.wait();
  });
  over = true;
  for (std::thread& t : started) t.join();
  EXPECT_EQ(with_usual, workers + 1);
}

TEST_P(stuck, in_a_loop_that_yields_the_task) {
  std::atomic<bool> flag{false};
  wait_on_every_worker(
      GetParam(),
      [&flag] {
        while (!flag) this_task::yield();
      },
      [&flag] { flag = true; });
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
      parallel_invoke(
          [&flag] {
            while (!flag) std::this_thread::yield();
          },
          [&flag] { flag = true; });
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

INSTANTIATE_TEST_SUITE_P(workers, stuck, testing::Values(1, 2, 3, 4),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace kasuri::test
