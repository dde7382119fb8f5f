// SPDX-License-Identifier: Apache-2.0
// The permits of an arena (src/sched/arena/permits.hpp), the very source with a modelled lock:
// workers that come with frames, go on with those that wait, and give their permits back; and the
// worker that keeps its frames from thieves while there is no permit. The sleep of a thief is
// reduced to one flag and the fences of answer_thieves and give_permit_back; idle_model.cpp has the
// rest.
#include "sched/arena/permits.hpp"

#include <gtest/gtest.h>

#include "cargo.hpp"
#include "expectations.hpp"
#include "flawed_atomics.hpp"
#include "model_lock.hpp"

namespace kasuri::model {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto acq_rel = std::memory_order_acq_rel;

constexpr const char* too_many = "more workers are in the arena than it has permits";

// What is done wrong by hand.
enum class flaw {
  none,
  forgets_next,  // a worker gives its permit back and leaves the frame that is to try again
  enters_full,   // a worker runs a frame although there is no permit
  full_is_last,  // the owner looks whether the arena is full before it shows its frame
};

/// Thread 0 has two frames of the arena, the others one each. A thread runs its frames or leaves
/// them there, and goes on with those that wait or are on their way.
template <class Lock, int Threads = 2>
struct workers_of_an_arena {
  static constexpr int threads = Threads;
  explicit workers_of_an_arena(int most, flaw what = flaw::none)
      : most_(most), what_(what), permits_(most) {}

  void run(int thread) {
    bool holds = false;
    run_frame(cargo_.load(thread), holds);
    if (thread == 0) run_frame(cargo_.load(threads), holds);
    while (detail::frame* const f = next(holds)) run_frame(f, holds);
  }

  void check() {
    cargo_.expect_all_taken();
    require(permits_.at_rest() && !permits_.has_sent(), "permits are missing at the end");
  }

 private:
  void run_frame(detail::frame* f, bool& holds) {
    if (holds) {
      if (permits_.has_sent()) send(permits_.arrived(f).next);
    } else if (what_ != flaw::enters_full && !(holds = permits_.take_or_wait(f))) {
      return;
    }
    require(running_.fetch_add(1, relaxed) < most_, too_many);
    cargo_.take(f);
    running_.fetch_sub(1, relaxed);
  }

  /// One at a time: the sender goes on only when it has taken one itself.
  void send(detail::frame* f) {
    if (f == nullptr || what_ == flaw::forgets_next) return;
    for (;;) {
      detail::frame* none = nullptr;
      if (sent_.compare_exchange_strong(none, f, acq_rel, relaxed)) return;
      atomics::pause();
    }
  }
  detail::frame* take_sent() {
    return sent_.load(relaxed) == nullptr ? nullptr : sent_.exchange(nullptr, acq_rel);
  }

  detail::frame* next(bool& holds) {
    if (detail::frame* f = take_sent()) return f;
    if (!holds) return nullptr;
    if (detail::frame* f = permits_.take_waiting()) return f;
    holds = false;
    send(permits_.give_back().next);
    return take_sent();
  }

  const int most_;
  const flaw what_;
  sched::permits_of<atomics, Lock> permits_;
  atomics::atomic<detail::frame*> sent_{nullptr};
  atomics::atomic<int> running_{0};
  cargo<threads + 1> cargo_;
};

/// An arena has one permit besides that of thread 0. Thread 1 takes it and gives it back, and wakes
/// the sleeper, thread 2, if there is a frame. Thread 0 shows a frame, and wakes the sleeper unless
/// the arena is full.
template <class A>
struct full_arena {
  static constexpr int threads = 3;
  explicit full_arena(flaw what = flaw::none) : what_(what) {}

  void run(int thread) {
    if (thread == 0) {
      const bool was_full = !permits_.has_room();
      shown_.store(1, relaxed);
      A::fence_full();
      if (what_ == flaw::full_is_last ? !was_full : permits_.has_room()) wake();
    } else if (thread == 1) {
      require(permits_.try_take(), "no permit of one");
      require(permits_.give_back().opened, "the arena was not full");
      A::fence_full();
      if (shown_.load(relaxed) != 0) wake();
    } else {
      while (asleep_.load(acquire) == 1) A::futex_wait(asleep_, std::uint32_t{1});
    }
  }
  void check() {}

 private:
  void wake() {
    if (asleep_.exchange(0, acq_rel) == 1) A::futex_wake(asleep_, 1);
  }

  const flaw what_;
  sched::permits_of<A, checked_lock<true>> permits_{1};
  typename A::template atomic<int> shown_{0};
  typename A::template atomic<std::uint32_t> asleep_{1};
};

TEST(permits, bound_the_workers_and_lose_no_frame) {
  for (const int most : {1, 2})
    expect_sound(
        explore<workers_of_an_arena<checked_lock<true>>>({.name = "permits of an arena"}, most));
}

// With three, a frame that is on its way may find no permit, and the next one is kept for it.
TEST(permits, bound_three_workers_and_lose_no_frame) {
  for (const int most : {1, 2})
    expect_sound(explore<workers_of_an_arena<checked_lock<true>, 3>>(
        {.name = "permits, few deviations", .reduce = false, .deviations = 3, .weak = false},
        most));
}

TEST(permits, need_their_lock) {
  expect_found(explore<workers_of_an_arena<checked_lock<false>>>({.name = "permits, no lock"}, 1),
               "data race");
}

TEST(permits, need_workers_that_do_as_they_are_told) {
  const options how{.name = "permits, flawed"};
  using flawed = workers_of_an_arena<checked_lock<true>>;
  expect_found(explore<flawed>(how, 1, flaw::forgets_next), lost_frame);
  expect_found(explore<flawed>(how, 1, flaw::enters_full), too_many);
}

TEST(permits, wake_a_sleeper_for_a_frame_that_was_kept) {
  expect_sound(explore<full_arena<atomics>>({.name = "full arena"}));
}

TEST(permits, need_fences_where_one_is_kept) {
  const options how{.name = "full arena, flawed"};
  expect_found(explore<full_arena<without_full_fence>>(how), asleep_for_ever);
  expect_found(explore<full_arena<atomics>>(how, flaw::full_is_last), asleep_for_ever);
}

}  // namespace
}  // namespace kasuri::model
