// SPDX-License-Identifier: Apache-2.0
// Foreign threads that call in: tokens, their own stacks, their way out.

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <barrier>
#include <kasuri/kasuri.hpp>
#include <thread>
#include <vector>

#include "platform/cpu/cpus.hpp"
#include "sched/pool/pool.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

std::uint64_t spares_lent() {
  std::uint64_t sum = 0;
  for (const worker_counters& c : counters()) sum += c.spares;
  return sum;
}

/// The most of those inside at one time.
class crowd {
 public:
  template <class F>
  void inside(F f) {
    const int now = ++count_;
    int most = most_;
    while (now > most && !most_.compare_exchange_weak(most, now)) {
    }
    f();
    --count_;
  }
  int most() const { return most_; }

 private:
  std::atomic<int> count_{0};
  std::atomic<int> most_{0};
};

void spin() {
  for (int i = 0; i != 200; ++i) asm volatile("");
}

long fib(int n, crowd& c) {
  if (n < 2) {
    c.inside(spin);
    return n;
  }
  const auto [a, b] =
      parallel_invoke([n, &c] { return fib(n - 1, c); }, [n, &c] { return fib(n - 2, c); });
  return a + b;
}

template <class F>
void on_threads(int count, F body) {
  std::vector<std::thread> threads;
  for (int i = 0; i != count; ++i) threads.emplace_back([&body, i] { body(i); });
  for (std::thread& t : threads) t.join();
}

class guests : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { initialize({.workers = GetParam()}); }
  void TearDown() override { finalize(); }
};

TEST_P(guests, no_more_run_than_workers) {
  crowd c;
  const std::uint64_t before = spares_lent();
  on_threads(16, [&c](int) {
    for (int i = 0; i != scaled(20); ++i) ASSERT_EQ(fib(12, c), 144);
  });
  EXPECT_LE(c.most(), GetParam() + static_cast<int>(spares_lent() - before));
}

// While guests keep to their own, the OS thread of each runs what it has forked itself, or nothing.
TEST_P(guests, that_keep_to_their_own_run_nothing_of_others) {
  constexpr int callers = 8;
  sched::pool::all_keep_to_own(true);
  std::array<std::atomic<int>, callers> threads{};
  std::barrier all_known(callers);
  std::atomic<int> strays{0};
  on_threads(callers, [&](int me) {
    threads[static_cast<std::size_t>(me)] = ::gettid();
    all_known.arrive_and_wait();
    for (int round = 0; round != scaled(20); ++round) {
      std::atomic<int> leaves{0};
      parallel_for(0, 200, 1, [&](int) {
        spin();
        const int here = ::gettid();
        for (int other = 0; other != callers; ++other)
          if (other != me && threads[static_cast<std::size_t>(other)] == here) ++strays;
        ++leaves;
      });
      ASSERT_EQ(leaves, 200);
    }
  });
  sched::pool::all_keep_to_own(false);
  EXPECT_EQ(strays, 0);
}

// ... and lets those go first that wait for its token, between its tasks and when it yields.
TEST_P(guests, that_keep_to_their_own_make_room) {
  sched::pool::all_keep_to_own(true);
  for (const bool yields : {false, true}) {
    std::atomic<int> inside{0};
    std::atomic<bool> done{false};
    std::vector<std::thread> callers;
    for (int i = 0; i != GetParam(); ++i)
      callers.emplace_back([&] {
        run([&] {
          ++inside;
          while (!done)
            if (yields)
              this_task::yield();
            else
              parallel_for(0, 10, 1, [](int) { spin(); });
        });
      });
    while (inside != GetParam()) std::this_thread::yield();
    run([&] { done = true; });  // all tokens are in use
    for (std::thread& each : callers) each.join();
    EXPECT_EQ(inside, GetParam());
  }
  sched::pool::all_keep_to_own(false);
}

// A guest whose own stack is suspended works on others' tasks, and takes its own stack back.
TEST_P(guests, that_suspend_come_back_on_their_own_thread) {
  mutex lock;
  long count = 0;
  constexpr int threads = 8;
  const int turns = scaled(300);
  on_threads(threads, [&](int) {
    const pid_t me = gettid();
    for (int i = 0; i != turns; ++i) {
      run([&] {
        lock.lock();
        parallel_invoke([] { this_task::yield(); }, [] { this_task::yield(); });
        ++count;
        lock.unlock();
        EXPECT_EQ(gettid(), me);
      });
    }
  });
  EXPECT_EQ(count, long{threads} * turns);
}

TEST_P(guests, that_wait_for_each_other) {
  constexpr int threads = 6;
  const int turns = scaled(200);
  barrier all(threads);
  std::atomic<int> last{0};
  on_threads(threads, [&](int) {
    for (int i = 0; i != turns; ++i)
      run([&] {
        if (all.arrive_and_wait()) ++last;
        parallel_invoke([] { this_task::yield(); }, [] {});
      });
  });
  EXPECT_EQ(last, turns);
}

