// SPDX-License-Identifier: Apache-2.0
// The explorer on small programs that wait: it must find lost wake-ups, deadlocks, broken mutual
// exclusion and data races, and must not find them where there are none.
#include "explorer/explore.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "expectations.hpp"

namespace kasuri::model {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

// Peterson's algorithm for two threads. Fences alone do not make it right in C++20: of two plain
// stores to `turn` the one executed later may still come first in modification order.
struct peterson {
  enum class variant { bare, fenced, exchanged };
  static constexpr int threads = 2;
  explicit peterson(variant which) : which_(which) {}

  void run(int thread) {
    const int other = 1 - thread;
    wants_[thread].store(1, relaxed);
    if (which_ == variant::exchanged) {
      turn_.exchange(other, std::memory_order_acq_rel);
    } else {
      turn_.store(other, relaxed);
    }
    if (which_ == variant::fenced) atomics::fence_full();
    while (wants_[other].load(acquire) == 1 && turn_.load(acquire) == other) atomics::pause();
    inside_ = inside_ + 1;
    wants_[thread].store(0, release);
  }
  void check() { require(inside_ == 2, "an increment was lost"); }

 private:
  variant which_;
  atomic<int> wants_[2]{{0}, {0}};
  atomic<int> turn_{0};
  plain<int> inside_{0};
};

TEST(waiting, peterson_excludes_only_if_the_turn_is_exchanged) {
  using enum peterson::variant;
  const report good = explore<peterson>({.name = "Peterson"}, exchanged);
  EXPECT_FALSE(good.failed) << good.text();
  EXPECT_TRUE(good.complete);
  for (const auto which : {bare, fenced}) {
    const report bad = explore<peterson>({.name = "Peterson, flawed"}, which);
    ASSERT_TRUE(bad.failed);
    EXPECT_EQ(bad.failed->what, "data race on plain data 0");
  }
}

struct spin_lock {
  static constexpr int threads = 3;
  explicit spin_lock(std::memory_order unlock) : unlock_(unlock) {}

  void run(int) {
    while (locked_.exchange(true, acquire)) atomics::pause();
    count_ = count_ + 1;
    locked_.store(false, unlock_);
  }
  void check() { require(count_ == 3, "an increment was lost"); }

 private:
  std::memory_order unlock_;
  atomic<bool> locked_{false};
  plain<int> count_{0};
};

TEST(waiting, a_spin_lock_must_release) {
  const report good = explore<spin_lock>({.name = "spin lock"}, release);
  EXPECT_FALSE(good.failed) << good.text();
  EXPECT_TRUE(good.complete);
  EXPECT_TRUE(explore<spin_lock>({.name = "spin lock, relaxed unlock"}, relaxed).failed);
}

struct two_locks {
  static constexpr int threads = 2;
  void run(int thread) {
    for (int i = 0; i < 2; ++i) {
      while (locked_[(thread + i) % 2].exchange(true, acquire)) atomics::pause();
    }
    for (auto& lock : locked_) lock.store(false, release);
  }
  void check() {}

 private:
  atomic<bool> locked_[2]{{false}, {false}};
};

TEST(waiting, two_locks_in_opposite_order_deadlock) {
  const report result = explore<two_locks>({.name = "two locks"});
  ASSERT_TRUE(result.failed);
  EXPECT_EQ(result.failed->what,
            "deadlock: thread 0 spins in pause and nothing changes,"
            " thread 1 spins in pause and nothing changes");
}

// A consumer sleeps until there is an item. The producer wakes it only if it says that it sleeps.
struct sleeper {
  enum class looks { before_announcing, after_announcing, after_announcing_and_fence };
  static constexpr int threads = 2;
  explicit sleeper(looks when) : when_(when) {}

  void run(int thread) { thread == 0 ? produce() : consume(); }
  void check() {}

 private:
  void produce() {
    items_.store(1, release);
    if (when_ == looks::after_announcing_and_fence) atomics::fence_full();
    if (sleeping_.load(relaxed) == 0) return;
    sleeping_.store(0, relaxed);
    atomics::futex_wake(sleeping_, 1);
  }
  void consume() {
    if (items_.load(acquire) != 0) return;
    sleeping_.store(1, relaxed);
    if (when_ == looks::after_announcing_and_fence) atomics::fence_full();
    if (when_ != looks::before_announcing && items_.load(acquire) != 0) return;
    atomics::futex_wait(sleeping_, 1);
  }

  looks when_;
  atomic<int> items_{0};
  atomic<int> sleeping_{0};
};

TEST(waiting, a_sleeper_announces_itself_then_fences_then_looks_again) {
  using enum sleeper::looks;
  const report good = explore<sleeper>({.name = "sleeper"}, after_announcing_and_fence);
  EXPECT_FALSE(good.failed) << good.text();
  EXPECT_TRUE(good.complete);
  for (const auto when : {before_announcing, after_announcing}) {
    const report lost = explore<sleeper>({.name = "lost wake-up"}, when);
    ASSERT_TRUE(lost.failed);
    EXPECT_EQ(lost.failed->what, "deadlock: thread 0 has finished, thread 1 sleeps in futex_wait");
  }
}

report sound_sleeper() {
  return explore<sleeper>({.name = "sound"}, sleeper::looks::after_announcing_and_fence);
}
report lost_sleeper() {
  return explore<sleeper>({.name = "lost"}, sleeper::looks::after_announcing);
}

// The tests of planted faults are worth something only if they fail where the fault is not found.
TEST(waiting, a_fault_that_is_not_found_fails_the_test) {
  EXPECT_FATAL_FAILURE(expect_found(sound_sleeper(), asleep_for_ever), "sound");
  EXPECT_NONFATAL_FAILURE(expect_found(lost_sleeper(), "data race"), "lost");
  EXPECT_NONFATAL_FAILURE(expect_sound(lost_sleeper()), "lost");
  expect_found(lost_sleeper(), asleep_for_ever);
}

TEST(waiting, a_failure_can_be_replayed) {
  const report lost = explore<sleeper>({.name = "lost"}, sleeper::looks::before_announcing);
  ASSERT_TRUE(lost.failed);
  const report again =
      replay<sleeper>({.name = "again"}, lost.failed->choices, sleeper::looks::before_announcing);
  EXPECT_EQ(again.failed->what, lost.failed->what);
  EXPECT_EQ(again.failed->trace, lost.failed->trace);
}

TEST(waiting, bounded_deviations_explore_less_and_find_shallow_errors) {
  const report one = explore<spin_lock>({.name = "", .reduce = false, .deviations = 0}, release);
  const report two = explore<spin_lock>({.name = "", .reduce = false, .deviations = 1}, release);
  EXPECT_TRUE(one.complete && two.complete);
  EXPECT_LT(one.executions, two.executions);
  EXPECT_TRUE(explore<spin_lock>({.name = "", .reduce = false, .deviations = 0}, relaxed).failed);
}

struct endless {
  static constexpr int threads = 1;
  void run(int) {
    for (;;) count_.fetch_add(1, relaxed);
  }
  void check() {}
  atomic<int> count_{0};
};

TEST(waiting, an_endless_execution_is_a_failure) {
  const report result = explore<endless>({.name = "endless", .max_steps = 100});
  ASSERT_TRUE(result.failed);
  EXPECT_EQ(result.failed->what, "endless: 100 operations");
}

}  // namespace
}  // namespace kasuri::model
