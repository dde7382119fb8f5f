// SPDX-License-Identifier: Apache-2.0
// The loan of native thread-locals (src/sched/kernel/native_loan.hpp), the very source. Around it,
// as in wear.cpp: a worker whose tasks put identities on and take them off, and the monitor that
// lends to a suspended thread. The thread-locals are plain data: two that use them at a time are a
// race.
#include "sched/kernel/native_loan.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "flawed_atomics.hpp"

namespace kasuri::model {
namespace {

constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

// What is done wrong by hand.
enum class flaw {
  none,
  no_second_look,   // the monitor takes what it saw before it asked for the answer
  undresses_late,   // the worker uses its own thread-locals, and says then that the identity is off
  stays_elsewhere,  // the thread says that it comes home, and goes on
};

/// Thread 0, a worker, runs `tasks` tasks that wear an identity, and uses its own thread-locals
/// behind each. Thread 1 is the monitor, which tries to lend the native ones `tries` times, and the
/// thread that it lends them to.
template <class A, int tasks, int tries>
struct lends {
  static constexpr int threads = 2;
  explicit lends(flaw what = flaw::none) : what_(what) {}

  void run(int thread) { thread == 0 ? work() : monitor(); }
  void check() {
    require(native_ + substitute_ == tasks + comes_home_ + lent_, "a use is missing");
  }

 private:
  void work() {
    bool has_substitute = false;
    for (int i = 0; i != tasks; ++i) {
      loan_.dress();
      const bool late = what_ == flaw::undresses_late && !has_substitute;
      if (late) use(native_);
      if (loan_.undress()) has_substitute = true;
      if (!late) use(has_substitute ? substitute_ : native_);
      if (back_.load(acquire) == 0) continue;
      back_.store(0, release);
      loan_.end();
      has_substitute = false;
      use(native_);  // the thread that they belong to
      ++comes_home_;
    }
  }

  void monitor() {
    for (int i = 0; i != tries; ++i) {
      if (!loan_.at_home() || !loan_.may_be_free()) continue;
      if (lent_ == 0) substitute_ = 0;
      const bool free = loan_.ask() || what_ == flaw::no_second_look;
      loan_.settle(free);
      if (!free) continue;
      use(native_);  // as the thread, on another worker
      ++lent_;
      back_.store(1, release);
      if (what_ == flaw::stays_elsewhere) use(native_);
    }
  }

  static void use(plain<int>& locals) { locals = locals + 1; }

  flaw what_;
  sched::native_loan<A> loan_;
  atomic<int> back_{0};  // the thread wants to go home
  plain<int> native_{0};
  plain<int> substitute_{0};
  int comes_home_ = 0;
  int lent_ = 0;
};

template <class A>
report with(flaw what = flaw::none) {
  return explore<lends<A, 2, 1>>({.name = "native loan", .locations = {"dressed", "state", "back"}},
                                 what);
}

constexpr const char* both_use_them = "data race on plain data 0";

TEST(native_loan, one_thread_uses_the_thread_locals_at_a_time) {
  expect_sound(with<atomics>());
  expect_sound(explore<lends<atomics, 3, 1>>({.name = "native loan, three tasks"}));
  expect_sound(explore<lends<atomics, 2, 2>>({.name = "native loan, lent twice"}));
}

TEST(native_loan, needs_its_fences) {
  expect_found(with<without_light_fence>(), both_use_them);
  expect_found(with<without_heavy_fence>(), both_use_them);
}

TEST(native_loan, needs_its_orders) {
  expect_found(with<without_orders>(), "data race");
  expect_found(with<without_acquire>(), "data race");
  expect_found(with<without_release>(), "data race");
}

TEST(native_loan, the_monitor_asks_and_looks_again) {
  expect_found(with<atomics>(flaw::no_second_look), both_use_them);
  expect_found(with<atomics>(flaw::undresses_late), both_use_them);
  expect_found(with<atomics>(flaw::stays_elsewhere), both_use_them);
}

}  // namespace
}  // namespace kasuri::model
