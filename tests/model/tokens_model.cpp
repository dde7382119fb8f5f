// SPDX-License-Identifier: Apache-2.0
// Tokens that pass from hand to hand (src/sched/kernel/idle.hpp, the very source; waker.cpp and
// search.cpp around it, transcribed): a guest that leaves, a frame that one worker alone may run, a
// guest that asks to be let in. `borrowed_fence`: the locked instruction on the word is taken for a
// fence, as it once was.
#include <gtest/gtest.h>

#include "expectations.hpp"
#include "flawed_atomics.hpp"
#include "sched/kernel/idle.hpp"

namespace kasuri::model {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto acq_rel = std::memory_order_acq_rel;

template <class A>
using word_of = typename A::template atomic<std::uint32_t>;

template <class A>
void doze(word_of<A>& asleep) {
  while (asleep.load(acquire) == sched::flag::dozing) A::futex_wait(asleep, sched::flag::dozing);
}

template <class A>
void wake(word_of<A>& asleep) {
  asleep.exchange(sched::flag::awake, acq_rel);
  A::futex_wake(asleep, 1);
}

// What is done wrong by hand, in each program: it does not look again, or looks before it has told.
enum class flaw { none, no_last_look };

/// Thread 0, a guest, has the only token and leaves, waking nobody without need (pool::dismiss).
/// Thread 1 sends a frame meanwhile. Thread 2, a worker, sleeps until it is woken for the frame.
template <class A>
struct guest_leaves {
  static constexpr int threads = 3;
  explicit guest_leaves(flaw what = flaw::none) : what_(what) {
    idle_.reset(1, 1);
    idle_.try_enter();
  }

  void run(int thread) {
    if (thread == 0) {
      if (idle_.leave(0))
        wake<A>(asleep_);
      else if (what_ != flaw::no_last_look && inbox_.load(relaxed) != 0)
        work_is_visible();
    } else if (thread == 1) {
      inbox_.store(1, release);
      A::fence_full();
      work_is_visible();
    } else {
      doze<A>(asleep_);
    }
  }
  void check() { require(idle_.counts().active == 1, "the worker has no token"); }

 private:
  void work_is_visible() {
    if (idle_.claim()) wake<A>(asleep_);
  }

  flaw what_;
  sched::idle<A> idle_;
  word_of<A> inbox_{0};
  word_of<A> asleep_{sched::flag::dozing};
};

/// Thread 0, a worker, goes to sleep; thread 1 delivers a frame that this worker alone may run.
/// `fences`: as in pool::deliver and pool::step_aside.
template <class A>
struct frame_for_one {
  static constexpr int threads = 2;
  explicit frame_for_one(flaw what = flaw::none) : what_(what) {
    idle_.reset(0, 2);
    idle_.try_enter();
    idle_.try_enter();
    idle_.start_search();
  }

  void run(int thread) {
    if (thread == 0) {
      asleep_.store(sched::flag::dozing, relaxed);
      idle_.fall_asleep();
      A::fence_full();
      if (what_ != flaw::no_last_look && returning_.load(relaxed) != 0) call();
      doze<A>(asleep_);
      require(returning_.exchange(0, acquire) == 1, "woken for nothing");
    } else {
      returning_.store(1, release);
      A::fence_full();
      call();
    }
  }
  void check() {}

 private:
  void call() {
    while (asleep_.load(relaxed) != sched::flag::awake) {
      if (!idle_.claim_for_one()) {
        A::pause();
        continue;
      }
      if (asleep_.exchange(sched::flag::awake, acq_rel) == sched::flag::awake)
        idle_.give_back();
      else
        A::futex_wake(asleep_, 1);
      return;
    }
  }

  flaw what_;
  sched::idle<A> idle_;
  word_of<A> returning_{0};
  word_of<A> asleep_{sched::flag::awake};
};

/// Thread 0 holds the only token and puts the limit of its deque back, because it was asked before;
/// then it looks whether to step aside (answer_thieves, push_slow). Thread 1, a guest, waits for
/// the token and asks (pool:: wait_for_token). One of the two must see the other: else the guest
/// waits until the task ends.
template <class A>
struct guest_asks {
  static constexpr int threads = 2;
  explicit guest_asks(flaw what = flaw::none) : what_(what) {
    idle_.reset(0, 1);
    idle_.try_enter();
  }

  void run(int thread) {
    if (thread == 0) {
      if (what_ == flaw::no_last_look) seen_ = idle_.crowded();
      limit_.store(1, relaxed);
      A::fence_full();
      if (what_ != flaw::no_last_look) seen_ = idle_.crowded();
    } else if (idle_.start_waiting()) {
      if (limit_.load(relaxed) != 0) limit_.store(0, relaxed);
    }
  }
  void check() { require(seen_ || limit_.load() == 0, "nobody sees the guest"); }

