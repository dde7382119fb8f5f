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
//
// A wait may end by its time (sched/kernel/timed_word.hpp). A waker claims each entry that it
// takes; entries whose time was first it drops. Where it has met one whose thread is on its way to
// the lock to take itself out, it lets the lock go for that before it lets anybody go on
// (let_leave): behind that the object may be gone.

#include <cstddef>
#include <new>

#include "kasuri/detail/atomics.hpp"
#include "kasuri/detail/wait_list.hpp"
#include "platform/base/expect.hpp"
#include "sched/kernel/timed_word.hpp"
#include "sched/kernel/wait_queue.hpp"
#include "sched/pool/pool.hpp"
#include "sched/run/suspend.hpp"
#include "sched/time/timed_wait.hpp"

namespace kasuri::task {

using detail::real_atomics;
using detail::suspended;
using detail::wait_list;
using sched::append;
using sched::prepend;
using sched::take_first;
using sched::verdict;
namespace timed_word = sched::timed_word;

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
                "list %p is let go and was not held, its count is %zu", static_cast<void*>(&l),
                static_cast<std::size_t>(l.count));
  // release: pairs with the acquire in acquire
  l.locked.store(0, std::memory_order_release);
}

/// A thread that holds the lock, and has left its stack, stands in the list; `s` is its record.
template <class List, class Node>
void queue_and_let_go(List& l, Node* s) noexcept {
  append(l.last, s);
  release(l);
}

/// What a walk does with an entry that a waker would take; `word` is null where only a waker ends
/// the wait.
template <class Word>
verdict judge(Word* word) noexcept {
  if (word == nullptr) return verdict::take;
  switch (timed_word::claim_entry(*word)) {
    case timed_word::claim::won:
      return verdict::take;
    case timed_word::claim::dropped:
      return verdict::drop;
    case timed_word::claim::kept:
      break;
  }
  return verdict::keep;
}

/// Takes up to `most` waiters out, oldest first, as a list of the same kind; `most` becomes what is
/// left of it. word_of(entry): see judge. Under the lock; let_leave() follows under the same.
template <class Node, class WordOf>
Node* claim_waiters(Node*& last, std::size_t& most, WordOf word_of) noexcept {
  Node* taken = nullptr;
  sched::take_judged(
      last, most, [&](Node& n) { return judge(word_of(n)); },
      [&](Node& n) {
        append(taken, &n);
        --most;
      });
  return taken;
}

/// Returns when all have left that a walk under this lock has met on their way out: they are the
/// oldest then. Lets the lock go meanwhile and takes it again.
template <class A = real_atomics, class List, class WordOf>
void let_leave(List& l, WordOf word_of) noexcept {
  for (unsigned n = 0;; ++n) {
    auto* const first = sched::oldest(l.last);
    if (first == nullptr || word_of(*first) == nullptr ||
        word_of(*first)->load(std::memory_order_relaxed) != timed_word::leaves)
      return;
    release(l);
    A::backoff(n);
    acquire<A>(l);
  }
}

/// For a thread whose time was first: takes its entry `s` out of the list, and others whose time is
/// over on the way, so that many that end together walk once. finish() is called under the lock.
template <class A = real_atomics, class List, class Node, class WordOf, class Finish>
void leave_list(List& l, Node& s, WordOf word_of, Finish finish) noexcept {
  if (!timed_word::begin_to_leave(*word_of(s))) return;  // a waker has; the object may be gone
  acquire<A>(l);
  const auto sweep = [&](Node& n) {
    if (&n == &s) return verdict::take;
    auto* const word = word_of(n);
    const bool is_late =
        word != nullptr && word->load(std::memory_order_relaxed) == timed_word::late;
    return is_late ? judge(word) : verdict::keep;
  };
  sched::take_judged(l.last, 1, sweep, [](Node&) {});
  finish();
  release(l);
}

// The same for the lists of real objects.

inline std::atomic<std::uint32_t>* word_of(const suspended& s) noexcept { return s.timed; }

