// SPDX-License-Identifier: Apache-2.0
#pragma once

// Waiting for an object.
//
// Every operation takes the object's lock, looks, and either changes the object or suspends. A
// thread that suspends keeps the lock until it stands in the list: the lock is released on another
// stack, after the thread has left its own (suspend_on). So a waker that holds the lock sees every
// waiter, and each waiter it sees can be resumed.
//
// An object may be destroyed by the first thread that a wake-up lets go on. Therefore
//   - nothing looks at an object without its lock: a thread that got the lock knows that the waker
//     has released it, and releasing it is the last thing a waker does to the object;
//   - wakers take the threads out of the list under the lock and make them ready after it.

#include <new>

#include "kasuri/detail/atomics.hpp"
#include "kasuri/detail/wait_list.hpp"
#include "platform/base/expect.hpp"
#include "sched/kernel/wait_queue.hpp"
#include "sched/run/suspend.hpp"

namespace kasuri::task {

using detail::real_atomics;
using detail::suspended;
using detail::wait_list;
using sched::append;
using sched::prepend;
using sched::take_all;
using sched::take_first;

// Templates over the atomics A and the list, which tests/model explores.

template <class A = real_atomics, class List>
void acquire(List& l) noexcept {
  for (unsigned n = 0;; ++n) {
    // acquire: pairs with the release in release
    if (l.locked.load(std::memory_order_relaxed) == 0 &&
        l.locked.exchange(1, std::memory_order_acquire) == 0)
      return;
    A::backoff(n);
  }
}

template <class List>
void release(List& l) noexcept {
  KASURI_EXPECT(cheap, l.locked.load(std::memory_order_relaxed) == 1,
                "list %p is let go and was not held, its count is %u", static_cast<void*>(&l),
                l.count);
  // release: pairs with the acquire in acquire
  l.locked.store(0, std::memory_order_release);
}

/// A thread that holds the lock, and has left its stack, stands in the list; `s` is its record.
template <class List, class Node>
void queue_and_let_go(List& l, Node* s) noexcept {
  append(l.last, s);
  release(l);
}

/// Holds the lock for a block.
class holding {
 public:
  explicit holding(wait_list& l) noexcept : list_(l) { acquire(l); }
  ~holding() { release(list_); }
  holding(const holding&) = delete;
  holding& operator=(const holding&) = delete;

 private:
  wait_list& list_;
};

/// The caller holds the lock: it queues, lets the lock go, and returns when somebody has taken it
/// out of the list and woken it. Throws std::bad_alloc, and lets the lock go, when there is no
/// memory for the stack that it takes to wait; `undo` is called before.
template <class Undo>
void suspend_on(wait_list& l, record::wait_reason reason, Undo undo) {
  KASURI_EXPECT(cheap, l.locked.load(std::memory_order_relaxed) == 1,
                "a thread queues in list %p, which nobody holds", static_cast<void*>(&l));
  const bool waited = sched::try_suspend(
      reason,
      [](void* arg, suspended* s) noexcept {
        auto& list = *static_cast<wait_list*>(arg);
        s->on = &list;  // it is the first member of its object
        queue_and_let_go(list, s);
        return true;
      },
      &l);
  if (!waited) [[unlikely]] {
    undo();
    release(l);
    throw std::bad_alloc();
  }
}

inline void suspend_on(wait_list& l, record::wait_reason reason) {
  suspend_on(l, reason, [] {});
}

}  // namespace kasuri::task
