// SPDX-License-Identifier: Apache-2.0
// The count of a group (include/kasuri/detail/group_count.hpp), the very source. Around it, as in
// task/group.cpp: an owner starts a task on each of two other executors; one of these starts one
// more on itself; each reports its ends in one step; and the thread that sees the last end, the
// owner or an executor, reads what all of them wrote.
#include "kasuri/detail/group_count.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "flawed_atomics.hpp"

namespace kasuri::model {
namespace {

constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr const char* ended_twice = "two threads have seen the last end";
constexpr const char* never_ended = "no thread has seen the last end";
constexpr const char* ended_early = "the last end was seen before a task had ended";

// What is done wrong by hand.
enum class flaw {
  none,
  starts_late,      // an executor queues its task before it is counted
  looks_then_ends,  // the owner looks whether all have ended, and reports that, without giving up
};

/// Thread 0 is the owner, 1 and 2 are the others.
template <class A>
struct two_executors {
  static constexpr int threads = 3;
  explicit two_executors(flaw what = flaw::none) : what_(what) {}

  void run(int thread) { thread == 0 ? own() : execute(thread); }

  void check() {
    require(seen_last_ != 0, never_ended);
    require(seen_last_ == 1, ended_twice);
  }

 private:
  void own() {
    for (auto& queued : queued_) {
      if (what_ != flaw::starts_late) count_.start_here();
      queued.store(true, release);
      if (what_ == flaw::starts_late) count_.start_here();
    }
    const bool all =
        what_ == flaw::looks_then_ends ? count_.all_ended() || count_.give_up() : count_.give_up();
    if (all) see_last();
  }

  void execute(int thread) {
    while (!queued_[thread - 1].load(acquire)) A::pause();
    done_[thread - 1] = 1;
    std::int64_t ends = 1;
    if (thread == 1) {  // its task has a child, which runs on top of it
      count_.start_elsewhere();
      ++ends;
    }
    if (count_.end_elsewhere(ends)) see_last();
  }

  void see_last() {
    ++seen_last_;
    for (auto& task : done_) require(task == 1, ended_early);
  }

  flaw what_;
  detail::group_count<A> count_;
  typename A::template atomic<bool> queued_[2]{{false}, {false}};
  plain<int> done_[2]{{0}, {0}};
  int seen_last_ = 0;
};

template <class A>
report with(flaw what = flaw::none) {
  return explore<two_executors<A>>({.name = "count of a group, two executors",
                                    .locations = {"elsewhere", "queued 1", "queued 2"}},
                                   what);
}

TEST(group_count, one_thread_sees_the_last_end) { expect_sound(with<atomics>()); }

TEST(group_count, needs_its_orders) {
  expect_found(with<without_orders>(), "data race");
  expect_found(with<without_release>(), "data race");
  expect_found(with<without_acquire>(), "data race");
}

TEST(group_count, counts_before_it_queues_and_gives_up_once) {
  expect_found(with<atomics>(flaw::starts_late), never_ended);
  expect_found(with<atomics>(flaw::looks_then_ends), ended_twice);
}

}  // namespace
}  // namespace kasuri::model
