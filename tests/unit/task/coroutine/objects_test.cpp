// SPDX-License-Identifier: Apache-2.0
#include <kasuri/coroutine.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using await_object_of = test::pool_of;

/// Runs body(i) for i below `count` as coroutines, and waits for their ends.
template <class F>
void coroutines(int count, F body) {
  std::vector<future<void>> all;
  for (int i = 0; i != count; ++i) all.push_back(async(body(i)));
  for (auto& f : all) f.get();
}

TEST_P(await_object_of, a_mutex_excludes_coroutines_tasks_and_threads) {
  mutex m;
  long inside = 0;
  const int turns = test::scaled(2000);
  const auto locks = [&](int i) -> coro<void> {
    for (int k = 0; k != turns; ++k) {
      const auto lock = co_await lock_async(m);
      EXPECT_TRUE(lock.owns_lock());
      const long before = inside;
      if (k % 16 == i) co_await yield_async();  // the lock is held across a wait
      inside = before + 1;
    }
  };
  std::thread outside([&] {
    for (int k = 0; k != turns; ++k) {
      const std::lock_guard lock(m);
      ++inside;
    }
  });
  future<void> beside = async([&] {
    for (int k = 0; k != turns; ++k) {
      const std::lock_guard lock(m);
      ++inside;
      if (k % 16 == 0) this_task::yield();
    }
  });
  coroutines(6, locks);
  beside.get();
  outside.join();
  EXPECT_EQ(inside, 8L * turns);
  EXPECT_TRUE(m.is_idle());
}

TEST_P(await_object_of, a_mutex_that_is_held_comes_by_its_unlock) {
  mutex m;
  std::atomic<int> had{0};
  m.lock();
  const auto locks = [&](int) -> coro<void> {
    auto lock = co_await lock_async(m);
    ++had;
    lock.unlock();
  };
  std::vector<future<void>> all;
  for (int i = 0; i != 20; ++i) all.push_back(async(locks(i)));
  this_task::yield();
  EXPECT_EQ(had, 0);
  m.unlock();
  for (auto& f : all) f.get();
  EXPECT_EQ(had, 20);
  EXPECT_TRUE(m.is_idle());
}

TEST_P(await_object_of, a_condition_may_be_held_in_the_usual_way) {
  // The guard of a coroutine is a std::unique_lock, which a task's condition variable takes.
  mutex m;
  condition_variable changed;
  bool there = false;
  const auto waits = [&]() -> coro<bool> {
    auto lock = co_await lock_async(m);
    changed.wait(lock, [&] { return there; });
    co_return there;
  };
  future<bool> f = async(waits());
  {
    const std::lock_guard lock(m);
    there = true;
  }
  changed.notify_all();
  EXPECT_TRUE(f.get());
}

TEST_P(await_object_of, a_semaphore_bounds_those_inside) {
  semaphore units(3);
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  const auto enters = [&](int) -> coro<void> {
    for (int k = 0; k != test::scaled(200); ++k) {
      co_await acquire_async(units);
      const int now = ++inside;
      for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
      }
      co_await yield_async();
      --inside;
      units.release();
    }
  };
  coroutines(10, enters);
  EXPECT_LE(most, 3);
  EXPECT_GE(most, 1);
  EXPECT_TRUE(units.is_idle());
}

TEST_P(await_object_of, a_latch_lets_all_go) {
  latch gate(1);
  std::atomic<int> through{0};
  const auto passes = [&](int) -> coro<void> {
    co_await wait_async(gate);
    ++through;
    co_await wait_async(gate);  // open by now
  };
  std::vector<future<void>> all;
  for (int i = 0; i != 50; ++i) all.push_back(async(passes(i)));
  this_task::yield();
  EXPECT_EQ(through, 0);
  gate.count_down();
  for (auto& f : all) f.get();
  EXPECT_EQ(through, 50);
}

TEST_P(await_object_of, a_latch_may_go_with_the_first_that_it_lets_go) {
  for (int k = 0; k != test::scaled(500); ++k) {
    auto gate = std::make_unique<latch>(1);
    const auto waits = [](std::unique_ptr<latch>& of) -> coro<void> {
      co_await wait_async(*of);
      of.reset();
    };
    future<void> f = async(waits(gate));
    gate->count_down();
    f.get();
    EXPECT_EQ(gate, nullptr);
  }
}

TEST_P(await_object_of, a_latch_is_counted_down_by_those_who_wait) {
  latch all(21);
  std::atomic<int> through{0};
  const auto arrives = [&](int) -> coro<void> {
    co_await arrive_and_wait_async(all);
    EXPECT_TRUE(all.try_wait());
    ++through;
  };
  std::vector<future<void>> each;
  for (int i = 0; i != 20; ++i) each.push_back(async(arrives(i)));
  this_task::yield();
  EXPECT_EQ(through, 0);
  all.arrive_and_wait();
  for (auto& f : each) f.get();
  EXPECT_EQ(through, 20);
  EXPECT_THROW(sync_wait(arrives(0)), std::invalid_argument);
}

