// SPDX-License-Identifier: Apache-2.0
// kasuri::mutex with a coroutine that waits until a time: the very source of lock_or_wait, leave
// and unlock_slow (src/task/mutex/mutex_word.hpp), with what the record's code does when it is run
// (src/task/mutex/mutex.cpp) and the timers' thread transcribed. Otherwise as
// coroutine_mutex_model.cpp: who wakes a coroutine goes on with it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expectations.hpp"
#include "flawed_atomics.hpp"
#include "model_lock.hpp"
#include "mutex_words.hpp"
#include "sched/kernel/timed_word.hpp"
#include "task/wait_list.hpp"

namespace kasuri::model {
namespace {

namespace timed_word = sched::timed_word;

// What is done wrong by hand.
enum class flaw {
  none,
  timer_is_late,    // the timer sends the record whatever its word says
  keeps_its_timer,  // a coroutine that was woken goes on without the lock of the timers
  stays_in_list,    // a coroutine whose time is over goes on and stands in the list still
};

// What each thread does: l begins a coroutine that locks and unlocks once, t one that tries to
// until a time, ! the time of that one comes. Thread 0 begins the one with a time, if there is one.
using calls = std::vector<std::string>;

template <class A, int count>
class timed_coroutine_program {
 public:
  static constexpr int threads = count;
  explicit timed_coroutine_program(const calls& of, flaw what = flaw::none)
      : calls_(of), what_(what) {
    for (int i = 0; i != count; ++i) records_[i].place = i;
  }

  void run(int thread) {
    left_[thread] = 0;
    for (const char call : calls_[static_cast<std::size_t>(thread)])
      if (call != '!') ++left_[thread];
    if (left_[thread] != 0) return begin(thread);
    time_comes();
  }

  void check() {
    int least = 0, most = 0;
    for (const std::string& each : calls_)
      for (const char call : each) {
        least += call == 'l' ? 1 : 0;
        most += call == '!' ? 0 : 1;
      }
    require(inside_ == entered_ && entered_ >= least && entered_ + late_ends_ == most,
            "a coroutine was lost");
    require(word_.load(relaxed) == 0 && last_ == nullptr, "the mutex is not as it was");
    require(!in_heap_, "a timer is left");
  }

 private:
  struct arrival {
    timed_coroutine_program& in;
    int coroutine;

    bool is_late() const { return in.has_time(coroutine) && in.time_is_over_.load(relaxed) != 0; }
    static bool looks_again() { return false; }
    static bool can_wait(bool) { return true; }
    void wait(bool again) { in.wait(coroutine, again); }
  };
  struct waiters {
    timed_coroutine_program& in;
    bool skipped = false;

    detail::suspended* take_first() {
      in.list_changes();
      for (;; skipped = true) {
        detail::suspended* const first = task::take_first(in.last_);
        if (first == nullptr || !in.has_time(first->place)) return first;
        require(in.record_ == 0, "a waker looks at a wait that has ended");
        if (timed_word::claim_or_drop(in.timed_)) return first;
      }
    }
    bool has_skipped() const { return skipped; }
    bool take_out() {
      in.list_changes();
      if (!timed_word::stands_in_list(in.timed_)) return false;
      sched::take_where(
          in.last_, 1, [](const detail::suspended& s) { return s.place == 0; },
          [](detail::suspended&) {});
      return true;
    }
    bool empty() const { return in.last_ == nullptr; }
    static void not_locked() { require(false, "the mutex is not locked"); }
  };

  bool has_time(int c) const { return c == 0 && calls_[0][0] == 't'; }

  void begin(int c) {
    mark_[c] = 0;
    if (lock_free(word_)) return has_it(c);
    looked(c, false);
  }

  void looked(int c, bool again) {
    arrival me{*this, c};
    const word::look did = word::lock_or_wait<A>(word_, me, again);
    if (did == word::look::has_mutex) has_it(c);
    if (did == word::look::gives_up) ends_late(c);
  }

  /// The coroutine leaves its stack.
  void wait(int c, bool again) {
    list_changes();
    if (has_time(c)) {
      timed_.store(timed_word::waits, relaxed);
      again_ = again ? 1 : 0;
      late_ = 0;
    }
    if (again)
      task::prepend(last_, &records_[c]);
    else
      task::append(last_, &records_[c]);
    if (has_time(c)) {
      timers_.lock();
      in_heap_ = true;
      timers_.unlock();
    }
    word::end_of_queueing(word_);
  }

