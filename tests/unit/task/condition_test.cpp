// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <deque>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using condition_of = test::pool_of;

TEST_P(condition_of, passes_items_through_a_bounded_queue) {
  const int items = test::scaled(1000);
  mutex m;
  condition_variable not_empty;
  condition_variable not_full;
  std::deque<int> queue;
  long sum = 0;
  const auto produce = [&](int from) {
    for (int i = 0; i != items; ++i) {
      std::unique_lock hold(m);
      not_full.wait(hold, [&] { return queue.size() < 4; });
      queue.push_back(from + i);
      not_empty.notify_one();
    }
  };
  const auto consume = [&] {
    for (int i = 0; i != items; ++i) {
      std::unique_lock hold(m);
      not_empty.wait(hold, [&] { return !queue.empty(); });
      sum += queue.front();
      queue.pop_front();
      not_full.notify_one();
    }
  };
  // Three of each kind as tasks, one as an OS thread.
  tasks_and_threads(6, 2, [&](int i) {
    if (i % 2 == 0)
      produce(i * items);
    else
      consume();
  });
  long expected = 0;
  for (int p = 0; p != 8; p += 2)
    for (int i = 0; i != items; ++i) expected += p * items + i;
  EXPECT_EQ(sum, expected);
  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(not_empty.is_idle());
}

TEST_P(condition_of, notify_all_wakes_all) {
  mutex m;
  condition_variable changed;
  int waiting = 0;
  bool go = false;
  int through = 0;
  tasks_and_threads(10, 2, [&](int i) {
    std::unique_lock hold(m);
    if (i == 0) {
      changed.wait(hold, [&] { return waiting == 11; });
      go = true;
      changed.notify_all();
    } else {
      if (++waiting == 11) changed.notify_all();
      changed.wait(hold, [&] { return go; });
      ++through;
    }
  });
  EXPECT_EQ(through, 11);
}

template <class Condition>
void wait_until(mutex& m, Condition holds) {
  for (;; this_task::yield()) {
    const std::lock_guard hold(m);
    if (holds()) return;
  }
}

TEST_P(condition_of, notify_one_wakes_the_oldest_and_only_it) {
  mutex m;
  condition_variable turn;
  std::vector<int> order;
  int waiting = 0;
  std::size_t released = 0;
  tasks(1, [&](int) {
    task_group waiters;
    for (int i = 0; i != 5; ++i) {
      waiters.run(
          [&, i] {
            std::unique_lock hold(m);
            ++waiting;
            turn.wait(hold);
            order.push_back(i);
          },
          spawn::child_first);
      wait_until(m, [&] { return waiting == i + 1; });
    }
    while (released != 5) {
      turn.notify_one();
      ++released;
      wait_until(m, [&] { return order.size() == released; });
    }
    waiters.wait();
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST_P(condition_of, notification_without_waiters_is_not_kept) {
  condition_variable c;
  c.notify_one();
  c.notify_all();
  EXPECT_TRUE(c.is_idle());
}

TEST_P(condition_of, refuses_a_lock_that_holds_nothing) {
  mutex m;
  condition_variable c;
  std::unique_lock open(m, std::defer_lock);
  EXPECT_THROW(c.wait(open), std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(workers, condition_of, testing::Values(1, 2, 4));

}  // namespace
}  // namespace kasuri
