// SPDX-License-Identifier: Apache-2.0
// The parking protocol (src/sched/kernel/parking_lot.hpp), the very source, in all its forms and as
// each kind of user has it; and the same users with the protocol done wrong, as it once stood in
// them. A lost wake-up is a deadlock with somebody in futex_wait.
#include "sched/kernel/parking_lot.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "flawed_atomics.hpp"
#include "model_lock.hpp"

namespace kasuri::model {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto acq_rel = std::memory_order_acq_rel;
constexpr auto seq_cst = std::memory_order_seq_cst;

/// One that sleeps: on a word of its own, as suspended threads do.
template <class A>
struct sleeper {
  const void* key = nullptr;
  int who = 0;
  sleeper* next = nullptr;
  typename A::template atomic<std::uint32_t> asleep{1};
};

// What has been done wrong, by hand: what the atomics themselves lack is in flawed_atomics.hpp.
enum class flaw {
  sleepers_fence,      // the sleeper takes its own increment for one; the waker has a fence
  locked_instruction,  // the waker's change is a seq_cst RMW, its look at the count relaxed
  acquire_release,     // the change is a RMW with acq_rel
  release_store,       // the change is a plain store
  no_last_look,        // the sleeper does not ask again
};

/// omp/wait/parking.cpp without its hash.
template <class A>
class lot {
 public:
  using entry = sleeper<A>;

  template <class Ready>
  void park(entry& p, const void* key, Ready ready) {
    p.key = key;
    p.asleep.store(1, relaxed);
    if (!bucket_.enter(p, ready)) return;
    while (p.asleep.load(acquire) == 1) A::futex_wait(p.asleep, std::uint32_t{1});
  }

  void unpark_all(const void* key) {
    if (bucket_.occupied()) wake(key, ~0u, -1);
  }
  void unpark_all(const void* key, sched::ordered changed) {
    if (bucket_.occupied(changed)) wake(key, ~0u, -1);
  }
  bool unpark_one(const void* key) { return bucket_.occupied() && wake(key, 1, -1); }
  bool unpark_one(const void* key, sched::ordered changed) {
    return bucket_.occupied(changed) && wake(key, 1, -1);
  }
  bool unpark(const void* key, int who) { return bucket_.occupied() && wake(key, 1, who); }

 private:
  bool wake(const void* key, unsigned most, int who) {
    entry* out[3];
    int n = 0;
    bucket_.take_out(
        most, [&](const entry& p) { return p.key == key && (who < 0 || p.who == who); },
        [&](entry& p) { out[n++] = &p; });
    for (int i = 0; i != n; ++i) {
      out[i]->asleep.store(0, release);
      A::futex_wake(out[i]->asleep, 1);
    }
    return n != 0;
  }

  sched::parking_bucket<A, model_lock<A>, entry> bucket_;
};

/// The protocol transcribed, with a flaw of the users.
template <class A>
class flawed_lot {
 public:
  using entry = sleeper<A>;

  template <class Ready>
  void park(entry& p, flaw what, Ready ready) {
    lock_.lock();
    count_.fetch_add(1, seq_cst);
    if (what != flaw::no_last_look && ready()) {
      count_.fetch_sub(1, relaxed);
      lock_.unlock();
      return;
    }
    first_ = &p;
    lock_.unlock();
    while (p.asleep.load(acquire) == 1) A::futex_wait(p.asleep, std::uint32_t{1});
  }

  void unpark() {
    if (count_.load(relaxed) == 0) return;
    lock_.lock();
    entry* const p = first_;
    lock_.unlock();
    if (p == nullptr) return;
    p->asleep.store(0, release);
    A::futex_wake(p->asleep, 1);
  }

 private:
  model_lock<A> lock_;
  typename A::template atomic<std::uint32_t> count_{0};
  entry* first_ = nullptr;
};

template <class A>
void change(typename A::template atomic<std::uint32_t>& word, flaw what) {
  switch (what) {
    case flaw::sleepers_fence:
    case flaw::no_last_look:
      word.store(1, seq_cst);
      A::fence_full();
      return;
    case flaw::locked_instruction:
      word.fetch_add(1, seq_cst);
      return;
    case flaw::acquire_release:
      word.fetch_add(1, acq_rel);
      return;
    case flaw::release_store:
      word.store(1, release);
      return;
  }
}

/// What stood in the sources: thread 0 waits for a word that thread 1 changes.
template <class A>
struct transcribed {
  static constexpr int threads = 2;
  explicit transcribed(flaw what) : what_(what) {}
  void run(int thread) {
    if (thread == 0) {
      while (word_.load(acquire) == 0)
        lot_.park(me_, what_, [&] { return word_.load(acquire) != 0; });
    } else {
      change<A>(word_, what_);
      lot_.unpark();
    }
  }
  void check() {}

