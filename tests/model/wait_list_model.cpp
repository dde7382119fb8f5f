// SPDX-License-Identifier: Apache-2.0
// Waiting for an object: the very source of the lock and of the queueing (src/task/wait_list.hpp),
// with a semaphore and a barrier as users, transcribed from src/task/sync.cpp. A suspension is a
// wait for a flag; the number and the list are noted as plain data, and so is that the object is
// there: what touches it beside its destruction is a race.
#include "task/wait_list.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expectations.hpp"
#include "flawed_atomics.hpp"

namespace kasuri::model {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;

// What is done wrong by hand.
enum class flaw {
  none,
  lets_go_first,       // a thread lets the lock go and queues then
  wakes_under_lock,    // a waker has the lock while it wakes
  looks_without_lock,  // a thread reads the number, made atomic for that, without the lock
};

// What each thread does, a letter for each call.
//   a acquire a unit of the semaphore    r release one
//   b arrive at the barrier and wait     d destroy the object
using calls = std::vector<std::string>;

template <class A, int many>
class wait_list_program {
 public:
  static constexpr int threads = many;
  explicit wait_list_program(const calls& of, flaw what) : calls_(of), what_(what) {
    for (int i = 0; i != many; ++i) records_[i].place = i;
  }

  void run(int thread) {
    for (const char call : calls_[static_cast<std::size_t>(thread)]) {
      if (call == 'a') acquire(thread);
      if (call == 'r') release();
      if (call == 'b') arrive_and_wait(thread);
      if (call == 'd') there_ = there_ + 1;
    }
  }

  void check() {
    require(list_.last == nullptr, "a thread is left in the list");
    int units = 0;
    for (const std::string& each : calls_)
      for (const char call : each) units += call == 'r' ? 1 : call == 'a' ? -1 : 0;
    require(static_cast<int>(list_.count) == units, "a unit was lost");
    require(list_.locked.load(relaxed) == 0, "the list is still locked");
  }

 private:
  struct list {
    typename A::template atomic<std::uint32_t> locked{0};
    std::uint32_t count = 0;
    detail::suspended* last = nullptr;
  };

  void acquire(int thread) {
    if (what_ == flaw::looks_without_lock) {
      while (units_.load(std::memory_order_acquire) == 0) atomics::pause();
      return --list_.count, void();
    }
    lock();
    if (list_.count == 0) return wait(thread);
    --list_.count;
    unlock();
  }

  void release() {
    lock();
    detail::suspended* const first = task::take_first(list_.last);
    if (first == nullptr) units_.store(++list_.count, std::memory_order_release);
    if (first != nullptr && what_ == flaw::wakes_under_lock) wake(*first);
    unlock();
    if (first != nullptr && what_ != flaw::wakes_under_lock) wake(*first);
  }

  void arrive_and_wait(int thread) {
    lock();
    if (++list_.count != many) return wait(thread);
    list_.count = 0;
    detail::suspended* next = sched::take_all(list_.last);
    unlock();
    while (next != nullptr) {
      detail::suspended& each = *next;
      next = each.next;
      wake(each);
    }
  }

  /// The caller has the lock.
  void wait(int thread) {
    asleep_[thread].store(1, relaxed);
    if (what_ == flaw::lets_go_first) {
      unlock();
      list_changes_ = list_changes_ + 1;
      task::append(list_.last, &records_[thread]);
    } else {
      exists();
      task::queue_and_let_go(list_, &records_[thread]);
    }
    while (asleep_[thread].load(std::memory_order_acquire) == 1) atomics::pause();
  }

  void wake(const detail::suspended& s) { asleep_[s.place].store(0, std::memory_order_release); }

  void lock() {
    exists();
    task::acquire<A>(list_);
    list_changes_ = list_changes_ + 1;
  }
  void unlock() {
    exists();
    task::release(list_);
  }
  void exists() const { require(there_ == 0, "the object is used and was destroyed"); }

  const calls& calls_;
  const flaw what_;
  list list_;
  atomic<std::uint32_t> asleep_[many];
  atomic<std::uint32_t> units_{0};
  plain<int> list_changes_{0};
  plain<int> there_{0};
  detail::suspended records_[many];
};

template <class A>
report with(const calls& of, flaw what = flaw::none) {
  options how{.name = "wait list"};
  for (const std::string& each : of) how.name += ' ' + each;
  return of.size() == 2 ? explore<wait_list_program<A, 2>>(how, std::cref(of), what)
                        : explore<wait_list_program<A, 3>>(how, std::cref(of), what);
}

TEST(wait_list, no_unit_and_no_wake_up_is_lost) {
  expect_sound(with<atomics>({"a", "r"}));
  expect_sound(with<atomics>({"aa", "rr"}));
  expect_sound(with<atomics>({"ar", "rar"}));
  expect_sound(with<atomics>({"a", "a", "rr"}));
  expect_sound(with<atomics>({"aa", "r", "r"}));
}

TEST(wait_list, all_go_on_when_the_last_arrives) {
  expect_sound(with<atomics>({"bb", "bb"}));
  expect_sound(with<atomics>({"b", "b", "b"}));
}

TEST(wait_list, the_first_that_goes_on_may_destroy_the_object) {
  expect_sound(with<atomics>({"ad", "r"}));
  expect_sound(with<atomics>({"aad", "r", "r"}));
}

TEST(wait_list, needs_its_orders) {
  expect_found(with<without_orders>({"a", "r"}), "data race");
  expect_found(with<without_acquire>({"a", "r"}), "data race");
  expect_found(with<without_release>({"a", "r"}), "data race");
  expect_found(with<torn>({"a", "r"}), "data race");
}

TEST(wait_list, a_thread_queues_and_then_lets_go) {
  expect_found(with<atomics>({"a", "r"}, flaw::lets_go_first), "data race");
}

TEST(wait_list, a_waker_lets_go_and_then_wakes) {
  expect_found(with<atomics>({"ad", "r"}, flaw::wakes_under_lock), "data race");
}

TEST(wait_list, nothing_looks_without_the_lock) {
  expect_found(with<atomics>({"ad", "r"}, flaw::looks_without_lock), "data race");
}

}  // namespace
}  // namespace kasuri::model
