// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parking protocol: how a thread goes to sleep until a condition holds, and how the thread that
// makes it true finds the sleeper. The front ends park under keys with it (omp/wait/parking.cpp);
// tests/model explores it.
//
//   sleeper   raises the count of its bucket; full fence; looks at the condition a last time;
//             sleeps
//   waker     makes the condition true; then, in one of two forms, looks at the count:
//               (a) full fence; load of the count: occupied()
//               (b) the change of the condition is sequentially consistent, and so is the load of
//                   the count: occupied(ordered)
//
// No lost wake-up, in C++20's terms. Let R be the rise of the count, F the sleeper's fence, L its
// last look, W the change of the condition and C the waker's load. Suppose L reads a value older
// than W, and C one older than R. (a) With the waker's fence X: L comes before W, so F precedes X
// in the single order; C comes before R, so X precedes F. (b) L comes before W, so F precedes W; W
// is sequenced before C; C comes before R, so C precedes F. Both are cycles. A locked instruction
// of the waker does not do as a fence: on AArch64 a later load may be performed before its store.
// Form (b) costs no fence on x86-64, where a sequentially consistent load is a plain one, and so is
// for the paths where a region, a barrier or a task ends. Its change comes from `in_order` alone,
// so that no caller can claim what it has not done.

#include <atomic>
#include <cstdint>
#include <mutex>

#include "platform/base/expect.hpp"
#include "sched/kernel/wait_queue.hpp"

namespace kasuri::sched {

/// A sequentially consistent change of a condition's word has been made by the calling thread.
class ordered {
 private:
  friend struct in_order;
  ordered() = default;
};

/// Such changes. Each returns the proof, and through `before` what the word held.
struct in_order {
  template <class Word, class T>
  static ordered store(Word& word, T value) noexcept {
    // seq_cst: pairs with the fence in parking_bucket::enter
    word.store(value, std::memory_order_seq_cst);
    return {};
  }
  template <class Word, class T>
  static ordered add(Word& word, T n) noexcept {
    // seq_cst: pairs with the fence in parking_bucket::enter
    word.fetch_add(n, std::memory_order_seq_cst);
    return {};
  }
  template <class Word, class T>
  static ordered add(Word& word, T n, T& before) noexcept {
    // seq_cst: pairs with the fence in parking_bucket::enter
    before = word.fetch_add(n, std::memory_order_seq_cst);
    return {};
  }
  template <class Word, class T>
  static ordered subtract(Word& word, T n) noexcept {
    // seq_cst: pairs with the fence in parking_bucket::enter
    word.fetch_sub(n, std::memory_order_seq_cst);
    return {};
  }
  template <class Word, class T>
  static ordered subtract(Word& word, T n, T& before) noexcept {
    // seq_cst: pairs with the fence in parking_bucket::enter
    before = word.fetch_sub(n, std::memory_order_seq_cst);
    return {};
  }
  template <class Word, class T>
  static ordered set_bits(Word& word, T bits) noexcept {
    // seq_cst: pairs with the fence in parking_bucket::enter
    word.fetch_or(bits, std::memory_order_seq_cst);
    return {};
  }
  /// Raises the word to at least `value`; `before` >= value says that another thread has done so.
  template <class Word, class T>
  static ordered raise(Word& word, T value, T& before) noexcept {
    before = word.load(std::memory_order_relaxed);
    while (before < value &&
           // seq_cst: pairs with the fence in parking_bucket::enter
           !word.compare_exchange_weak(before, value, std::memory_order_seq_cst,
                                       std::memory_order_relaxed)) {
    }
    return {};
  }
};

/// Sleepers in the order in which they came. An Entry has `next` (wait_queue.hpp). A is the
/// atomics.
template <class A, class Lock, class Entry>
class parking_bucket {
 public:
  /// Sleeper: true: it is in the bucket, and the thread that takes it out wakes it. False: ready()
  /// says that it need not sleep. `ready` is asked with the bucket locked.
  template <class Ready>
  bool enter(Entry& p, Ready ready) noexcept {
    const std::lock_guard hold(lock_);
    count_.fetch_add(1, std::memory_order_relaxed);  // relaxed: before the fence below
    A::fence_full();  // pairs with the fence of the one occupied(), and the orders of the other
    if (ready()) {
      // relaxed: a waker that sees the old count finds nobody
      const std::uint32_t before = count_.fetch_sub(1, std::memory_order_relaxed);
      KASURI_EXPECT(cheap, before != 0, "a sleeper leaves, %u are counted", before);
      return false;
    }
    append(last_, &p);
    return true;
  }

  /// Waker, once the condition is true: whether anybody may be in here.
  bool occupied() const noexcept {
    A::fence_full();                                     // pairs with the fence in enter
    return count_.load(std::memory_order_relaxed) != 0;  // relaxed: after the fence above
  }
  bool occupied(ordered) const noexcept {
    // seq_cst: behind the change that `ordered` speaks of; pairs with the fence in enter
    return count_.load(std::memory_order_seq_cst) != 0;
  }

  /// Waker, when it is occupied: takes up to `most` out for which wanted(entry), and calls
  /// taken(entry) with the bucket locked. An entry is gone once its sleeper is woken.
  template <class Wanted, class Taken>
  void take_out(unsigned most, Wanted wanted, Taken taken) noexcept {
    const std::lock_guard hold(lock_);
    take_where(last_, most, wanted, [&](Entry& p) {
      const std::uint32_t before = count_.fetch_sub(1, std::memory_order_relaxed);
      KASURI_EXPECT(cheap, before != 0, "sleeper %p is taken out, %u are counted",
                    static_cast<void*>(&p), before);
      taken(p);
    });
    KASURI_EXPECT(all, length_of(last_) == count_.load(std::memory_order_relaxed),
                  "%zu sleepers are left in the queue, %u are counted", length_of(last_),
                  count_.load(std::memory_order_relaxed));
  }

  /// Around a fork: nobody is about to enter or to take out.
  void lock() noexcept { lock_.lock(); }
  void unlock() noexcept { lock_.unlock(); }

 private:
  alignas(64) Lock lock_;  // a bucket has lines of its own
  // Sleepers inside, or about to look a last time; raised before that look.
  typename A::template atomic<std::uint32_t> count_{0};
  Entry* last_ = nullptr;  // the queue (wait_queue.hpp), under the lock
};

}  // namespace kasuri::sched
