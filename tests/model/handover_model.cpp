// SPDX-License-Identifier: Apache-2.0
// The word in which an owner hands a thief a frame (src/sched/kernel/handover.hpp), the very
// source. Around it, as in steal.cpp and search.cpp: the thief asks one owner after the other, and
// each owner offers every frame that it makes to whoever has asked it.
#include "sched/kernel/handover.hpp"

#include <gtest/gtest.h>

#include "cargo.hpp"
#include "expectations.hpp"
#include "flawed_atomics.hpp"

namespace kasuri::model {
namespace {

constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

// What is done wrong by hand.
enum class flaw {
  none,
  opens_without_closing,  // the thief turns to another owner without a last look
  closes_unseen,          // the thief takes "not answered" for an answer, and then closes
  keeps_what_it_gave,     // the owner runs the frame although it has given it away
};

/// Thread 0 is the thief. Threads 1 and 2 are the owners of these numbers; each makes two frames.
template <class A>
struct asks_two_owners {
  static constexpr int threads = 3;
  explicit asks_two_owners(flaw what = flaw::none) : what_(what) {}

  void run(int thread) { thread == 0 ? steal() : make(thread); }
  void check() { cargo_.expect_all_taken(); }

 private:
  static constexpr int frames_of_each = 2;

  void steal() {
    for (const int owner : {1, 2}) {
      answer_.open(owner);
      require(answer_.is_open() && answer_.awaits(owner) && answer_.owner() == owner,
              "it is not open for that owner");
      asks_[owner - 1].store(true, release);
      if (answer_.answered()) take(answer_.close());
      if (what_ == flaw::closes_unseen && answer_.is_open()) {
        if (!answer_.answered()) answer_.close();
        continue;
      }
      if (what_ == flaw::opens_without_closing && owner == 1) continue;
      take(answer_.close());
    }
  }

  void make(int owner) {
    for (int i = 0; i != frames_of_each; ++i) {
      detail::frame* const f = cargo_.load((owner - 1) * frames_of_each + i);
      const bool given = asks_[owner - 1].load(acquire) && answer_.give(owner, f);
      if (!given || what_ == flaw::keeps_what_it_gave) take(f);
    }
  }

  void take(detail::frame* f) {
    if (f != nullptr) cargo_.take(f);
  }

  flaw what_;
  sched::handover<A> answer_;
  typename A::template atomic<bool> asks_[2]{{false}, {false}};
  cargo<2 * frames_of_each> cargo_;
};

template <class A>
report with(flaw what = flaw::none) {
  return explore<asks_two_owners<A>>(
      {.name = "handover, two owners", .locations = {"answer", "asks 1", "asks 2"}}, what);
}

TEST(handover, each_frame_is_run_once) { expect_sound(with<atomics>()); }

TEST(handover, needs_its_orders) {
  expect_found(with<without_orders>(), "data race");
  expect_found(with<without_release>(), "data race");
  expect_found(with<without_acquire>(), "data race");
}

TEST(handover, needs_locked_instructions) { expect_found(with<torn>(), lost_frame); }

TEST(handover, the_thief_closes_and_looks) {
  expect_found(with<atomics>(flaw::opens_without_closing), lost_frame);
  expect_found(with<atomics>(flaw::closes_unseen), lost_frame);
  expect_found(with<atomics>(flaw::keeps_what_it_gave), taken_twice);
}

}  // namespace
}  // namespace kasuri::model
