// SPDX-License-Identifier: Apache-2.0
// A wait that ends by a wake, by its time or by an early end: the very source of the word
// (src/sched/kernel/timed_word.hpp) and of the list (src/task/wait_list.hpp), with a semaphore and
// a latch as users, transcribed from src/task/sync.cpp, and the timers' thread and the early end
// from src/sched/time. The early end comes from a stop token: its callback runs once, and a thread
// that unsubscribes waits for it. A suspension is a wait for a flag. Plain data notes that the
// object and the record of the wait are there: what touches them beside their end is a race.
#include "sched/kernel/timed_word.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expectations.hpp"
#include "flawed_atomics.hpp"
#include "model_lock.hpp"
#include "noted_word.hpp"
#include "task/wait_list.hpp"

namespace kasuri::model {
namespace {

namespace timed_word = sched::timed_word;

constexpr auto relaxed = std::memory_order_relaxed;

// What is done wrong by hand.
enum class flaw {
  none,
  wakes_at_once,       // a waker does not wait for threads that leave the list
  leaves_unasked,      // a thread whose time is over takes the lock whatever its word says
  timer_is_late,       // the timer wakes whatever the word says
  keeps_its_timer,     // a thread that was woken goes on without the lock of the timers
  stop_is_late,        // the stop wakes whatever the word says
  stays_subscribed,    // a thread that goes on does not wait for the stop's callback
  stopped_with_timer,  // a thread that was stopped leaves its timer where it is
};

// What each thread does, a letter for each call.
//   t take a unit, or wait for one until a time   r release one
//   a take a unit, or wait for one
//   c count down the latch, from 1                w wait for it; destroy it then, if thread 0 waits
//   l wait for it until a time                    ! the time of thread 0 comes
//                                                 s thread 0 is stopped, if it waits by t or l
using calls = std::vector<std::string>;

template <class A, int many>
class timed_wait_program {
 public:
  static constexpr int threads = many;
  explicit timed_wait_program(const calls& of, flaw what) : calls_(of), what_(what) {
    for (int i = 0; i != many; ++i) records_[i].place = i;
    for (const std::string& each : of) has_stop_ |= each.find('s') != std::string::npos;
  }

  void run(int thread) {
    for (const char call : calls_[static_cast<std::size_t>(thread)]) {
      if (call == 't') got_ += take_until() ? 1 : 0;
      if (call == 'a') acquire(thread);
      if (call == 'r') release();
      if (call == 'c') count_down();
      if (call == 'w') wait_and_destroy(thread);
      if (call == 'l') latch_until();
      if (call == '!') time_comes();
      if (call == 's') stop_comes();
    }
  }

  void check() {
    require(list_.last == nullptr, "a thread is left in the list");
    int units = -got_;
    bool latch = false;
    for (const std::string& each : calls_)
      for (const char call : each) {
        units += call == 'r' ? 1 : call == 'a' ? -1 : 0;
        latch |= call == 'c';
      }
    require(latch || static_cast<int>(list_.count) == units, "a unit was lost or taken twice");
    require(list_.locked.at_end() == 0, "the list is still locked");
    require(!in_heap_ || what_ == flaw::keeps_its_timer, "a timer is left");
    require(!subscribed_ || what_ == flaw::stays_subscribed, "a subscription is left");
  }

 private:
  using word = typename A::template atomic<std::uint32_t>;
  struct list {
    noted_word<A> locked;
    std::uint32_t count = 0;
    detail::suspended* last = nullptr;
  };

  /// Only thread 0 has a time.
  auto word_of() {
    return [this](const detail::suspended& s) { return s.place == 0 ? &word_ : nullptr; };
  }

  bool take_until() {
    lock();
    if (list_.count == 0) return wait_until();
    --list_.count;
    unlock();
    return true;
  }

  void acquire(int thread) {
    lock();
    if (list_.count == 0) return wait(thread);
    --list_.count;
    unlock();
  }

  void latch_until() {
    lock();
    w0_waits_ = true;
    if (latch_open_) return unlock();
    wait_until();
  }

