// SPDX-License-Identifier: Apache-2.0
// kasuri::mutex with coroutines: the very source of lock_or_wait and unlock_slow
// (src/task/mutex/mutex_word.hpp). A coroutine that waits leaves its record in the list and its
// thread ends; the thread that wakes it goes on with it, as the worker that runs its record does
// (src/task/mutex/mutex.cpp). The record's mark is plain data, as are the list and what the mutex
// guards: so a record that is used beside its waker is a race.
#include <gtest/gtest.h>

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
  owns_when_woken,  // the first wake is taken for the mutex
  marks_late,       // the mark that it was woken is set when it stands in the list again
};

/// Each thread begins a coroutine that takes the mutex `turns` times, and goes on with those that
/// it wakes.
template <class A, int count>
class coroutine_program {
 public:
  static constexpr int threads = count;
  explicit coroutine_program(int turns, flaw what = flaw::none) : turns_(turns), what_(what) {
    for (int i = 0; i != count; ++i) {
      records_[i].place = i;
      left_[i] = turns;
    }
  }

  void run(int thread) {
    mark_[thread] = 0;
    lock(thread);
  }

  void check() {
    require(inside_ == count * turns_, "a turn was lost");
    require(word_.load(relaxed) == 0 && last_ == nullptr, "the mutex is not as it was");
  }

 private:
  struct arrival {
    coroutine_program& in;
    int coroutine;

    static bool is_late() { return false; }
    static bool looks_again() { return false; }
    static bool can_wait(bool) { return true; }
    void wait(bool again) { in.wait(coroutine, again); }
  };
  struct waiters {
    coroutine_program& in;

    detail::suspended* take_first() {
      in.list_changes();
      return task::take_first(in.last_);
    }
    static bool has_skipped() { return false; }
    bool empty() const { return in.last_ == nullptr; }
    static void not_locked() { require(false, "the mutex is not locked"); }
  };

  void lock(int c) {
    arrival me{*this, c};
    if (lock_free(word_) || word::lock_or_wait<A>(word_, me, false) == word::look::has_mutex)
      has_it(c);
  }

  /// A worker runs the record.
  void go_on(int c) {
    const bool woken_before = mark_[c] != 0;
    if (what_ != flaw::marks_late) mark_[c] = 1;
    arrival me{*this, c};
    if (woken_before || what_ == flaw::owns_when_woken ||
        word::lock_or_wait<A>(word_, me, true) == word::look::has_mutex)
      return has_it(c);
    if (what_ == flaw::marks_late) mark_[c] = 1;
  }

  /// The coroutine goes on: uses what the mutex guards, lets it go, and comes for its next turn.
  void has_it(int c) {
    inside_ = inside_ + 1;
    const bool more = --left_[c] != 0;
    const int woken = unlock();
    if (more) {
      mark_[c] = 0;
      lock(c);
    }
    if (woken >= 0) go_on(woken);
  }

  int unlock() {
    if (unlock_alone(word_)) return -1;
    waiters list{*this};
    detail::suspended* const first = word::unlock_slow<A>(word_, list);
    return first == nullptr ? -1 : first->place;
  }

  void wait(int c, bool again) {
    list_changes();
    if (again)
      task::prepend(last_, &records_[c]);
    else
      task::append(last_, &records_[c]);
    word::end_of_queueing(word_);
  }

  void list_changes() { changes_ = changes_ + 1; }

  const int turns_;
  const flaw what_;
  typename A::template atomic<std::uint32_t> word_{0};
  plain<int> inside_{0};
  plain<int> changes_{0};  // of the list
  plain<int> mark_[count];
  int left_[count];
  detail::suspended* last_ = nullptr;
  detail::suspended records_[count];
};

template <class A, int count>
report with(int turns, flaw what = flaw::none, int deviations = 0) {
  options how{.name = "mutex of coroutines", .locations = {"word"}};
  how.name += ' ' + std::to_string(turns);
  if (deviations != 0) {
    how.reduce = false;
    how.deviations = deviations;
  }
  return explore<coroutine_program<A, count>>(how, turns, what);
}

TEST(coroutine_mutex, excludes_and_loses_nobody) {
  expect_sound(with<atomics, 2>(1));
  expect_sound(with<atomics, 2>(2));
  expect_sound(with<atomics, 3>(1, flaw::none, 4));
}

TEST(coroutine_mutex, needs_its_orders) {
  expect_found(with<without_orders, 2>(1), "data race");
  expect_found(with<without_release, 2>(1), "data race");
  expect_found(with<without_acquire, 2>(1), "data race");
}

TEST(coroutine_mutex, a_wake_is_not_the_mutex) {
  expect_found(with<atomics, 2>(2, flaw::owns_when_woken), "the mutex is not locked");
}

TEST(coroutine_mutex, a_record_that_stands_in_the_list_is_the_wakers) {
  expect_found(with<atomics, 3>(1, flaw::marks_late, 4), "data race");
}

}  // namespace
}  // namespace kasuri::model
