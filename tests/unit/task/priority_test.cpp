// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <kasuri/kasuri.hpp>
#include <vector>

#include "support/crowd.hpp"
#include "support/pool_fixture.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

// docs/how-to/arenas.md promises both.
constexpr int tasks_between_fair_turns = 64;
constexpr int tasks_before_a_low_one = 3 * tasks_between_fair_turns;

class priorities : public pool_of {};

/// The priorities of the tasks in the order in which they began.
class order {
 public:
  void note(priority p) { began_[next_++] = p; }

  /// How many of that priority are not among the first `n` that began.
  long missing(priority p, int first, int n) const {
    const auto from = began_.begin() + first;
    return n - std::count(from, from + n, p);
  }

 private:
  std::vector<priority> began_ = std::vector<priority>(1000);
  std::atomic<std::size_t> next_{0};
};

constexpr int each = 20;

/// With one worker: in the order in which they are to run, but for one fair turn in 64 tasks.
void expect_order(const order& all) {
  if (test::threads_lent() != 0) return;
  EXPECT_LE(all.missing(priority::high, 0, each), 1);
  EXPECT_LE(all.missing(priority::normal, each, each), 2);
  EXPECT_LE(all.missing(priority::low, 2 * each, each), 2);
}

TEST(priority, of_groups_orders_them_on_one_worker) {
  initialize({.workers = 1});
  order all;
  run([&all] {
    task_group low(priority::low);
    task_group normal;
    task_group high(priority::high);
    for (int i = 0; i != each; ++i) {
      low.run([&all] { all.note(priority::low); });
      normal.run([&all] { all.note(priority::normal); });
      high.run([&all] { all.note(priority::high); });
    }
    low.wait();
    normal.wait();
    high.wait();
  });
  expect_order(all);
  finalize();
}

TEST(priority, of_arenas_orders_what_is_enqueued_on_one_worker) {
  initialize({.workers = 1});
  order all;
  run([&all] {
    arena low(1, priority::low);
    arena normal(2);
    arena high(1, priority::high);
    for (int i = 0; i != each; ++i) {
      low.enqueue([&all] { all.note(priority::low); });
      normal.enqueue([&all] { all.note(priority::normal); });
      high.enqueue([&all] { all.note(priority::high); });
    }
  });
  expect_order(all);
  finalize();
}

/// How many other tasks each worker begins between two that are watched, while there are such. A
/// worker that has taken one may be slow to begin it: so the last ones, of which each worker and
/// each spare may have one, do not count.
class gaps {
 public:
  gaps(int tasks, int in_hand) : counted_(tasks - in_hand), left_(tasks) {}

  bool watched_are_left() const { return left_ > 0; }

  void other_began() {
    if (begun_ >= counted_) return;
    const int gap = ++gap_[slot()];
    for (int longest = longest_; gap > longest && !longest_.compare_exchange_weak(longest, gap);) {
    }
  }
  void watched_began() {
    gap_[slot()] = 0;
    ++begun_;
    --left_;
  }
  int longest() const { return longest_; }

 private:
  static std::size_t slot() { return static_cast<std::size_t>(this_task::worker()); }

  const int counted_;
  std::atomic<int> begun_{0};
  std::atomic<int> left_;
  std::atomic<int> longest_{0};
  std::vector<std::atomic<int>> gap_ = std::vector<std::atomic<int>>(5000);  // by worker
};

/// Tasks of priority `watched` are sent to workers that have no end of others, until all have run.
void expect_not_starved(priority watched, int workers) {
  const int in_hand = max_slots() + 1;
  const int tasks = in_hand + scaled(200);
  gaps seen(tasks, in_hand);
  std::atomic<int> others{0};
  const int most = tasks * 1000 * tasks_before_a_low_one;  // so that a test that fails ends
  run([&] {
    arena starving(watched);
    task_group high(priority::high);
    task_group own;
    const std::function<void(task_group&)> again = [&](task_group& g) {
      seen.other_began();
      if (!seen.watched_are_left() || ++others > most) return;
      g.run([&] { again(g); });
    };
    for (int i = 0; i != tasks; ++i) starving.enqueue([&seen] { seen.watched_began(); });
    // As many chains of each as keep all workers busy.
    for (int i = 0; i != 2 * workers; ++i) {
      high.run([&] { again(high); });
      own.run([&] { again(own); });
    }
    high.wait();
    own.wait();
  });
  EXPECT_FALSE(seen.watched_are_left());
  EXPECT_LT(others, most);
  EXPECT_LE(seen.longest(), tasks_before_a_low_one);
}

TEST_P(priorities, never_starve_the_low_ones) { expect_not_starved(priority::low, GetParam()); }

TEST_P(priorities, never_starve_the_normal_ones) {
  expect_not_starved(priority::normal, GetParam());
}

TEST_P(priorities, keep_the_bound_of_their_arena) {
  arena urgent(1, priority::high);
  arena background(2, priority::low);
  crowd in_urgent;
  crowd in_background;
  const int tasks = scaled(500);
  run([&] {
    task_group first(urgent);
    task_group last(background);
    for (int i = 0; i != tasks; ++i) {
      last.run([&] {
        in_background.visit();
        this_task::yield();
        parallel_invoke([&] { in_background.visit(); }, [&] { in_background.visit(); });
      });
      first.run([&] {
        in_urgent.visit();
        this_task::yield();
        parallel_invoke([&] { in_urgent.visit(); }, [&] { in_urgent.visit(); });
      });
    }
    first.wait();
    last.wait();
  });
  EXPECT_EQ(in_urgent.visits(), 3 * tasks);
  EXPECT_EQ(in_background.visits(), 3 * tasks);
  EXPECT_LE(in_urgent.most(), 1);
  EXPECT_LE(in_background.most(), 2);
}

TEST_P(priorities, of_tasks_that_wait_are_kept) {
  const int threads = scaled(200);
  std::atomic<int> went_on{0};
  run([&] {
    for (const priority p : {priority::low, priority::normal, priority::high}) {
      semaphore turns(0);
      task_group g(p);
      for (int i = 0; i != threads; ++i)
        g.run([&] {
          turns.acquire();
          ++went_on;
        });
      for (int i = 0; i != threads; ++i) turns.release();
      g.wait();
    }
  });
  EXPECT_EQ(went_on, 3 * threads);
}

INSTANTIATE_TEST_SUITE_P(workers, priorities, testing::Values(1, 2, 4),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace kasuri::test
