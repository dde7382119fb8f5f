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
  child_counted_late,  // an executor reports the end of its task before it counts the child
  gives_up_early,      // the owner gives the count up, and starts one more
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
    start(0);
    if (what_ != flaw::gives_up_early) start(1);
    if (count_.give_up()) see_last();
    if (what_ == flaw::gives_up_early) start(1);
  }

  void start(int task) {
    count_.start_here();
    queued_[task].store(true, release);
  }

  void execute(int thread) {
    while (!queued_[thread - 1].load(acquire)) A::pause();
    done_[thread - 1] = 1;
    std::int64_t ends = 1;
    if (thread == 1) {  // its task has a child, which runs on top of it
      if (what_ == flaw::child_counted_late && count_.end_elsewhere(ends--)) see_last();
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
  expect_found(with<atomics>(flaw::child_counted_late), ended_twice);
  expect_found(with<atomics>(flaw::gives_up_early), ended_early);
}

}  // namespace
}  // namespace kasuri::model