// The thief of a fork-join child meets a parent that waits on a guest's own stack.
TEST_P(guests, joins_that_wait_on_a_guests_stack) {
  const int turns = scaled(200);
  on_threads(4, [&](int) {
    for (int i = 0; i != turns; ++i) {
      std::atomic<bool> begun{false};
      const auto [a, b] = parallel_invoke(
          [&begun] {
            for (int n = 0; n != 10 && !begun; ++n) this_task::yield();
            return 1;
          },
          [&begun] {
            begun = true;
            for (int n = 0; n != 3; ++n) this_task::yield();
            return 2;
          });
      ASSERT_EQ(a + b, 3);
    }
  });
}

TEST_P(guests, leave_no_task_behind) {
  constexpr int tasks = 1000;
  std::atomic<int> done{0};
  on_threads(4, [&done](int) {
    std::vector<future<void>> all;
    run([&] {
      for (int n = 0; n != tasks; ++n) all.push_back(async([&done] { ++done; }));
    });
    for (future<void>& f : all) f.get();
  });
  EXPECT_EQ(done, 4 * tasks);
}

// A task that yields in a loop must let the guest go on whose thread runs it.
TEST_P(guests, own_stack_goes_on_although_a_task_yields_for_ever) {
  std::atomic<bool> over{false};
  semaphore ready(0);
  std::thread waker;
  run([&] {
    task_group g;
    for (int i = 0; i != GetParam() + 1; ++i)
      g.run([&over] {
        while (!over) this_task::yield();
      });
    waker = std::thread([&ready] { ready.release(); });
    ready.acquire();
    over = true;
    g.wait();
  });
  waker.join();
}

// Threads of the program that come for short times find a token or bring one: all run, and none is
// left over.
TEST(guests_with_tokens, do_not_wait_for_each_other) {
  initialize({.workers = platform::usable_cpus()});
  sched::pool& p = sched::pool::get();
  const auto usual = p.counts().limit;
  const int threads = platform::usable_cpus() + 3;
  for (int round = 0; round != scaled(50); ++round) {
    std::atomic<int> inside{0};
    on_threads(threads, [&](int) {
      sched::worker& w = p.borrow_worker();
      p.admit(w, sched::pool::no_token::brings_one);
      ++inside;
      while (inside != threads) std::this_thread::yield();
      p.dismiss(w);
      p.give_worker_back(w);
    });
    while (p.counts().limit != usual) std::this_thread::yield();  // of one that stood still, too
    ASSERT_FALSE(p.full_of_guests());
  }
  finalize();
}

// A thread that leaves wakes no worker on the chance that one of the others inside has work, if it
// says that they have none.
TEST(guests_that_leave, wake_nobody_where_all_are_quiet) {
  initialize({.workers = 2});
  sched::pool& p = sched::pool::get();
  bool seen = false;
  while (!seen) {
    while (p.counts().active != 0) std::this_thread::yield();  // all have gone to sleep
    sched::worker& first = p.borrow_worker();
    p.admit(first);
    const auto asleep = p.counts().sleeping;
    const std::uint64_t spares = spares_lent();
    on_threads(1, [&p](int) {
      sched::worker& w = p.borrow_worker();
      p.admit(w);
      p.dismiss(w, sched::pool::all_are_quiet);
      p.give_worker_back(w);
    });
    const sched::idle_counts after = p.counts();
    seen = spares_lent() == spares;  // else one was woken as `first` stands still
    if (seen) {
      EXPECT_EQ(after.sleeping, asleep);
      EXPECT_EQ(after.searching, 0u);
    }
    p.dismiss(first);
    p.give_worker_back(first);
  }
  finalize();
}

// A program whose thread calls in often: nobody else is inside, so there is nothing to be found.
TEST_P(guests, that_leave_an_idle_pool_wake_nobody) {
  const sched::pool& p = sched::pool::get();
  const auto all = p.counts().sleeping;  // an earlier pool may have left more of them
  for (int i = 0; i != 100; ++i) {
    run([] {});
    ASSERT_EQ(p.counts().sleeping, all) << "after call " << i;
    ASSERT_EQ(p.counts().active, 0u) << "after call " << i;
  }
}

// Where fewer workers are configured than there are processors, no more are to be used.
TEST(guests_with_tokens, wait_where_processors_are_to_be_left) {
  if (platform::usable_cpus() < 2) GTEST_SKIP() << "one processor";
  initialize({.workers = 1});
  const std::uint64_t before = spares_lent();
  sched::pool& p = sched::pool::get();
  sched::worker& first = p.borrow_worker();
  p.admit(first, sched::pool::no_token::brings_one);
  std::atomic<bool> inside{false};
  std::thread second([&] {
    sched::worker& w = p.borrow_worker();
    p.admit(w, sched::pool::no_token::brings_one);
    inside = true;
    p.dismiss(w);
    p.give_worker_back(w);
  });
  while (p.counts().waiting == 0 && !inside) std::this_thread::yield();
  // The first does not move: the watching thread may lend a spare for it, and counts that before.
  EXPECT_TRUE(!inside || spares_lent() != before) << "no spare was lent";
  const auto limit = p.counts().limit;
  EXPECT_LE(limit, 1 + spares_lent() - before);
  p.dismiss(first);
  p.give_worker_back(first);
  second.join();
  EXPECT_TRUE(inside);
  finalize();
}

INSTANTIATE_TEST_SUITE_P(workers, guests, testing::Values(1, 2, 4),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace kasuri::test
