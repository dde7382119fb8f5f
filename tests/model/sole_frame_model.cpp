// SPDX-License-Identifier: Apache-2.0
// What only one worker may run (src/sched/kernel/sole_frame.hpp), the very source: two bring at
// once, and the worker and the monitor take at once. No frame is overwritten unseen and none runs
// twice. And the word as it once stood in worker.hpp, where who brought looked first and wrote
// then; and with a look and a write for the taker.
#include "sched/kernel/sole_frame.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "flawed_atomics.hpp"

namespace kasuri::model {
namespace {

struct work {
  plain<int> made{0};
};

/// As it stood. `bring_in_two` and `take_in_two` say whose step is two.
template <class A, bool bring_in_two, bool take_in_two>
class in_two_steps {
 public:
  bool bring(work* f) noexcept {
    if (!bring_in_two) {
      work* nothing = nullptr;
      return word_.compare_exchange_strong(nothing, f, std::memory_order_release,
                                           std::memory_order_relaxed);
    }
    if (word_.load(std::memory_order_relaxed) != nullptr) return false;
    word_.store(f, std::memory_order_release);
    return true;
  }
  work* take() noexcept {
    if (!take_in_two) return word_.exchange(nullptr, std::memory_order_acquire);
    work* const f = word_.load(std::memory_order_acquire);
    if (f != nullptr) word_.store(nullptr, std::memory_order_relaxed);
    return f;
  }

 private:
  typename A::template atomic<work*> word_{nullptr};
};

template <class A>
using source = sched::sole_frame<A, work>;
template <class A>
using looks_then_writes = in_two_steps<A, true, false>;
template <class A>
using takes_in_two = in_two_steps<A, false, true>;

/// Threads 0 and 1 bring a frame each, thread 2 takes what is there.
template <class Word>
struct two_bring {
  static constexpr int threads = 3;
  void run(int thread) {
    if (thread == 2) {
      count(word_.take());
      return;
    }
    frames_[thread].made = 1;
    refused_[thread] = !word_.bring(&frames_[thread]);
  }
  void check() {
    count(word_.take());
    require(taken_ + refused_[0] + refused_[1] == 2, "a frame was overwritten");
  }

 private:
  void count(work* f) {
    if (f == nullptr) return;
    require(f->made == 1, "a frame before it was made");
    ++taken_;
  }
  Word word_;
  work frames_[2];
  int taken_ = 0;
  bool refused_[2] = {false, false};
};

/// Thread 0 brings, threads 1 and 2 take: the worker and the monitor.
template <class Word>
struct two_take {
  static constexpr int threads = 3;
  void run(int thread) {
    if (thread == 0) {
      frame_.made = 1;
      require(word_.bring(&frame_), "refused");
    } else if (work* const f = word_.take()) {
      f->made = f->made + 1;
      ++taken_[thread - 1];
    }
  }
  void check() {
    taken_[0] += word_.take() != nullptr ? 1 : 0;
    require(taken_[0] + taken_[1] == 1, "a frame runs twice");
  }

 private:
  Word word_;
  work frame_;
  int taken_[2] = {0, 0};
};

constexpr const char* overwritten = "a frame was overwritten";

TEST(sole_frame, none_is_overwritten_and_none_runs_twice) {
  expect_sound(explore<two_bring<source<atomics>>>({.name = "two bring"}));
  expect_sound(explore<two_take<source<atomics>>>({.name = "two take"}));
}

TEST(sole_frame, a_look_and_then_a_write_loses_one) {
  expect_found(explore<two_bring<looks_then_writes<atomics>>>({.name = "looks, then writes"}),
               overwritten);
}

TEST(sole_frame, who_takes_takes_in_one_step) {
  expect_found(explore<two_take<takes_in_two<atomics>>>({.name = "takes in two steps"}),
               "data race");
}

TEST(sole_frame, needs_its_orders) {
  expect_found(explore<two_take<source<without_orders>>>({.name = "without orders"}), "data race");
}

}  // namespace
}  // namespace kasuri::model