/// Whether no wait in the list may end by its time.
inline bool only_wakers(const wait_list& l) noexcept {
  return l.last == nullptr || !l.last->some_timed;
}

/// Fills the record of a thread that the list gets next. `word`: of a wait that may end by its
/// time.
inline void note_list(const wait_list& l, suspended* s,
                      std::atomic<std::uint32_t>* word = nullptr) noexcept {
  s->on = &l;  // it is the first member of its object
  s->timed = word;
  s->some_timed = word != nullptr || !only_wakers(l);
}

/// The oldest `most` waiters whose time is not over, as a list. Under the lock.
[[gnu::noinline]] inline suspended* claim_among_timed(wait_list& l, std::size_t most) noexcept {
  suspended* const taken = claim_waiters(l.last, most, word_of);
  let_leave(l, word_of);
  return taken;
}

/// Takes the oldest waiter out; null when nobody waits. Under the lock, which the caller lets go
/// next.
inline suspended* take_one(wait_list& l) noexcept {
  if (only_wakers(l)) [[likely]]
    return take_first(l.last);
  suspended* taken = claim_among_timed(l, 1);
  return take_first(taken);
}

/// All waiters, as a chain that ends with null. Under the lock, which the caller lets go next.
inline suspended* take_all(wait_list& l) noexcept {
  if (only_wakers(l)) [[likely]]
    return sched::take_all(l.last);
  suspended* taken = claim_among_timed(l, SIZE_MAX);
  return sched::take_all(taken);
}

/// Holds the lock for a block.
template <class List = wait_list>
class holding {
 public:
  explicit holding(List& l) noexcept : list_(l) { acquire(l); }
  ~holding() { release(list_); }
  holding(const holding&) = delete;
  holding& operator=(const holding&) = delete;

 private:
  List& list_;
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
        note_list(list, s);
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

/// A wait for an object that ends by a wake or by its time.
struct list_wait : sched::timed_wait {
  list_wait(wait_list& l, sched::steady_ns by, detail::early_end* or_by = nullptr) noexcept
      : timed_wait(by, time_has_come), list(l) {
    leave = take_out;
    early = or_by;
  }

  static detail::frame* time_has_come(timer& t) noexcept {
    auto& w = static_cast<list_wait&>(t);
    return timed_word::time_is_over(w.word) ? w.end_by_time() : nullptr;
  }
  static void take_out(timed_wait& w) noexcept {
    auto& l = static_cast<list_wait&>(w);
    detail::suspended* others = nullptr;
    leave_list(l.list, *w.thread, word_of,
               [&] { others = l.after == nullptr ? nullptr : l.after(l.list); });
    sched::make_all_ready(others);
  }

  std::atomic<std::uint32_t> word{timed_word::waits};
  wait_list& list;
  /// Called under the lock when the thread has left the list: the chain of those who may go on by
  /// that. Null: nobody.
  suspended* (*after)(wait_list& l) noexcept = nullptr;
};

/// As suspend_on, until the time of `w` at the latest. Returns whether somebody has woken the
/// thread.
[[nodiscard]] inline bool suspend_on(list_wait& w, record::wait_reason reason) {
  const bool waited = sched::try_suspend(
      reason,
      [](void* arg, suspended* s) noexcept {
        auto& wait = *static_cast<list_wait*>(arg);
        wait_list& list = wait.list;
        note_list(list, s, &wait.word);
        wait.begin(*s);
        queue_and_let_go(list, s);
        return true;
      },
      &w, w);
  if (!waited) [[unlikely]] {
    release(w.list);
    throw std::bad_alloc();
  }
  return !w.is_late;
}

/// Whether `by` is still to come, so that a call that waits until then may wait. Throws
/// std::bad_alloc where the system has no thread for timers.
[[nodiscard]] inline bool may_wait_until(sched::steady_ns by) {
  if (by == sched::never) return true;
  if (by <= sched::steady_now()) return false;
  if (sched::current() != nullptr && !sched::timers::get().prepare()) throw std::bad_alloc();
  return true;
}

}  // namespace kasuri::task