/// Coroutines, a task and an OS thread.
TEST_P(await_object_of, a_barrier_lets_all_meet) {
  constexpr int coroutines_of_all = 5;
  constexpr int all = coroutines_of_all + 2;
  const int phases = test::scaled(200);
  std::atomic<int> last{0};
  std::atomic<int> arrived{0};
  int between = 0;
  barrier meets(all, [&] { ++between; });
  const auto checks = [&](int phase, bool came_last) {
    EXPECT_EQ(between, 2 * phase + 1);
    EXPECT_GE(arrived, all * (phase + 1));
    if (came_last) ++last;
  };
  const auto comes = [&](int) -> coro<void> {
    for (int k = 0; k != phases; ++k) {
      ++arrived;
      checks(k, co_await arrive_and_wait_async(meets));
      co_await arrive_and_wait_async(meets);  // the checks are over
    }
  };
  const auto thread = [&] {
    for (int k = 0; k != phases; ++k) {
      ++arrived;
      checks(k, meets.arrive_and_wait());
      meets.arrive_and_wait();
    }
  };
  std::thread outside(thread);
  future<void> beside = async(thread);
  coroutines(coroutines_of_all, comes);
  beside.get();
  outside.join();
  EXPECT_EQ(last, phases);
  EXPECT_TRUE(meets.is_idle());
}

TEST_P(await_object_of, a_barrier_may_go_with_the_first_that_it_lets_go) {
  for (int k = 0; k != test::scaled(500); ++k) {
    auto meets = std::make_unique<barrier>(2);
    const auto waits = [](std::unique_ptr<barrier>& of) -> coro<void> {
      if (!co_await arrive_and_wait_async(*of)) of.reset();
    };
    future<void> f = async(waits(meets));
    future<void> g = async(waits(meets));
    f.get();
    g.get();
    EXPECT_EQ(meets, nullptr);
  }
}

/// Readers and writers, each a coroutine, a task or an OS thread.
TEST_P(await_object_of, a_shared_mutex_excludes_writers_and_lets_readers_together) {
  shared_mutex m;
  long value = 0;
  std::atomic<int> readers{0};
  std::atomic<int> writers{0};
  const int turns = test::scaled(1000);
  const auto reads = [&](int) -> coro<void> {
    for (int k = 0; k != turns; ++k) {
      const std::shared_lock<shared_mutex> lock = co_await lock_shared_async(m);
      EXPECT_TRUE(lock.owns_lock());
      ++readers;
      EXPECT_EQ(writers, 0);
      if (k % 16 == 0) co_await yield_async();
      --readers;
    }
  };
  const auto writes = [&](int) -> coro<void> {
    for (int k = 0; k != turns; ++k) {
      const std::unique_lock<shared_mutex> lock = co_await lock_async(m);
      EXPECT_EQ(++writers, 1);
      EXPECT_EQ(readers, 0);
      ++value;
      if (k % 16 == 0) co_await yield_async();
      --writers;
    }
  };
  const auto thread = [&] {
    for (int k = 0; k != turns; ++k) {
      const std::lock_guard lock(m);
      EXPECT_EQ(++writers, 1);
      ++value;
      --writers;
    }
  };
  std::thread outside(thread);
  std::vector<future<void>> all;
  all.push_back(async(thread));
  for (int i = 0; i != 3; ++i) {
    all.push_back(async(reads(i)));
    all.push_back(async(writes(i)));
  }
  for (auto& f : all) f.get();
  outside.join();
  EXPECT_EQ(value, 5L * turns);
  EXPECT_TRUE(m.is_idle());
}

TEST_P(await_object_of, readers_go_on_together) {
  shared_mutex m;
  latch inside(8);
  m.lock();
  const auto reads = [&](int) -> coro<void> {
    const auto lock = co_await lock_shared_async(m);
    co_await arrive_and_wait_async(inside);  // ends only where all hold it
  };
  std::vector<future<void>> all;
  for (int i = 0; i != 8; ++i) all.push_back(async(reads(i)));
  this_task::yield();
  EXPECT_FALSE(inside.try_wait());
  m.unlock();
  for (auto& f : all) f.get();
  EXPECT_TRUE(m.is_idle());
}