 private:
  flaw what_;
  sched::idle<A> idle_;
  word_of<A> limit_{0};
  bool seen_ = false;
};

/// Thread 0, a guest, has the only token and leaves. Thread 1, a guest that found none and brought
/// one, sends a frame and leaves. Thread 2, a worker, sleeps until it is woken for the frame.
/// `counts_apart`: the guest takes its token out of the limit first, and gives up running behind
/// it.
template <class A>
struct guest_with_token {
  static constexpr int threads = 3;
  explicit guest_with_token(flaw what = flaw::none, bool counts_apart = false)
      : what_(what), apart_(counts_apart) {
    idle_.reset(1, 1);
    idle_.try_enter();
    idle_.enter_with_token();
  }

  void run(int thread) {
    if (thread == 0) {
      if (idle_.leave(0))
        wake<A>(asleep_);
      else if (what_ != flaw::no_last_look && inbox_.load(relaxed) != 0)
        work_is_visible();
    } else if (thread == 1) {
      inbox_.store(1, release);
      A::fence_full();
      work_is_visible();
      if (apart_) {
        idle_.remove_token();
        idle_.leave();
      } else {
        idle_.leave_with_token();
      }
    } else {
      doze<A>(asleep_);
    }
  }
  void check() {
    require(idle_.counts().active == 1, "the worker has no token");
    require(idle_.counts().limit == 1, "a token is left over");
  }

 private:
  void work_is_visible() {
    if (idle_.claim()) wake<A>(asleep_);
  }

  flaw what_;
  bool apart_;
  sched::idle<A> idle_;
  word_of<A> inbox_{0};
  word_of<A> asleep_{sched::flag::dozing};
};

/// What stood in the sources: the change of the word, by a compare-and-swap that is sequentially
/// consistent, and then a look at another word.
template <class A>
struct borrowed_fence {
  static constexpr int threads = 2;
  void run(int thread) {
    if (thread == 0) {
      std::uint32_t one = 1;
      word_.compare_exchange_strong(one, 0, std::memory_order_seq_cst, relaxed);
      left_sees_ = inbox_.load(relaxed) != 0;
    } else {
      inbox_.store(1, release);
      A::fence_full();
      sender_sees_ = word_.load(relaxed) == 0;
    }
  }
  void check() { require(left_sees_ || sender_sees_, "a frame that nobody is woken for"); }

 private:
  word_of<A> word_{1};
  word_of<A> inbox_{0};
  bool left_sees_ = false;
  bool sender_sees_ = false;
};

TEST(tokens, no_frame_and_no_guest_is_overlooked) {
  expect_sound(explore<guest_leaves<atomics>>({.name = "a guest leaves"}));
  expect_sound(explore<guest_with_token<atomics>>({.name = "a guest with a token"}));
  expect_sound(explore<frame_for_one<atomics>>({.name = "a frame for one worker"}));
  expect_sound(explore<guest_asks<atomics>>({.name = "a guest asks"}));
}

constexpr const char* guest_unseen = "nobody sees the guest";

TEST(tokens, need_their_fences) {
  expect_found(explore<guest_leaves<without_full_fence>>({.name = "a guest leaves"}),
               asleep_for_ever);
  expect_found(explore<frame_for_one<without_full_fence>>({.name = "a frame for one"}),
               asleep_for_ever);
  expect_found(explore<guest_asks<without_full_fence>>({.name = "a guest asks"}), guest_unseen);
}

TEST(tokens, who_gives_one_up_looks_again) {
  constexpr flaw what = flaw::no_last_look;
  expect_found(explore<guest_leaves<atomics>>({.name = "a guest leaves"}, what), asleep_for_ever);
  expect_found(explore<guest_with_token<atomics>>({.name = "a guest with a token"}, what),
               asleep_for_ever);
  expect_found(explore<frame_for_one<atomics>>({.name = "a frame for one"}, what), asleep_for_ever);
  expect_found(explore<guest_asks<atomics>>({.name = "a guest asks"}, what), guest_unseen);
}

// Between the two a free token shows that is none, or the last one is gone: nobody is woken.
TEST(tokens, a_guest_takes_its_token_along_at_once) {
  expect_found(
      explore<guest_with_token<atomics>>({.name = "a guest with a token"}, flaw::none, true),
      asleep_for_ever);
}

TEST(tokens, a_locked_instruction_is_no_fence) {
  expect_found(explore<borrowed_fence<atomics>>({.name = "borrowed"}),
               "a frame that nobody is woken for");
}

}  // namespace
}  // namespace kasuri::model