 private:
  flaw what_;
  flawed_lot<A> lot_;
  sleeper<A> me_;
  typename A::template atomic<std::uint32_t> word_{0};
};

enum class form { fence, store, add, subtract, bits, raise };

/// One waits for a word, another changes it: each form of the change, and unpark_all or unpark_one.
template <class A>
struct one_waits {
  static constexpr int threads = 2;
  one_waits(form how, bool all, bool backwards = false)
      : how_(how), all_(all), backwards_(backwards) {}

  void run(int thread) {
    if (thread == 0) {
      const auto ready = [&] { return word_.load(acquire) != 1; };
      while (!ready()) lot_.park(me_, this, ready);
    } else if (backwards_) {
      all_ ? lot_.unpark_all(this) : void(lot_.unpark_one(this));
      how_ == form::fence ? word_.store(2, release) : void(change_word());
    } else if (how_ == form::fence) {
      word_.store(2, release);
      all_ ? lot_.unpark_all(this) : void(lot_.unpark_one(this));
    } else {
      const sched::ordered done = change_word();
      all_ ? lot_.unpark_all(this, done) : void(lot_.unpark_one(this, done));
    }
  }
  void check() {}

 private:
  sched::ordered change_word() {
    std::uint32_t before = 0;
    switch (how_) {
      case form::fence:
      case form::store:
        return sched::in_order::store(word_, 2u);
      case form::add:
        return sched::in_order::add(word_, 1u, before);
      case form::subtract:
        return sched::in_order::subtract(word_, 1u, before);
      case form::bits:
        return sched::in_order::set_bits(word_, 2u);
      case form::raise:
        return sched::in_order::raise(word_, 2u, before);
    }
    return sched::in_order::store(word_, 2u);
  }

  form how_;
  bool all_;
  bool backwards_;
  lot<A> lot_;
  sleeper<A> me_;
  typename A::template atomic<std::uint32_t> word_{1};
};

/// A barrier that everybody tells everybody (omp/work/barrier.cpp).
template <class A>
struct all_tell {
  static constexpr int threads = 2;
  explicit all_tell(bool backwards = false) : backwards_(backwards) {}
  void run(int thread) {
    if (backwards_) lot_.unpark_all(this);
    const sched::ordered done = sched::in_order::store(arrived_[thread], 1u);
    if (!backwards_) lot_.unpark_all(this, done);
    const auto all = [&] {
      return arrived_[0].load(acquire) == 1 && arrived_[1].load(acquire) == 1;
    };
    while (!all()) lot_.park(me_[thread], this, all);
  }
  void check() {}

 private:
  bool backwards_;
  lot<A> lot_;
  sleeper<A> me_[2];
  typename A::template atomic<std::uint32_t> arrived_[2]{{0}, {0}};
};

/// The primary waits for the last of two members of its region (omp/region/region.cpp,
/// omp/region/dock_worker.cpp).
template <class A>
struct last_of_two {
  static constexpr int threads = 3;
  explicit last_of_two(bool backwards = false) : backwards_(backwards) {}
  void run(int thread) {
    const auto over = [&] { return docked_.load(acquire) == 1 && frames_.load(acquire) == 1; };
    if (thread == 0) {
      while (!over()) lot_.park(me_, this, over);
    } else {
      if (backwards_) lot_.unpark_all(this);
      const sched::ordered done =
          thread == 1 ? sched::in_order::store(docked_, 1u) : sched::in_order::add(frames_, 1u);
      if (!backwards_) lot_.unpark_all(this, done);
    }
  }
  void check() {}

 private:
  bool backwards_;
  lot<A> lot_;
  sleeper<A> me_;
  typename A::template atomic<std::uint32_t> docked_{0};
  typename A::template atomic<std::uint32_t> frames_{0};
};

/// A contended lock (omp/work/lock.hpp): the release wakes one if it was contended.
template <class A>
struct contended_lock {
  static constexpr int threads = 2;
  explicit contended_lock(bool backwards = false) : backwards_(backwards) {}
  void run(int thread) {
    std::uint32_t seen = 0;
    if (!word_.compare_exchange_strong(seen, 1, acquire, relaxed)) {
      bool mine = false;
      const auto ready = [&] { return mine || (mine = take()); };
      while (!ready()) lot_.park(me_[thread], this, ready);
    }
    inside_ = inside_ + 1;
    if (backwards_) {
      if (word_.load(relaxed) == 2) lot_.unpark_one(this);
      word_.store(0, release);
    } else if (word_.exchange(0, release) == 2) {
      lot_.unpark_one(this);
    }
  }
  void check() { require(inside_ == 2, "an increment was lost"); }

 private:
  bool take() {
    std::uint32_t seen = word_.load(relaxed);
    while (seen != 2) {
      const bool was_free = seen == 0;
      if (word_.compare_exchange_strong(seen, 2, acquire, relaxed)) return was_free;
    }
    return false;
  }

