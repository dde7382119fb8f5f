// SPDX-License-Identifier: Apache-2.0
// Waits for objects that end by a wake-up or by a stop.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "kasuri/promise.hpp"
#include "kasuri/stop.hpp"
#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using namespace std::chrono_literals;

using stopped_wait_of = test::pool_of;

/// The conditions by which each object is tried: a token alone, and one beside a time.
stop_condition condition(std::stop_token token, int i) {
  return i % 2 == 0 ? stop_condition(std::move(token)) : stop_after(1h, std::move(token));
}

/// Tasks and threads wait(condition), which is to say false, until one of them stops all.
template <class Idle, class Wait>
void all_are_stopped(Idle nobody_waits, Wait wait) {
  std::stop_source source;
  std::atomic<int> coming{6}, stopped{0};
  const auto body = [&](int i) {
    if (i == 0) {
      while (coming != 0) this_task::yield();
      sleep_for(200us);  // most wait by now; the others find the token stopped
      source.request_stop();
      return;
    }
    --coming;
    if (!wait(condition(source.get_token(), i))) ++stopped;
    // It stays stopped, and a wait that finds it so comes back at once.
    EXPECT_FALSE(wait(condition(source.get_token(), i)));
  };
  std::thread a(body, 1), b(body, 2);
  run([&] {
    task_group group;
    for (const int i : {0, 3, 4, 5, 6}) group.run([&, i] { body(i); });
    group.wait();
  });
  a.join();
  b.join();
  EXPECT_EQ(stopped, 6);
  EXPECT_TRUE(nobody_waits());
}

TEST_P(stopped_wait_of, a_semaphore) {
  semaphore s(0);
  all_are_stopped([&] { return s.is_idle(); },
                  [&](const stop_condition& stop) { return s.acquire(stop); });
  EXPECT_FALSE(s.acquire(stop_after(100us)));
  EXPECT_FALSE(s.acquire(stop_after(-1s)));
  s.release();
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_TRUE(s.acquire(stopped.get_token()));  // it looks once
  EXPECT_FALSE(s.try_acquire());
}

TEST_P(stopped_wait_of, a_latch) {
  latch l(1);
  all_are_stopped([&] { return l.is_idle(); },
                  [&](const stop_condition& stop) { return l.wait(stop); });
  EXPECT_FALSE(l.wait(stop_after(100us)));
  l.count_down();
  EXPECT_TRUE(l.wait(stop_condition()));
}

TEST_P(stopped_wait_of, a_future) {
  promise<int> p;
  const shared_future<int> f = p.get_future().share();
  all_are_stopped([] { return true; }, [&](const stop_condition& stop) { return f.wait(stop); });
  EXPECT_FALSE(f.wait(stop_after(100us)));
  p.set_value(42);
  EXPECT_TRUE(f.wait(stop_condition()));
  EXPECT_EQ(f.get(), 42);
  future<int> task = async([] { return 7; });
  std::stop_source never;
  EXPECT_TRUE(task.wait(never.get_token()));
  EXPECT_EQ(task.get(), 7);
}

TEST_P(stopped_wait_of, a_condition_variable) {
  mutex m;
  condition_variable c;
  all_are_stopped([&] { return c.is_idle() && m.is_idle(); },
                  [&](const stop_condition& stop) {
                    std::unique_lock hold(m);
                    const bool found = c.wait(hold, stop, [] { return false; });
                    EXPECT_TRUE(hold.owns_lock());
                    return found;
                  });
  std::unique_lock hold(m);
  EXPECT_FALSE(c.wait(hold, stop_after(100us), [] { return false; }));
  EXPECT_TRUE(c.wait(hold, stop_after(-1s), [] { return true; }));
}

TEST_P(stopped_wait_of, wakers_wake_as_without_a_condition) {
  std::stop_source never;
  semaphore s(0);
  latch l(1);
  mutex m;
  condition_variable c;
  bool flag = false;
  std::atomic<int> through{0};
  tasks_and_threads(5, 2, [&](int i) {
    if (i == 0) {
      s.release(6);
      l.count_down();
      const std::lock_guard hold(m);
      flag = true;
      c.notify_all();
      return;
    }
    through += s.acquire(condition(never.get_token(), i)) ? 1 : 0;
    through += l.wait(condition(never.get_token(), i)) ? 1 : 0;
    std::unique_lock hold(m);
    through += c.wait(hold, condition(never.get_token(), i), [&] { return flag; }) ? 1 : 0;
  });
  EXPECT_EQ(through, 18);
  EXPECT_TRUE(s.is_idle() && l.is_idle() && c.is_idle() && m.is_idle());
}