/// Producers and consumers, each a coroutine, a task or an OS thread.
TEST_P(await_object_of, a_condition_carries_every_item) {
  mutex m;
  condition_variable changed;
  int items = 0;
  bool closed = false;
  std::atomic<int> taken{0};
  const int each = test::scaled(500);
  const auto takes = [&](int) -> coro<void> {
    auto lock = co_await lock_async(m);
    for (;;) {
      while (items == 0 && !closed) {
        co_await wait_async(changed, lock);
        EXPECT_TRUE(lock.owns_lock());
        EXPECT_TRUE(m.is_locked());
      }
      if (items == 0) co_return;
      --items;
      ++taken;
    }
  };
  const auto takes_as_thread = [&] {
    std::unique_lock lock(m);
    for (;;) {
      changed.wait(lock, [&] { return items != 0 || closed; });
      if (items == 0) return;
      --items;
      ++taken;
    }
  };
  const auto gives = [&](int) -> coro<void> {
    for (int k = 0; k != each; ++k) {
      {
        const auto lock = co_await lock_async(m);
        ++items;
      }
      changed.notify_one();
    }
  };
  std::thread outside(takes_as_thread);
  std::vector<future<void>> takers;
  takers.push_back(async(takes_as_thread));
  for (int i = 0; i != 4; ++i) takers.push_back(async(takes(i)));
  coroutines(3, gives);
  {
    const std::lock_guard lock(m);
    closed = true;
  }
  changed.notify_all();
  for (auto& f : takers) f.get();
  outside.join();
  EXPECT_EQ(taken, 3 * each);
  EXPECT_TRUE(m.is_idle());
  EXPECT_TRUE(changed.is_idle());
}

TEST_P(await_object_of, a_condition_wakes_in_order) {
  mutex m;
  condition_variable changed;
  std::vector<int> woken;
  std::atomic<int> waiting{0};
  const auto waits = [&](int i) -> coro<void> {
    auto lock = co_await lock_async(m);
    ++waiting;
    co_await wait_async(changed, lock);
    woken.push_back(i);
  };
  std::vector<future<void>> all;
  for (int i = 0; i != 5; ++i) {
    all.push_back(async(waits(i)));
    while (waiting != i + 1) this_task::yield();
    const std::lock_guard in_the_list(m);
  }
  for (int i = 0; i != 5; ++i) {
    changed.notify_one();
    all[static_cast<std::size_t>(i)].get();
  }
  EXPECT_EQ(woken, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST_P(await_object_of, a_condition_refuses_a_lock_that_holds_nothing) {
  mutex m;
  condition_variable changed;
  const auto waits = [&]() -> coro<void> {
    std::unique_lock<mutex> lock(m, std::defer_lock);
    co_await wait_async(changed, lock);
  };
  EXPECT_THROW(sync_wait(waits()), std::logic_error);
  EXPECT_TRUE(changed.is_idle());
}

/// Senders and receivers, each a coroutine, a task or an OS thread.
TEST_P(await_object_of, channels_of_any_capacity_carry_every_message) {
  for (const std::size_t capacity : {std::size_t{0}, std::size_t{4}, unbounded}) {
    channel<int> numbers(capacity);
    std::atomic<long> sum{0};
    const int each = test::scaled(1000);
    const auto sends = [&](int) -> coro<void> {
      for (int i = 1; i <= each; ++i) EXPECT_TRUE(co_await send_async(numbers, i));
    };
    const auto receives = [&](int) -> coro<void> {
      while (const std::optional<int> n = co_await receive_async(numbers)) sum += *n;
    };
    std::vector<future<void>> senders;
    std::vector<future<void>> receivers;
    for (int i = 0; i != 3; ++i) {
      senders.push_back(async(sends(i)));
      receivers.push_back(async(receives(i)));
    }
    senders.push_back(async([&] {
      for (int i = 1; i <= each; ++i) EXPECT_TRUE(numbers.send(i));
    }));
    std::thread outside([&] {
      for (const int n : numbers) sum += n;
    });
    for (auto& f : senders) f.get();
    numbers.close();
    for (auto& f : receivers) f.get();
    outside.join();
    EXPECT_EQ(sum, 4L * each * (each + 1) / 2);
    EXPECT_TRUE(numbers.is_idle());
  }
}

TEST_P(await_object_of, a_closed_channel_says_so) {
  channel<std::unique_ptr<int>> owners(1);
  const auto ends = [&]() -> coro<int> {
    int said = 0;
    EXPECT_TRUE(co_await send_async(owners, std::make_unique<int>(1)));
    future<bool> waits = async([](auto& to) -> coro<bool> {
      co_return co_await send_async(to, std::make_unique<int>(2));
    }(owners));
    while (owners.is_idle()) co_await yield_async();
    owners.close();
    said += co_await waits ? 0 : 1;  // a sender that waited
    said += co_await send_async(owners, std::make_unique<int>(3)) ? 0 : 1;
    EXPECT_EQ(**co_await receive_async(owners), 1);
    said += co_await receive_async(owners) ? 0 : 1;
    co_return said;
  };
  EXPECT_EQ(sync_wait(ends()), 3);
}

TEST_P(await_object_of, messages_come_in_the_order_in_which_they_were_sent) {
  channel<int> numbers(2);
  const auto sends = [&]() -> coro<void> {
    for (int i = 0; i != 500; ++i) static_cast<void>(co_await send_async(numbers, i));
    numbers.close();
  };
  const auto receives = [&]() -> coro<int> {
    int next = 0;
    while (const auto n = co_await receive_async(numbers)) {
      EXPECT_EQ(*n, next);
      ++next;
    }
    co_return next;
  };
  future<void> sender = async(sends());
  EXPECT_EQ(sync_wait(receives()), 500);
  sender.get();
}

INSTANTIATE_TEST_SUITE_P(workers, await_object_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
