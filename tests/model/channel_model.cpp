// SPDX-License-Identifier: Apache-2.0
// A channel: the very source of its steps (src/task/flow/channel_queue.hpp) and of its lock
// (src/task/wait_list.hpp); how src/task/flow/channel.cpp puts them together is transcribed. A
// suspension is a wait for a flag. Messages and waiters' records are noted as plain data, and so is
// that the channel is there. The first thread may wait until a time; timed_wait_model.cpp has what
// the timer, or a stop, does besides.
#include "task/flow/channel_queue.hpp"

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
namespace queue = task::channel_queue;

constexpr auto relaxed = std::memory_order_relaxed;

// What is done wrong by hand.
enum class flaw {
  none,
  looks_then_waits,  // a receiver finds nothing, lets the lock go, and queues then
  wakes_under_lock,  // a waker has the lock while it wakes
  closes_alone,      // close() says so and wakes nobody
  wakes_at_once,     // a waker does not wait for a thread that leaves the list
  leaves_unasked,    // a thread whose time is over takes the lock whatever its word says
};

// What each thread does, a letter for each call.
//   s send a message    r receive one    c close    d destroy
//   S, R the same, until a time (thread 0 alone)    ! the time comes
//   D destroy, if thread 0 stood in the list when this thread came
struct script {
  std::size_t capacity;
  std::vector<std::string> of;
};

template <class A, int many>
class channel_program {
 public:
  static constexpr int threads = many;
  explicit channel_program(const script& s, flaw what) : script_(s), what_(what) {
    state_.capacity = s.capacity;
  }

  void run(int thread) {
    int turn = 0;
    for (const char call : script_.of[static_cast<std::size_t>(thread)]) {
      const bool timed = call == 'S' || call == 'R';
      if (call == 's' || call == 'S') send(thread, thread * most + turn++, timed);
      if (call == 'r' || call == 'R') receive(thread, timed);
      if (call == '!') time_comes();
      if (call == 'D' && may_destroy_[thread]) there_ = there_ + 1;
      if (call == 'c') close();
      if (call == 'd') there_ = there_ + 1;
    }
  }

  void check() {
    require(state_.last == nullptr, "a thread is left in the list");
    require(state_.locked.at_end() == 0, "the channel is still locked");
    int left = 0;
    while (const message_record* m = sched::take_first(state_.last_message)) {
      require(m->received == 0, "a message that was received is there");
      ++left;
    }
    require(left == static_cast<int>(state_.count), "messages and their count differ");
    require(sent_ == received_ + left, "a message was lost, or came twice");
  }

 private:
  static constexpr int most = 2;  // messages of a thread

  struct message_record {
    message_record* next;
    int received = 0;
    plain<int> value{0};
  };
  using word = typename A::template atomic<std::uint32_t>;
  struct waiter {
    message_record* what;
    waiter* next = nullptr;
    int thread = 0;
    word* timed = nullptr;
    bool some_timed = false;
  };
  struct state {
    noted_word<A> locked;
    bool closed = false;
    std::size_t capacity = 0;
    std::size_t count = 0;
    message_record* last_message = nullptr;
    waiter* last = nullptr;
  };

  void send(int thread, int number, bool timed) {
    message_record& m = messages_[number];
    m.value = number + 1;
    waiter* woken;
    lock();
    if (state_.closed) return unlock();
    if (queue::send(state_, &m, woken) == queue::outcome::done) {
      ++sent_;
      return let_go_and_wake(woken);
    }
    ++sent_;
    wait(thread, &m, timed);
    if (waiters_[thread].what != nullptr) --sent_;  // it was closed, or the time is over
  }

  void receive(int thread, bool timed) {
    waiter* woken;
    message_record* m;
    lock();
    if (queue::receive(state_, m, woken) == queue::outcome::done || state_.closed) {
      let_go_and_wake(woken);
    } else {
      if (what_ == flaw::looks_then_waits) {
        unlock();
        lock();
      }
      wait(thread, nullptr, timed);
      m = waiters_[thread].what;
    }
    if (m == nullptr) return;
    require(m->value == static_cast<int>(m - messages_) + 1, "a message came without its value");
    require(++m->received == 1, "a message came twice");
    ++received_;
  }

  void close() {
    lock();
    waiter* all = queue::close(state_);
    let_leave();
    unlock();
    while (all != nullptr && what_ != flaw::closes_alone) {
      waiter* const w = all;
      all = w->next;
      wake(*w);
    }
  }

  /// The caller has the lock.
  void wait(int thread, message_record* what, bool timed) {
    waiter& me = waiters_[thread];
    me.what = what;
    me.thread = thread;
    me.timed = timed ? &word_ : nullptr;
    me.some_timed = timed || !queue::only_wakers(state_);
    asleep_[thread].store(1, relaxed);
    exists();
    if (thread == 0) stands_ = true;
    may_destroy_[thread] = stands_;
    sched::append(state_.last, &me);
    if (timed) set_timer(true);
    unlock();
    while (asleep_[thread].load(std::memory_order_acquire) == 1) atomics::pause();
    if (timed) end_wait(me);
  }

  void set_timer(bool set) {
    timers_.lock();
    in_heap_ = set;
    timers_.unlock();
  }
  void end_wait(waiter& me) {
    if (late_) {
      if (what_ == flaw::leaves_unasked) word_.store(timed_word::late, relaxed);
      task::leave_list<A>(state_, me, queue::word_of<waiter>, [] {});
    } else {
      set_timer(false);
    }
  }
  void time_comes() {
    timers_.lock();
    const bool wakes = in_heap_ && timed_word::time_is_over(word_);
    if (wakes) late_ = true;
    in_heap_ = false;
    timers_.unlock();
    if (wakes) wake(waiters_[0]);
  }
  void let_leave() {
    if (what_ != flaw::wakes_at_once) queue::let_leave<A>(state_);
  }