TEST_P(stopped_wait_of, a_channel) {
  channel<int> empty(1), full(1);
  EXPECT_TRUE(full.send(0));
  all_are_stopped([&] { return empty.is_idle(); },
                  [&](const stop_condition& stop) { return empty.receive(stop).has_value(); });
  all_are_stopped([&] { return full.is_idle(); },
                  [&](const stop_condition& stop) { return full.send(1, stop); });
  const int copied = 2;
  EXPECT_FALSE(full.send(copied, stop_after(100us)));
  EXPECT_EQ(full.receive(stop_after(1h)), std::optional(0));
  EXPECT_EQ(full.receive(stop_after(-1s)), std::nullopt);
  EXPECT_TRUE(full.send(copied, stop_after(-1s)));
  EXPECT_EQ(full.receive(stop_after(-1s)), std::optional(2));
  full.close();
  EXPECT_FALSE(full.send(1, stop_condition()));
  EXPECT_EQ(full.receive(stop_condition()), std::nullopt);
  channel<std::unique_ptr<int>> none(0);
  auto own = std::make_unique<int>(7);
  EXPECT_FALSE(none.send(std::move(own), stop_after(100us)));
  ASSERT_NE(own, nullptr);
  EXPECT_EQ(*own, 7);
}

// What is said to be sent is received, once; what is said not to be sent is not.
TEST_P(stopped_wait_of, a_stop_and_messages_together) {
  for (int k = 0, turns = test::scaled(400); k != turns; ++k) {
    std::stop_source source;
    channel<int> c(static_cast<std::size_t>(k % 3));
    std::atomic<int> sent{0}, received{0};
    tasks_and_threads(7, 2, [&](int i) {
      const stop_condition stop =
          i % 3 == 0 ? stop_after(20us, source.get_token()) : condition(source.get_token(), i);
      if (i == 0) {
        if (k % 2 == 0) this_task::yield();
        source.request_stop();
      } else if (i % 2 == 0) {
        for (int n = 1; n != 4; ++n) sent += c.send(n * i, stop) ? n * i : 0;
      } else {
        for (int n = 1; n != 4; ++n) received += c.receive(stop).value_or(0);
      }
    });
    while (const std::optional<int> left = c.try_receive()) received += *left;
    ASSERT_EQ(sent, received);
    ASSERT_TRUE(c.is_idle());
  }
}

// No unit is lost, and none is taken twice.
TEST_P(stopped_wait_of, a_stop_and_a_release_together) {
  for (int k = 0, turns = test::scaled(400); k != turns; ++k) {
    std::stop_source source;
    semaphore s(0);
    std::atomic<int> got{0};
    tasks_and_threads(6, 2, [&](int i) {
      if (i == 0) {
        s.release(3);
      } else if (i == 1) {
        source.request_stop();
      } else {
        const stop_condition stop =
            i == 2 ? stop_after(20us, source.get_token()) : condition(source.get_token(), i);
        got += s.acquire(stop) ? 1 : 0;
      }
    });
    int left = 0;
    while (s.try_acquire()) ++left;
    ASSERT_EQ(got + left, 3);
    ASSERT_TRUE(s.is_idle());
  }
}

// A thread that is stopped does not touch the latch once another has gone on by it.
TEST_P(stopped_wait_of, the_first_that_goes_on_may_destroy_the_object) {
  for (int k = 0, turns = test::scaled(400); k != turns; ++k) {
    std::stop_source source;
    auto l = std::make_unique<latch>(1);
    latch* const object = l.get();
    std::atomic<bool> stands{false};  // the thread that may be stopped, in the list
    std::atomic<int> through{0};
    tasks_and_threads(3, k % 2, [&](int i) {
      if (i == 0) {
        static_cast<void>(object->wait(condition(source.get_token(), k)));
        ++through;
        return;
      }
      if (i == 1) {
        while (object->is_idle()) this_task::yield();
        stands = true;
        object->count_down();
        return;
      }
      while (!stands) this_task::yield();
      if (i == 3 || (i == 2 && k % 2 == 0)) source.request_stop();
      if (i != 2) return;
      object->wait();
      l.reset();
    });
    EXPECT_EQ(through, 1);
    EXPECT_EQ(l, nullptr);
  }
}

TEST_P(stopped_wait_of, a_sleep) {
  all_are_stopped([] { return true; },
                  [](const stop_condition& stop) { return sleep_for(1h, stop); });
  std::stop_source source;
  run([&] {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(sleep_for(1ms, source.get_token()));
    EXPECT_TRUE(sleep_for(1ms, stop_after(1h)));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 2ms);
    EXPECT_FALSE(sleep_for(1h, stop_after(1ms, source.get_token())));
    EXPECT_TRUE(sleep_for(0ms, stop_after(1h)));
    EXPECT_TRUE(sleep_for(-1ms, stop_after(0ms)));
  });
}

INSTANTIATE_TEST_SUITE_P(workers, stopped_wait_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
