// SPDX-License-Identifier: Apache-2.0
// Waits for objects that end by a wake-up or by their time.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include "kasuri/promise.hpp"
#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;
using std::chrono::microseconds;

using timed_wait_of = test::pool_of;

// ---- each object, its time over and not ---------------------------------------------------------

TEST_P(timed_wait_of, a_mutex_that_is_held) {
  mutex m;
  m.lock();
  tasks_and_threads(3, 2, [&](int) {
    EXPECT_FALSE(m.try_lock_for(0s));
    EXPECT_FALSE(m.try_lock_for(-1h));
    EXPECT_FALSE(m.try_lock_until(steady::time_point::min()));
    const auto t = steady::now() + 200us;
    EXPECT_FALSE(m.try_lock_until(t));
    EXPECT_GE(steady::now(), t);
    const std::unique_lock late(m, 100us);
    EXPECT_FALSE(late.owns_lock());
  });
  m.unlock();
  EXPECT_TRUE(m.is_idle());
  EXPECT_TRUE(m.try_lock_for(0s));
  m.unlock();
}

TEST_P(timed_wait_of, a_mutex_that_is_let_go) {
  mutex m;
  m.lock();
  std::atomic<int> through{0};
  tasks_and_threads(5, 2, [&](int i) {
    if (i == 0) return m.unlock();
    const std::unique_lock hold(m, std::chrono::hours::max());
    through += hold.owns_lock() ? 1 : 0;
  });
  EXPECT_EQ(through, 6);
  EXPECT_TRUE(m.is_idle());
}

TEST_P(timed_wait_of, a_semaphore) {
  semaphore s(0);
  tasks_and_threads(3, 2, [&](int) {
    EXPECT_FALSE(s.try_acquire_for(-5s));
    const auto t = steady::now() + 200us;
    EXPECT_FALSE(s.try_acquire_until(t));
    EXPECT_GE(steady::now(), t);
  });
  EXPECT_TRUE(s.is_idle());
  s.release();
  EXPECT_TRUE(s.try_acquire_for(-5s));
  tasks_and_threads(6, 2, [&](int i) {
    if (i % 2 == 0)
      s.release();
    else
      EXPECT_TRUE(s.try_acquire_until(steady::time_point::max()));
  });
  EXPECT_TRUE(s.is_idle());
}

TEST_P(timed_wait_of, a_latch) {
  latch l(1);
  tasks_and_threads(2, 1, [&](int) {
    EXPECT_FALSE(l.wait_for(0s));
    EXPECT_FALSE(l.wait_for(100us));
  });
  EXPECT_TRUE(l.is_idle());
  tasks_and_threads(4, 2, [&](int i) {
    if (i == 0) l.count_down();
    EXPECT_TRUE(l.wait_for(std::chrono::years::max()));
  });
  EXPECT_TRUE(l.wait_until(steady::time_point::min()));
}

TEST_P(timed_wait_of, a_condition_variable) {
  mutex m;
  condition_variable c;
  bool flag = false;
  tasks_and_threads(3, 2, [&](int) {
    std::unique_lock hold(m);
    EXPECT_EQ(c.wait_for(hold, 0s), std::cv_status::timeout);
    EXPECT_TRUE(hold.owns_lock());
    const auto t = steady::now() + 200us;
    EXPECT_EQ(c.wait_until(hold, t), std::cv_status::timeout);
    EXPECT_GE(steady::now(), t);
    EXPECT_FALSE(c.wait_for(hold, 100us, [&] { return flag; }));
    EXPECT_FALSE(c.wait_until(hold, steady::now() + 100us, [&] { return flag; }));
    EXPECT_TRUE(c.wait_for(hold, -1s, [] { return true; }));
  });
  EXPECT_TRUE(c.is_idle());
  tasks_and_threads(5, 2, [&](int i) {
    std::unique_lock hold(m);
    if (i == 0) {
      flag = true;
      c.notify_all();
    } else {
      EXPECT_TRUE(c.wait_until(hold, steady::time_point::max(), [&] { return flag; }));
    }
  });
  EXPECT_TRUE(c.is_idle());
  EXPECT_TRUE(m.is_idle());
  std::unique_lock open(m, std::defer_lock);
  EXPECT_THROW(c.wait_for(open, 1s), std::logic_error);
}