  void let_go_and_wake(waiter* woken) {
    if (woken != nullptr && what_ == flaw::wakes_under_lock) wake(*woken);
    if (woken != nullptr) let_leave();
    unlock();
    if (woken != nullptr && what_ != flaw::wakes_under_lock) wake(*woken);
  }

  void wake(const waiter& w) { asleep_[w.thread].store(0, std::memory_order_release); }

  void lock() {
    exists();
    task::acquire<A>(state_);
    changes_ = changes_ + 1;
  }
  void unlock() {
    exists();
    task::release(state_);
  }
  void exists() const { require(there_ == 0, "the channel is used and was destroyed"); }

  const script& script_;
  const flaw what_;
  plain<int> there_{0};
  state state_{noted_word<A>(there_)};
  atomic<std::uint32_t> asleep_[many];
  plain<int> changes_{0};
  message_record messages_[many * most];
  waiter waiters_[many] = {};
  word word_{0};  // of thread 0's wait
  model_lock<atomics> timers_;
  bool in_heap_ = false;  // under the lock of the timers
  bool late_ = false;     // written by the timer before it wakes
  bool stands_ = false;   // under the lock of the channel
  bool may_destroy_[many] = {};
  int sent_ = 0;
  int received_ = 0;
};

/// Explored without a bound where `deviations` is 0.
template <class A>
report with(std::size_t capacity, std::vector<std::string> of, flaw what = flaw::none,
            int deviations = 0) {
  const script s{capacity, std::move(of)};
  options how{.name = "channel of " + std::to_string(capacity)};
  for (const std::string& each : s.of) how.name += ' ' + each;
  if (deviations != 0) {
    how.reduce = false;
    how.deviations = deviations;
  }
  return s.of.size() == 2 ? explore<channel_program<A, 2>>(how, std::cref(s), what)
                          : explore<channel_program<A, 3>>(how, std::cref(s), what);
}

TEST(channel, no_message_is_lost) {
  expect_sound(with<atomics>(1, {"s", "r"}));
  expect_sound(with<atomics>(1, {"ss", "rr"}));
  expect_sound(with<atomics>(2, {"ss", "rr"}));
  expect_sound(with<atomics>(1, {"s", "s", "rr"}));
  expect_sound(with<atomics>(1, {"ss", "r", "r"}));
}

TEST(channel, of_no_capacity_hands_over) {
  expect_sound(with<atomics>(0, {"s", "r"}));
  expect_sound(with<atomics>(0, {"ss", "rr"}));
  expect_sound(with<atomics>(0, {"s", "s", "rr"}));
}

TEST(channel, closes) {
  expect_sound(with<atomics>(1, {"r", "c"}));
  expect_sound(with<atomics>(1, {"ss", "c"}));
  expect_sound(with<atomics>(0, {"s", "c"}));
  expect_sound(with<atomics>(1, {"s", "r", "c"}));
  expect_sound(with<atomics>(0, {"s", "r", "c"}));
  expect_sound(with<atomics>(1, {"sc", "r", "r"}));
}

TEST(channel, the_first_that_goes_on_may_destroy_it) {
  expect_sound(with<atomics>(1, {"s", "rd"}));
  expect_sound(with<atomics>(0, {"sd", "r"}));
  expect_sound(with<atomics>(0, {"s", "rd"}));
}

TEST(channel, a_wait_ends_by_its_time_or_by_a_waker) {
  expect_sound(with<atomics>(1, {"R", "s", "!"}));
  expect_sound(with<atomics>(1, {"SS", "r", "!"}));
  // Two that wait for a third to leave may take the lock from it for ever.
  expect_sound(with<atomics>(0, {"R", "s", "!c"}, flaw::none, 2));
  expect_sound(with<atomics>(0, {"S", "r", "!c"}, flaw::none, 2));
}

TEST(channel, a_thread_whose_time_is_over_does_not_touch_what_is_destroyed) {
  expect_sound(with<atomics>(0, {"R", "rD", "!c"}, flaw::none, 2));
}

TEST(channel, a_waker_lets_those_leave_that_are_on_their_way) {
  expect_found(with<atomics>(0, {"R", "rD", "!c"}, flaw::wakes_at_once), "data race");
}

TEST(channel, a_thread_asks_its_word_before_it_touches_the_list) {
  expect_found(with<atomics>(0, {"R", "rD", "!c"}, flaw::leaves_unasked), "data race");
}

TEST(channel, needs_its_orders) {
  expect_found(with<without_orders>(1, {"s", "r"}), "data race");
  expect_found(with<without_acquire>(1, {"s", "r"}), "data race");
  expect_found(with<without_release>(1, {"s", "r"}), "data race");
  expect_found(with<torn>(1, {"s", "r"}), "data race");
}

TEST(channel, a_receiver_queues_under_the_lock_under_which_it_looked) {
  expect_found(with<atomics>(1, {"s", "r"}, flaw::looks_then_waits), waits_for_ever);
}

TEST(channel, a_waker_lets_go_and_then_wakes) {
  expect_found(with<atomics>(1, {"s", "rd"}, flaw::wakes_under_lock), "data race");
}

TEST(channel, a_closer_wakes_all) {
  expect_found(with<atomics>(1, {"r", "c"}, flaw::closes_alone), waits_for_ever);
}

}  // namespace
}  // namespace kasuri::model