  bool backwards_;
  lot<A> lot_;
  sleeper<A> me_[2];
  typename A::template atomic<std::uint32_t> word_{0};
  plain<int> inside_{0};
};

/// A released task (omp/run/tasks.cpp, release_task): who waits has said under what key, and the
/// releaser looks there first; and the same by name with a fence (omp/run/task_send.cpp).
/// `order`: of the look at the key.
template <class A>
struct waits_on {
  static constexpr int threads = 2;
  waits_on(bool by_name, std::memory_order order, bool backwards = false)
      : by_name_(by_name), order_(order), backwards_(backwards) {}
  void run(int thread) {
    const auto ready = [&] { return released_.load(acquire) != 0; };
    if (thread == 0) {
      while (!ready()) {
        key_.store(1, relaxed);
        lot_.park(me_, this, ready);
      }
    } else if (backwards_) {
      const bool waits = key_.load(order_) != 0;
      const sched::ordered done = sched::in_order::add(released_, 1u);
      if (waits && by_name_) lot_.unpark(this, 0);
      if (waits && !by_name_) lot_.unpark_all(this, done);
    } else if (by_name_) {
      released_.store(1, release);
      A::fence_full();
      if (key_.load(relaxed) != 0) lot_.unpark(this, 0);
    } else {
      const sched::ordered done = sched::in_order::add(released_, 1u);
      if (key_.load(order_) != 0) lot_.unpark_all(this, done);
    }
  }
  void check() {}

 private:
  bool by_name_;
  std::memory_order order_;
  bool backwards_;
  lot<A> lot_;
  sleeper<A> me_;
  typename A::template atomic<std::uint32_t> released_{0};
  typename A::template atomic<std::uint32_t> key_{0};
};

void expect_lost(const report& result) { expect_found(result, asleep_for_ever); }

constexpr form forms[] = {form::fence,    form::store, form::add,
                          form::subtract, form::bits,  form::raise};

TEST(parking, every_form_loses_no_wake_up) {
  for (const form how : forms)
    for (const bool all : {true, false})
      expect_sound(explore<one_waits<atomics>>({.name = "one waits"}, how, all));
}

TEST(parking, no_user_loses_a_wake_up) {
  expect_sound(explore<all_tell<atomics>>({.name = "barrier"}));
  expect_sound(explore<contended_lock<atomics>>({.name = "lock"}));
  expect_sound(explore<waits_on<atomics>>({.name = "released task"}, false, seq_cst));
  expect_sound(explore<waits_on<atomics>>({.name = "by name"}, true, relaxed));
  expect_sound(explore<last_of_two<atomics>>({.name = "end of a region"}));
}

TEST(parking, needs_the_fence_of_each_side) {
  for (const form how : forms)
    expect_lost(explore<one_waits<without_full_fence>>({.name = "no fences"}, how, true));
  expect_lost(explore<one_waits<without_orders>>({.name = "no orders"}, form::store, true));
  expect_lost(explore<all_tell<without_full_fence>>({.name = "barrier, no fence"}));
  expect_lost(explore<last_of_two<without_full_fence>>({.name = "region, no fence"}));
  expect_lost(explore<contended_lock<without_full_fence>>({.name = "lock, no fence"}));
  expect_lost(explore<waits_on<without_full_fence>>({.name = "by name, no fence"}, true, relaxed));
  expect_lost(explore<waits_on<atomics>>({.name = "released task, relaxed look"}, false, relaxed));
}

// The second fault of each user: it looks for sleepers first and makes their condition true then.
TEST(parking, no_user_may_look_before_it_changes) {
  constexpr bool backwards = true;
  for (const form how : forms)
    for (const bool all : {true, false})
      expect_lost(
          explore<one_waits<atomics>>({.name = "one waits, backwards"}, how, all, backwards));
  expect_lost(explore<all_tell<atomics>>({.name = "barrier, backwards"}, backwards));
  expect_lost(explore<last_of_two<atomics>>({.name = "region, backwards"}, backwards));
  expect_lost(explore<contended_lock<atomics>>({.name = "lock, backwards"}, backwards));
  expect_lost(
      explore<waits_on<atomics>>({.name = "released task, backwards"}, false, seq_cst, backwards));
  expect_lost(explore<waits_on<atomics>>({.name = "by name, backwards"}, true, relaxed, backwards));
}

TEST(parking, a_locked_instruction_is_no_fence) {
  for (const flaw what : {flaw::sleepers_fence, flaw::locked_instruction, flaw::acquire_release,
                          flaw::release_store, flaw::no_last_look})
    expect_lost(explore<transcribed<atomics>>({.name = "transcribed"}, what));
}

}  // namespace
}  // namespace kasuri::model
