// SPDX-License-Identifier: Apache-2.0
// kasuri::mutex with waits that end by their time: the very source of lock_slow, leave and
// unlock_slow (src/task/mutex/mutex_word.hpp), with the list and the
// timers' thread transcribed from src/task/mutex/mutex.cpp and src/sched/time. Otherwise as
// mutex_model.cpp.
#include "task/mutex/mutex_word.hpp"

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
  timer_is_late,     // the timer wakes whatever the word says
  keeps_hand_off,    // a thread that lost and whose time is over leaves its bit behind
  keeps_woken,       // a woken thread whose time is over leaves its bit behind
  leaves_unguarded,  // a thread whose time is over takes itself out without guard
};

// What each thread does: l lock and unlock, t the same until a time, ! the time of thread 0 comes.
using calls = std::vector<std::string>;

template <class A, int count>
class timed_mutex_program {
 public:
  static constexpr int threads = count;
  explicit timed_mutex_program(const calls& of, flaw what = flaw::none) : calls_(of), what_(what) {
    for (int i = 0; i != count; ++i) records_[i].place = i;
  }

  void run(int thread) {
    for (const char call : calls_[static_cast<std::size_t>(thread)]) {
      if (call == '!') {
        time_comes();
        continue;
      }
      if (call == 'l') lock(thread);
      if (call == 't' && !lock_until()) continue;
      inside_ = inside_ + 1;
      ++entered_;
      unlock();
    }
  }

  void check() {
    int least = 0;
    for (const std::string& each : calls_)
      for (const char call : each) least += call == 'l' ? 1 : 0;
    require(inside_ == entered_ && entered_ >= least, "an increment was lost");
    require(word_.load(relaxed) == 0 && last_ == nullptr, "the mutex is not as it was");
    require(!in_heap_, "a timer is left");
  }

 private:
  struct arrival {
    timed_mutex_program& in;
    int thread;

    static bool looks_again() { return false; }
    static bool is_late() { return false; }
    static bool can_wait(bool) { return true; }
    word::end_of_wait wait(bool again) {
      in.wait(thread, again);
      return word::end_of_wait::wake;
    }
  };
  /// Of thread 0.
  struct timed_arrival {
    timed_mutex_program& in;

    static bool looks_again() { return false; }
    static bool can_wait(bool) { return true; }
    bool is_late() const { return in.time_is_over_.load(relaxed) != 0; }
    word::end_of_wait wait(bool again) { return in.wait_until(again); }
  };
  struct waiters {
    timed_mutex_program& in;
    bool skipped = false;

