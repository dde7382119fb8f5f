// SPDX-License-Identifier: Apache-2.0
// The box of letters (src/sched/kernel/mailbox.hpp), the very source with a modelled lock: senders
// and takers in all its ways, and a worker that looks into the box without the lock before it
// sleeps. The sleep of that worker is reduced to one flag and the fences of pool::post_to_worker
// and idle::prepare_sleep; idle_model.cpp has the rest.
#include "sched/kernel/mailbox.hpp"

#include <gtest/gtest.h>

#include "cargo.hpp"
#include "expectations.hpp"
#include "flawed_atomics.hpp"
#include "model_lock.hpp"
#include "sched/rules/extent.hpp"

namespace kasuri::model {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto acq_rel = std::memory_order_acq_rel;

constexpr auto any_range = [](const sched::extent&) { return true; };

/// Thread 0 sends a letter of depth 0, and one of depth 2 that wears a range. Thread 1 takes by
/// depth, thread 2 by name and by range.
template <class Lock>
struct many_ways {
  static constexpr int threads = 3;

  void run(int thread) {
    sched::letter l;
    if (thread == 0) {
      box_.put({.what = cargo_.load(0)});
      box_.put({.what = cargo_.load(1), .range = &range_, .depth = 2});
    } else if (thread == 1) {
      if (box_.take(l, 1)) require(take(l) == 1, "the letter is not as deep as was asked for");
      if (box_.take(l)) take(l);
    } else {
      if (box_.take(l, cargo_.name(0))) require(take(l) == 0, "the letter of another frame");
      if (box_.take_wide(l, any_range)) require(take(l) == 1, "the letter wears no range");
    }
  }

  void check() {
    box_.check();
    require(box_.reaches(1) == !cargo_.is_taken(1), "the box is wrong about depth");
    require(box_.has_wide(any_range) == !cargo_.is_taken(1), "the box is wrong about ranges");
    const bool both_taken = cargo_.is_taken(0) && cargo_.is_taken(1);
    require(box_.empty() == both_taken, "the box is wrong about being empty");
    sched::letter l;
    while (box_.take(l)) take(l);
    cargo_.expect_all_taken();
  }

 private:
  int take(const sched::letter& l) { return cargo_.take(l.what); }

  sched::mailbox_of<atomics, Lock> box_;
  sched::extent range_;
  cargo<2> cargo_;
};

// What is done wrong by hand.
enum class flaw {
  none,
  no_last_look,  // the worker says that it sleeps, and sleeps
  wakes_first,   // the sender looks for the sleeper before it puts the letter in
};

/// Thread 0, a worker, takes a letter, and sleeps until there is one; thread 1 sends it. `wide`:
/// the worker may open letters that wear a range alone.
template <class A>
struct worker_sleeps {
  static constexpr int threads = 2;
  explicit worker_sleeps(bool wide, flaw what = flaw::none) : wide_(wide), what_(what) {}

  void run(int thread) {
    if (thread == 0) {
      sched::letter l;
      while (!take(l)) sleep();
      cargo_.take(l.what);
    } else {
      if (what_ == flaw::wakes_first) wake();
      box_.put({.what = cargo_.load(0), .range = wide_ ? &range_ : nullptr});
      if (what_ != flaw::wakes_first) wake();
    }
  }
  void check() { cargo_.expect_all_taken(); }

 private:
  bool take(sched::letter& l) { return wide_ ? box_.take_wide(l, any_range) : box_.take(l); }
  bool has_letter() const { return wide_ ? box_.has_wide(any_range) : !box_.empty(); }

  void sleep() {
    asleep_.store(1, relaxed);
    A::fence_full();
    if (what_ != flaw::no_last_look && has_letter()) return asleep_.store(0, relaxed);
    while (asleep_.load(acquire) == 1) A::futex_wait(asleep_, std::uint32_t{1});
  }

  void wake() {
    A::fence_full();
    if (asleep_.load(relaxed) == 0) return;
    if (asleep_.exchange(0, acq_rel) == 1) A::futex_wake(asleep_, 1);
  }

  bool wide_;
  flaw what_;
  sched::mailbox_of<A, checked_lock<true>> box_;
  typename A::template atomic<std::uint32_t> asleep_{0};
  sched::extent range_;
  cargo<1> cargo_;
};

TEST(mailbox, each_letter_is_opened_once) {
  expect_sound(explore<many_ways<checked_lock<true>>>({.name = "mailbox, in all ways"}));
}

TEST(mailbox, needs_its_lock) {
  expect_found(explore<many_ways<checked_lock<false>>>({.name = "mailbox, no lock"}), "data race");
}

TEST(mailbox, no_letter_is_overlooked) {
  for (const bool wide : {false, true})
    expect_sound(explore<worker_sleeps<atomics>>({.name = "mailbox of a sleeper"}, wide));
}

TEST(mailbox, a_sleeper_needs_fences_and_a_last_look) {
  for (const bool wide : {false, true}) {
    const options how{.name = "mailbox of a sleeper, flawed"};
    expect_found(explore<worker_sleeps<without_full_fence>>(how, wide), asleep_for_ever);
    expect_found(explore<worker_sleeps<atomics>>(how, wide, flaw::no_last_look), asleep_for_ever);
    expect_found(explore<worker_sleeps<atomics>>(how, wide, flaw::wakes_first), asleep_for_ever);
  }
}

}  // namespace
}  // namespace kasuri::model