  /// The caller has the lock.
  void wait(int thread) {
    asleep_[thread].store(1, relaxed);
    task::queue_and_let_go(list_, &records_[thread]);
    sleep(thread);
  }

  /// Thread 0 has the lock. Returns whether it was woken.
  bool wait_until() {
    word_.store(timed_word::waits, relaxed);
    asleep_[0].store(1, relaxed);
    if (has_stop_) subscribe();
    timers_.lock();
    in_heap_ = true;
    timers_.unlock();
    task::queue_and_let_go(list_, &records_[0]);
    sleep(0);
    if (late_)
      leave();
    else if (what_ != flaw::keeps_its_timer)
      remove_timer();
    if (has_stop_) {
      if (late_ && what_ != flaw::stopped_with_timer) remove_timer();
      unsubscribe();
    }
    record_ = record_ + 1;  // it is gone
    return !late_;
  }

  void remove_timer() {
    timers_.lock();
    in_heap_ = false;
    timers_.unlock();
  }

  void subscribe() {
    stop_.lock();
    const bool stopped = stopped_;
    subscribed_ = !stopped;
    stop_.unlock();
    if (stopped) end_wait();
  }
  void unsubscribe() {
    if (what_ == flaw::stays_subscribed) return;
    stop_.lock();
    subscribed_ = false;
    stop_.unlock();
    while (calls_back_.load(std::memory_order_acquire) == 1) atomics::pause();
  }
  void stop_comes() {
    stop_.lock();
    stopped_ = true;
    const bool call = subscribed_;
    subscribed_ = false;
    if (call) calls_back_.store(1, relaxed);
    stop_.unlock();
    if (!call) return;
    end_wait();
    calls_back_.store(0, std::memory_order_release);
  }
  void end_wait() {
    require(record_ == 0, "the stop looks at a wait that has ended");
    if (!timed_word::time_is_over(word_) && what_ != flaw::stop_is_late) return;
    late_ = true;
    wake(0);
  }

  void leave() {
    if (what_ == flaw::leaves_unasked) word_.store(timed_word::late, relaxed);
    task::leave_list<A>(list_, records_[0], word_of(), [] {});
  }

  void release() {
    lock();
    std::size_t left = 1;
    detail::suspended* taken = task::claim_waiters(list_.last, left, word_of());
    list_.count += static_cast<std::uint32_t>(left);
    if (what_ != flaw::wakes_at_once) task::let_leave<A>(list_, word_of());
    unlock();
    wake_all(taken);
  }

  void count_down() {
    lock();
    latch_open_ = true;
    // Only then may a thread that goes on take it that thread 0 does not come to the latch later.
    may_destroy_ = w0_waits_;
    std::size_t left = many;
    detail::suspended* taken = task::claim_waiters(list_.last, left, word_of());
    if (what_ != flaw::wakes_at_once) task::let_leave<A>(list_, word_of());
    unlock();
    wake_all(taken);
  }

  void wait_and_destroy(int thread) {
    lock();
    if (latch_open_) {
      unlock();
    } else {
      wait(thread);
      if (may_destroy_) there_ = there_ + 1;
    }
  }

  void time_comes() {
    bool wakes = false;
    timers_.lock();
    if (in_heap_) {
      in_heap_ = false;
      require(record_ == 0, "the timer looks at a wait that has ended");
      wakes = timed_word::time_is_over(word_) || what_ == flaw::timer_is_late;
      if (wakes) late_ = true;
    }
    timers_.unlock();
    if (wakes) wake(0);
  }

  void sleep(int thread) {
    while (asleep_[thread].load(std::memory_order_acquire) == 1) atomics::pause();
  }
  void wake(int thread) {
    require(asleep_[thread].exchange(0, std::memory_order_acq_rel) == 1, "a thread is woken twice");
  }
  void wake_all(detail::suspended* taken) {
    for (detail::suspended* next = sched::take_all(taken); next != nullptr;) {
      const int thread = next->place;
      next = next->next;
      wake(thread);
    }
  }