  /// A worker runs the record.
  void go_on(int c) {
    if (has_time(c)) {
      if (late_ != 0) return leave();
      if (what_ != flaw::keeps_its_timer) {
        timers_.lock();
        in_heap_ = false;
        timers_.unlock();
      }
    }
    const bool woken_before = mark_[c] != 0;
    mark_[c] = 1;
    if (woken_before) return has_it(c);
    looked(c, true);
  }

  void leave() {
    if (what_ == flaw::stays_in_list) return ends_late(0);
    waiters list{*this};
    if (word::leave<A>(word_, list, again_ != 0)) return has_it(0);
    ends_late(0);
  }

  /// The coroutine goes on: uses what the mutex guards, lets it go, and ends.
  void has_it(int c) {
    inside_ = inside_ + 1;
    ++entered_;
    const int woken = unlock();
    ends(c);
    if (woken >= 0) go_on(woken);
  }
  void ends_late(int c) {
    ++late_ends_;
    ends(c);
  }
  /// The next of its thread begins, with the same record.
  void ends(int c) {
    if (has_time(c)) record_ = record_ + 1;  // it is gone
    if (--left_[c] != 0) begin(c);
  }

  int unlock() {
    if (unlock_alone(word_)) return -1;
    waiters list{*this};
    detail::suspended* const first = word::unlock_slow<A>(word_, list);
    return first == nullptr ? -1 : first->place;
  }

  void time_comes() {
    bool sends = false;
    time_is_over_.store(1, relaxed);
    timers_.lock();
    if (in_heap_) {
      in_heap_ = false;
      require(record_ == 0, "the timer looks at a wait that has ended");
      sends = timed_word::time_is_over(timed_) || what_ == flaw::timer_is_late;
      if (sends) late_ = 1;
    }
    timers_.unlock();
    if (sends) go_on(0);
  }

  void list_changes() { changes_ = changes_ + 1; }

  const calls& calls_;
  const flaw what_;
  typename A::template atomic<std::uint32_t> word_{0};
  typename A::template atomic<std::uint32_t> timed_{0};
  atomic<std::uint32_t> time_is_over_{0};
  model_lock<atomics> timers_;
  plain<int> inside_{0};
  plain<int> changes_{0};  // of the list
  plain<int> mark_[count];
  plain<int> record_{0};  // of the coroutine with a time
  plain<int> late_{0};
  plain<int> again_{0};
  bool in_heap_ = false;  // under the lock of the timers
  int left_[count];
  int entered_ = 0;
  int late_ends_ = 0;
  detail::suspended* last_ = nullptr;
  detail::suspended records_[count];
};

template <class A>
report with(const calls& of, flaw what = flaw::none, int deviations = 3) {
  options how{.name = "timed mutex of coroutines"};
  for (const std::string& each : of) how.name += ' ' + each;
  how.reduce = false;
  how.deviations = deviations;
  return of.size() == 3 ? explore<timed_coroutine_program<A, 3>>(how, std::cref(of), what)
                        : explore<timed_coroutine_program<A, 4>>(how, std::cref(of), what);
}

TEST(timed_coroutine_mutex, excludes_and_loses_nobody) {
  expect_sound(with<atomics>({"t", "l", "!"}, flaw::none, 4));
  expect_sound(with<atomics>({"t", "ll", "!"}));
  expect_sound(with<atomics>({"t", "l", "!", "l"}, flaw::none, 2));
}

TEST(timed_coroutine_mutex, needs_its_orders) {
  expect_found(with<without_orders>({"t", "l", "!"}), "data race");
  expect_found(with<without_acquire>({"t", "l", "!"}), "data race");
  expect_found(with<without_release>({"t", "l", "!"}), "data race");
}

TEST(timed_coroutine_mutex, the_timer_sends_whom_it_has_claimed_only) {
  expect_found(with<atomics>({"t", "l", "!"}, flaw::timer_is_late), "data race");
}

TEST(timed_coroutine_mutex, a_coroutine_removes_its_timer_before_it_goes_on) {
  expect_found(with<atomics>({"t", "l", "!"}, flaw::keeps_its_timer), "data race");
}

TEST(timed_coroutine_mutex, a_coroutine_that_is_late_takes_itself_out) {
  expect_found(with<atomics>({"t", "l", "!"}, flaw::stays_in_list), "data race");
}

}  // namespace
}  // namespace kasuri::model