// The loop waits for a task of its own worker.
TEST_P(timed_wait_of, a_condition_whose_time_is_over_lets_others_go_first) {
  mutex m;
  condition_variable c;
  bool flag = false;
  tasks(2, [&](int i) {
    std::unique_lock hold(m);
    if (i == 0)
      flag = true;
    else
      while (!flag) c.wait_for(hold, 0s);
  });
  EXPECT_TRUE(flag);
}

TEST_P(timed_wait_of, a_future) {
  latch go(1);
  auto f = async([&] {
    go.wait();
    return 7;
  });
  EXPECT_EQ(f.wait_for(0s), std::future_status::timeout);
  EXPECT_EQ(f.wait_for(100us), std::future_status::timeout);
  run([&] {
    EXPECT_EQ(f.wait_for(0s), std::future_status::timeout);
    EXPECT_EQ(f.wait_until(steady::now() + 100us), std::future_status::timeout);
  });
  async([&] { EXPECT_EQ(f.wait_for(100us), std::future_status::timeout); }).get();
  go.count_down();
  EXPECT_EQ(f.wait_for(std::chrono::hours::max()), std::future_status::ready);
  EXPECT_EQ(f.wait_for(-1s), std::future_status::ready);
  EXPECT_EQ(f.get(), 7);
  future<int> none;
  EXPECT_THROW(static_cast<void>(none.wait_for(1s)), std::logic_error);
}

TEST_P(timed_wait_of, a_loop_that_asks_a_future_ends) {
  run([] {
    auto f = async([] { return 7; });
    while (f.wait_for(0s) != std::future_status::ready) {
    }
    EXPECT_EQ(f.get(), 7);
  });
}

// ---- wake-up and time together ------------------------------------------------------------------