  void lock() {
    task::acquire<A>(list_);
    list_changes_ = list_changes_ + 1;
  }
  void unlock() { task::release(list_); }

  const calls& calls_;
  const flaw what_;
  plain<int> there_{0};
  list list_{noted_word<A>(there_)};
  word word_{0};
  atomic<std::uint32_t> asleep_[many];
  model_lock<atomics> timers_;
  plain<int> record_{0};  // of the wait
  plain<int> list_changes_{0};
  bool has_stop_ = false;
  model_lock<atomics> stop_;
  atomic<std::uint32_t> calls_back_{0};
  bool stopped_ = false;  // these under the lock of the stop
  bool subscribed_ = false;
  bool in_heap_ = false;   // under the lock of the timers
  bool late_ = false;      // written by the timer, or the stop, before it wakes
  bool w0_waits_ = false;  // these under the lock of the list
  bool latch_open_ = false;
  bool may_destroy_ = false;
  int got_ = 0;
  detail::suspended records_[many];
};

/// Explored without a bound where `deviations` is 0.
template <class A>
report with(const calls& of, flaw what = flaw::none, int deviations = 0) {
  options how{.name = "timed wait"};
  for (const std::string& each : of) how.name += ' ' + each;
  if (deviations != 0) {
    how.reduce = false;
    how.deviations = deviations;
  }
  return of.size() == 3 ? explore<timed_wait_program<A, 3>>(how, std::cref(of), what)
                        : explore<timed_wait_program<A, 4>>(how, std::cref(of), what);
}

TEST(timed_wait, wake_and_time_come_together_and_one_of_them_counts) {
  expect_sound(with<atomics>({"t", "r", "!"}));
  expect_sound(with<atomics>({"t", "rr", "!"}));
  expect_sound(with<atomics>({"t", "rr", "!", "a"}, flaw::none, 1));
}

TEST(timed_wait, wake_time_and_stop_come_together_and_one_of_them_counts) {
  expect_sound(with<atomics>({"t", "r", "s"}));
  expect_sound(with<atomics>({"t", "s", "!"}));
  expect_sound(with<atomics>({"t", "r", "!", "s"}, flaw::none, 1));
}

TEST(timed_wait, the_first_that_goes_on_may_destroy_the_object) {
  expect_sound(with<atomics>({"l", "!w", "c"}, flaw::none, 2));
  expect_sound(with<atomics>({"l", "sw", "c"}, flaw::none, 2));
}

TEST(timed_wait, needs_its_orders) {
  expect_found(with<without_orders>({"t", "r", "!"}), "data race");
  expect_found(with<torn>({"t", "r", "!"}), "a thread is woken twice");
}

TEST(timed_wait, a_waker_lets_those_leave_that_are_on_their_way) {
  expect_found(with<atomics>({"l", "!w", "c"}, flaw::wakes_at_once, 4), "data race");
}

TEST(timed_wait, a_thread_asks_its_word_before_it_touches_the_list) {
  expect_found(with<atomics>({"l", "!w", "c"}, flaw::leaves_unasked, 4), "data race");
}

TEST(timed_wait, the_timer_wakes_whom_it_has_claimed_only) {
  expect_found(with<atomics>({"t", "r", "!"}, flaw::timer_is_late), "a thread is woken twice");
}

TEST(timed_wait, the_stop_wakes_whom_it_has_claimed_only) {
  expect_found(with<atomics>({"t", "r", "s"}, flaw::stop_is_late), "a thread is woken twice");
}

TEST(timed_wait, a_thread_waits_for_the_callback_of_its_stop) {
  expect_found(with<atomics>({"t", "r", "s"}, flaw::stays_subscribed), "data race");
}

TEST(timed_wait, a_thread_that_is_stopped_removes_its_timer) {
  expect_found(with<atomics>({"t", "s", "!"}, flaw::stopped_with_timer), "data race");
}

TEST(timed_wait, a_thread_removes_its_timer_before_it_goes_on) {
  expect_found(with<atomics>({"t", "r", "!"}, flaw::keeps_its_timer), "data race");
}

}  // namespace
}  // namespace kasuri::model
