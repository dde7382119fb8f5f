// SPDX-License-Identifier: Apache-2.0
// kasuri::mutex: the very source of its slow paths (src/task/mutex/mutex_word.hpp) and of its list
// (src/task/wait_list.hpp). A suspension is a wait for a flag; the list is noted as plain data, so
// that a change of it beside another one is a race.
#include "task/mutex/mutex_word.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "flawed_atomics.hpp"
#include "mutex_words.hpp"
#include "task/wait_list.hpp"

namespace kasuri::model {
namespace {

// What is done wrong by hand.
enum class flaw {
  none,
  says_so_first,  // the thread says that it stands in the list before it does
  always_behind,  // a thread that lost queues behind the others
};

/// Thread i takes the mutex turns[i] times; if `turns` is negative it tries to, and does without
/// where another has it.
template <class A, int count>
class mutex_program {
 public:
  static constexpr int threads = count;
  explicit mutex_program(const std::vector<int>& turns, flaw what = flaw::none)
      : turns_(turns), what_(what) {
    for (int i = 0; i != count; ++i) records_[i].place = i;
  }

  void run(int thread) {
    const int turns = turns_[static_cast<std::size_t>(thread)];
    for (int i = 0; i != std::abs(turns); ++i) {
      if (turns > 0) lock(thread);
      if (turns < 0 && !word::try_lock(word_)) continue;
      inside_ = inside_ + 1;
      ++entered_;
      unlock();
    }
  }

  void check() {
    int least = 0;
    for (const int n : turns_) least += n > 0 ? n : 0;
    require(inside_ == entered_ && entered_ >= least, "an increment was lost");
    require(word_.load(relaxed) == 0 && last_ == nullptr, "the mutex is not as it was");
  }

 private:
  struct arrival {
    mutex_program& in;
    int thread;

    // The looks are counted, and pause() takes every turn for the same.
    static bool looks_again() { return false; }
    static bool is_late() { return false; }
    static bool can_wait(bool) { return true; }
    word::end_of_wait wait(bool again) {
      in.wait(thread, again);
      return word::end_of_wait::wake;
    }
  };
  struct waiters {
    mutex_program& in;

    detail::suspended* take_first() {
      in.list_changes();
      detail::suspended* const first = task::take_first(in.last_);
      require(first != nullptr, "waiters are said to be there, but the list is empty");
      return first;
    }
    static bool has_skipped() { return false; }
    bool empty() const { return in.last_ == nullptr; }
    static void not_locked() { require(false, "the mutex is not locked"); }
  };

  void lock(int thread) {
    if (lock_free(word_)) return;
    arrival me{*this, thread};
    require(word::lock_slow<A>(word_, me), "a wait without a time gave up");
  }

  void unlock() {
    if (unlock_alone(word_)) return;
    waiters list{*this};
    if (detail::suspended* const first = word::unlock_slow<A>(word_, list)) wake(first->place);
  }

  void wait(int thread, bool again) {
    asleep_[thread].store(1, relaxed);
    if (what_ == flaw::says_so_first) word::end_of_queueing(word_);
    list_changes();
    if (again && what_ != flaw::always_behind)
      task::prepend(last_, &records_[thread]);
    else
      task::append(last_, &records_[thread]);
    if (what_ != flaw::says_so_first) word::end_of_queueing(word_);
    while (asleep_[thread].load(acquire) == 1) atomics::pause();
  }

  void wake(int thread) { asleep_[thread].store(0, release); }

  void list_changes() { changes_ = changes_ + 1; }

  const std::vector<int>& turns_;
  const flaw what_;
  typename A::template atomic<std::uint32_t> word_{0};
  atomic<std::uint32_t> asleep_[count];
  plain<int> inside_{0};
  plain<int> changes_{0};  // of the list
  int entered_ = 0;
  detail::suspended* last_ = nullptr;
  detail::suspended records_[count];
};

/// Two threads are explored without a bound, three with so many deviations from the plain run.
template <class A>
report with(const std::vector<int>& turns, flaw what = flaw::none, int deviations = 2) {
  options how{.name = "mutex", .locations = {"word", "asleep 0", "asleep 1", "asleep 2"}};
  for (const int n : turns) how.name += ' ' + std::to_string(n);
  if (turns.size() == 2) return explore<mutex_program<A, 2>>(how, std::cref(turns), what);
  how.reduce = false;
  how.deviations = deviations;
  return explore<mutex_program<A, 3>>(how, std::cref(turns), what);
}

TEST(mutex, excludes_and_loses_nobody) {
  expect_sound(with<atomics>({1, 1}));
  expect_sound(with<atomics>({2, 1}));
  expect_sound(with<atomics>({3, 1}));
  expect_sound(with<atomics>({2, -2}));
  expect_sound(with<atomics>({1, 1, 1}, flaw::none, 3));
  expect_sound(with<atomics>({2, 1, 1}));
}

TEST(mutex, needs_its_orders) {
  expect_found(with<without_orders>({1, 1}), "data race");
  expect_found(with<without_release>({1, 1}), "data race");
  expect_found(with<without_acquire>({1, 1}), "data race");
  expect_found(with<without_acquire>({1, -1}), "data race");
}

TEST(mutex, needs_each_bit) {
  expect_found(with<without_bits<word::waiting>>({1, 1}), waits_for_ever);
  expect_found(with<without_bits<word::guard>>({1, 1}), "data race");
  expect_found(with<without_bits<word::woken>>({3, 1, 1}), "the mutex is not locked");
  expect_found(with<without_bits<word::hand_off>>({2, 1}), "the mutex is not locked");
}

TEST(mutex, a_thread_queues_and_then_says_so) {
  expect_found(with<atomics>({1, 1}, flaw::says_so_first), "data race");
}

// The hand-over gives the mutex to the first in the list.
TEST(mutex, a_thread_that_lost_queues_in_front) {
  expect_found(with<atomics>({2, 1, 1}, flaw::always_behind), waits_for_ever);
}

}  // namespace
}  // namespace kasuri::model