TEST_P(timed_wait_of, no_unit_is_lost_or_given_twice) {
  const int turns = test::scaled(12'500);
  semaphore s(0);
  std::atomic<long> got{0};
  tasks_and_threads(6, 2, [&](int i) {
    for (int k = 0; k != turns; ++k)
      if (i % 2 == 0) {
        if (k % 8 == 0) this_task::yield();
        s.release(1);
      } else if (s.try_acquire_for(microseconds(k % 40))) {
        ++got;
      }
  });
  long left = 0;
  while (s.try_acquire()) ++left;
  EXPECT_EQ(got + left, 4L * turns);
  EXPECT_TRUE(s.is_idle());
}

// Each unit is released for one waiter, whose time comes at about that moment.
TEST_P(timed_wait_of, a_unit_comes_as_the_time_is_over) {
  const int turns = test::scaled(20'000);
  semaphore s(0);
  semaphore begins(0);
  long in_time = 0;
  tasks(2, [&](int i) {
    for (int k = 0; k != turns; ++k)
      if (i == 0) {
        begins.release();
        if (s.try_acquire_for(microseconds(k % 30)))
          ++in_time;
        else
          s.acquire();  // it comes all the same
      } else {
        begins.acquire();
        if (k % 3 != 0) sleep_for(microseconds(k % 30));
        s.release();
      }
  });
  EXPECT_FALSE(s.try_acquire());
  EXPECT_TRUE(s.is_idle());
  EXPECT_LE(in_time, turns);
}

TEST_P(timed_wait_of, a_mutex_excludes_and_is_not_lost) {
  const int turns = test::scaled(4000);
  mutex m;
  long count = 0;
  std::atomic<long> took{0};
  tasks_and_threads(6, 2, [&](int i) {
    for (int k = 0; k != turns; ++k) {
      if (i % 2 == 0) {
        m.lock();
      } else if (!m.try_lock_for(microseconds(k % 50))) {
        continue;
      }
      ++count;
      ++took;
      if (k % 16 == i) sleep_for(20us);
      m.unlock();
    }
  });
  EXPECT_EQ(count, took);
  EXPECT_GE(count, 4L * turns);
  EXPECT_TRUE(m.is_idle());
}

TEST_P(timed_wait_of, each_notification_wakes_one_that_waits) {
  const int items = test::scaled(3000);
  mutex m;
  condition_variable not_empty;
  int queued = 0;
  int made = 0;
  int taken = 0;
  tasks_and_threads(6, 2, [&](int i) {
    if (i % 2 == 0) {
      for (int k = 0; k != items; ++k) {
        const std::lock_guard hold(m);
        ++queued;
        ++made;
        not_empty.notify_one();
      }
      return;
    }
    for (int k = 0; k != items;) {
      std::unique_lock hold(m);
      if (!not_empty.wait_for(hold, microseconds(k % 40), [&] { return queued != 0; })) continue;
      --queued;
      ++taken;
      ++k;
    }
  });
  EXPECT_EQ(made, 4 * items);
  EXPECT_EQ(taken, made);
  EXPECT_EQ(queued, 0);
  EXPECT_TRUE(not_empty.is_idle());
}

// All that have come wait in it, or their time is over: the thread that has notified them destroys
// it.
TEST_P(timed_wait_of, a_condition_may_be_destroyed_behind_notify_all) {
  constexpr int waiters = 4;
  for (int k = 0, turns = test::scaled(4000); k != turns; ++k) {
    auto c = std::make_unique<condition_variable>();
    mutex m;
    int come = 0;
    int back = 0;
    const auto wait = [&](int i) {
      std::unique_lock hold(m);
      ++come;
      condition_variable& mine = *c;
      static_cast<void>(mine.wait_for(hold, microseconds(10 + (k + i) % 30)));
      ++back;
    };
    tasks(waiters + 1, [&](int i) {
      if (i != waiters) return wait(i);
      for (bool all = false; !all;) {
        this_task::yield();
        const std::lock_guard hold(m);
        all = come == waiters;
      }
      if (k % 2 == 0) sleep_for(microseconds(k % 25));
      c->notify_all();
      c.reset();
    });
    ASSERT_EQ(back, waiters);
    ASSERT_TRUE(m.is_idle());
  }
}

TEST_P(timed_wait_of, a_future_is_ready_as_the_time_is_over) {
  for (int k = 0, turns = test::scaled(4000); k != turns; ++k) {
    const auto body = [k] {
      auto f = async([k] {
        if (k % 3 != 0) sleep_for(microseconds(k % 25));
        return k;
      });
      const bool ready = f.wait_for(microseconds(k % 30)) == std::future_status::ready;
      if (ready) {
        EXPECT_TRUE(f.ready());
      }
      EXPECT_EQ(f.get(), k);
    };
    if (k % 4 == 0)
      body();
    else if (k % 4 == 1)
      run(body);
    else
      async(body).get();
  }
}

// Copies of one future, with and without a time, by tasks and OS threads, as the result comes.
TEST_P(timed_wait_of, many_wait_for_one_result) {
  for (int k = 0, turns = test::scaled(300); k != turns; ++k) {
    promise<int> p;
    const shared_future<int> f = p.get_future().share();
    std::atomic<int> sum{0};
    std::atomic<int> late{0};
    tasks_and_threads(5, 2, [&](int i) {
      if (i == 0) {
        sleep_for(microseconds(k % 40));
        return p.set_value(7);
      }
      const shared_future<int> mine = f;
      if (i % 3 != 0 && mine.wait_for(microseconds(7 * i + k % 30)) == std::future_status::timeout)
        ++late;
      sum += mine.get();
    });
    ASSERT_EQ(sum, 6 * 7);
    ASSERT_LE(late, 4);
    ASSERT_TRUE(f.ready());
  }
}

// All that wait in one list end by their times, in an order that is not that of the list.
TEST_P(timed_wait_of, many_in_one_list) {
  const int many = test::scaled(5000);
  semaphore s(0);
  std::atomic<int> late{0};
  tasks(many, [&](int i) {
    if (!s.try_acquire_for(microseconds(1000 + i * 7919 % 5000))) ++late;
  });
  EXPECT_EQ(late, many);
  EXPECT_TRUE(s.is_idle());
}

INSTANTIATE_TEST_SUITE_P(workers, timed_wait_of, testing::Values(1, 2, 4, 16));

}  // namespace
}  // namespace kasuri