    detail::suspended* take_first() {
      in.list_changes();
      for (;; skipped = true) {
        detail::suspended* const first = task::take_first(in.last_);
        if (first == nullptr || first->place != 0 || !in.first_has_time_) return first;
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

  void lock(int thread) {
    if (lock_free(word_)) return;
    arrival me{*this, thread};
    require(word::lock_slow<A>(word_, me), "a wait without a time gave up");
  }

  bool lock_until() {
    if (word::try_lock(word_)) return true;
    timed_arrival me{*this};
    first_has_time_ = true;
    const bool locked = word::lock_slow<A>(word_, me);
    if (!locked && what_ == flaw::keeps_woken && was_woken_) word_.fetch_or(word::woken, relaxed);
    return locked;
  }

  void unlock() {
    if (unlock_alone(word_)) return;
    waiters list{*this};
    if (detail::suspended* const first = word::unlock_slow<A>(word_, list)) wake(first->place);
  }

  void queue(int thread, bool again) {
    list_changes();
    if (again)
      task::prepend(last_, &records_[thread]);
    else
      task::append(last_, &records_[thread]);
  }

  void wait(int thread, bool again) {
    asleep_[thread].store(1, relaxed);
    queue(thread, again);
    word::end_of_queueing(word_);
    sleep(thread);
  }

  word::end_of_wait wait_until(bool again) {
    asleep_[0].store(1, relaxed);
    timed_.store(timed_word::waits, relaxed);
    queue(0, again);
    timers_.lock();
    in_heap_ = true;
    timers_.unlock();
    word::end_of_queueing(word_);
    sleep(0);
    if (!late_) {
      timers_.lock();
      in_heap_ = false;
      timers_.unlock();
      was_woken_ = true;
      return word::end_of_wait::wake;
    }
    waiters list{*this};
    if (what_ == flaw::leaves_unguarded) {
      list.take_out();
      return word::end_of_wait::late;
    }
    const bool has_it = word::leave<A>(word_, list, again && what_ != flaw::keeps_hand_off);
    return has_it ? word::end_of_wait::late_in : word::end_of_wait::late;
  }

  void time_comes() {
    bool wakes = false;
    time_is_over_.store(1, relaxed);
    timers_.lock();
    if (in_heap_) {
      in_heap_ = false;
      wakes = timed_word::time_is_over(timed_) || what_ == flaw::timer_is_late;
      if (wakes) late_ = true;
    }
    timers_.unlock();
    if (wakes) wake(0);
  }

  void sleep(int thread) {
    while (asleep_[thread].load(acquire) == 1) atomics::pause();
  }
  void wake(int thread) {
    require(asleep_[thread].exchange(0, std::memory_order_acq_rel) == 1, "a thread is woken twice");
  }
  void list_changes() { changes_ = changes_ + 1; }

  const calls& calls_;
  const flaw what_;
  typename A::template atomic<std::uint32_t> word_{0};
  typename A::template atomic<std::uint32_t> timed_{0};
  atomic<std::uint32_t> time_is_over_{0};
  atomic<std::uint32_t> asleep_[count];
  model_lock<atomics> timers_;
  plain<int> inside_{0};
  plain<int> changes_{0};  // of the list
  int entered_ = 0;
  bool first_has_time_ = false;
  bool in_heap_ = false;  // under the lock of the timers
  bool late_ = false;     // written by the timer before it wakes
  bool was_woken_ = false;
  detail::suspended* last_ = nullptr;
  detail::suspended records_[count];
};

template <class A>
report with(const calls& of, flaw what = flaw::none, int deviations = 3) {
  options how{.name = "timed mutex"};
  for (const std::string& each : of) how.name += ' ' + each;
  how.reduce = false;
  how.deviations = deviations;
  return of.size() == 3 ? explore<timed_mutex_program<A, 3>>(how, std::cref(of), what)
                        : explore<timed_mutex_program<A, 4>>(how, std::cref(of), what);
}

TEST(timed_mutex, excludes_and_loses_nobody) {
  expect_sound(with<atomics>({"t", "l", "!"}, flaw::none, 4));
  expect_sound(with<atomics>({"t", "ll", "!"}));
  expect_sound(with<atomics>({"t", "ll", "!", "l"}, flaw::none, 2));
}

TEST(timed_mutex, needs_its_orders) {
  expect_found(with<without_orders>({"t", "l", "!"}), "data race");
  expect_found(with<without_acquire>({"t", "l", "!"}), "data race");
  expect_found(with<without_release>({"t", "l", "!"}), "data race");
}

TEST(timed_mutex, the_timer_wakes_whom_it_has_claimed_only) {
  expect_found(with<atomics>({"t", "l", "!"}, flaw::timer_is_late), "a thread is woken twice");
}

TEST(timed_mutex, a_thread_that_lost_takes_its_bit_along) {
  expect_found(with<atomics>({"t", "lll", "!"}, flaw::keeps_hand_off, 5),
               "the mutex is not as it was");
}

TEST(timed_mutex, a_woken_thread_takes_its_bit_along) {
  expect_found(with<atomics>({"t", "ll", "!"}, flaw::keeps_woken, 4), "the mutex is not as it was");
}

TEST(timed_mutex, a_thread_leaves_under_guard) {
  expect_found(with<atomics>({"t", "l", "!"}, flaw::leaves_unguarded), "data race");
}

}  // namespace
}  // namespace kasuri::model
