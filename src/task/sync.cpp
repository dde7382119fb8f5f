// SPDX-License-Identifier: Apache-2.0
// Condition variable, semaphore, barrier, latch: each a wait list and a number. wait_list.hpp has
// the protocol.

#include "kasuri/sync.hpp"

#include <stdexcept>
#include <string>

#include "platform/base/expect.hpp"
#include "sched/pool/pool.hpp"
#include "sched/run/suspend.hpp"
#include "task/wait_list.hpp"

namespace [[gnu::visibility("default")]] kasuri {

using record::wait_reason;
using task::holding;

namespace {

std::uint32_t checked(std::size_t n, std::size_t least, const char* argument) {
  if (n < least || n > UINT32_MAX)
    throw std::invalid_argument(std::string(argument) + " = " + std::to_string(n) +
                                "; accepted: " + std::to_string(least) + " to 4294967295");
  return static_cast<std::uint32_t>(n);
}

/// Whether nobody waits, or perhaps only threads whose time is over and that are on their way out.
[[maybe_unused]] bool may_be_used_up(const detail::wait_list& l) noexcept {
  return l.last == nullptr || !task::only_wakers(l);
}

bool nobody_waits(detail::wait_list& l) noexcept {
  const holding hold(l);
  return l.last == nullptr;
}

/// Behind a wait for a condition.
void lock_again(mutex& m) noexcept {
  try {
    m.lock();
  } catch (const std::bad_alloc&) {
    sched::no_memory_for_stack();  // without the mutex the caller could not go on
  }
}

/// In place of a wait that has no time: a loop around it lets those go on that it waits for.
void let_others_go_first(mutex& m) noexcept {
  m.unlock();
  sched::yield();
  lock_again(m);
}

}  // namespace

// ---- condition variable -----------------------------------------------------------------------

void condition_variable::wait(std::unique_lock<mutex>& lock) {
  if (!lock.owns_lock())
    throw std::logic_error("kasuri::condition_variable::wait: the lock does not hold its mutex");
  wait(*lock.mutex());
}

void condition_variable::wait(mutex& held) {
  task::acquire(waiters_);
  // Unlocked only when the thread is in the list: a notification from then on finds it there.
  struct {
    detail::wait_list& list;
    mutex& held;
  } both{waiters_, held};
  const bool waited = sched::try_suspend(
      wait_reason::condition,
      [](void* arg, detail::suspended* s) noexcept {
        const auto [list, mutex] = *static_cast<decltype(both)*>(arg);
        task::note_list(list, s);
        task::append(list.last, s);
        mutex.unlock();
        task::release(list);
        return true;
      },
      &both);
  if (!waited) [[unlikely]] {
    task::release(waiters_);
    throw std::bad_alloc();
  }
  lock_again(held);
}

bool condition_variable::wait_by(std::unique_lock<mutex>& lock, std::int64_t by,
                                 detail::early_end* early) {
  if (!lock.owns_lock())
    throw std::logic_error(
        "kasuri::condition_variable::wait_until: the lock does not hold its mutex");
  mutex& held = *lock.mutex();
  if (by == sched::never && early == nullptr) return wait(held), true;
  if (!task::may_wait_until(by)) return let_others_go_first(held), false;
  task::acquire(waiters_);
  struct : task::list_wait {
    using list_wait::list_wait;
    mutex* held = nullptr;
  } wait{waiters_, by, early};
  wait.held = &held;
  const bool waited = sched::try_suspend(
      wait_reason::condition,
      [](void* arg, detail::suspended* s) noexcept {
        auto& w = *static_cast<decltype(wait)*>(arg);
        detail::wait_list& list = w.list;
        mutex& m = *w.held;
        task::note_list(list, s, &w.word);
        w.begin(*s);
        task::append(list.last, s);
        m.unlock();
        task::release(list);
        return true;
      },
      &wait, wait);
  if (!waited) [[unlikely]] {
    task::release(waiters_);
    throw std::bad_alloc();
  }
  lock_again(held);
  return !wait.is_late;
}

void condition_variable::notify_one() noexcept {
  detail::suspended* first;
  {
    const holding hold(waiters_);
    first = task::take_one(waiters_);
  }
  if (first != nullptr) sched::make_ready(first);
}

void condition_variable::notify_all() noexcept {
  detail::suspended* all;
  {
    const holding hold(waiters_);
    all = task::take_all(waiters_);
  }
  sched::make_all_ready(all);
}

bool condition_variable::is_idle() noexcept { return nobody_waits(waiters_); }

// ---- semaphore --------------------------------------------------------------------------------

semaphore::semaphore(std::size_t units) {
  waiters_.count = checked(units, 0, "kasuri::semaphore: units");
}

void semaphore::acquire() {
  task::acquire(waiters_);
  KASURI_EXPECT(cheap, waiters_.count == 0 || may_be_used_up(waiters_),
                "%u units, and %p waits for one", waiters_.count,
                static_cast<void*>(waiters_.last));
  if (waiters_.count == 0) return task::suspend_on(waiters_, wait_reason::semaphore);
  --waiters_.count;
  task::release(waiters_);
}

bool semaphore::try_acquire() noexcept {
  const holding hold(waiters_);
  if (waiters_.count == 0) return false;
  --waiters_.count;
  return true;
}

bool semaphore::try_acquire_by(std::int64_t by, detail::early_end* early) {
  if (try_acquire()) return true;
  if (by == sched::never && early == nullptr) return acquire(), true;
  if (!task::may_wait_until(by)) return false;
  task::acquire(waiters_);
  if (waiters_.count == 0) {
    task::list_wait wait(waiters_, by, early);
    return task::suspend_on(wait, wait_reason::semaphore);
  }
  --waiters_.count;
  task::release(waiters_);
  return true;
}

void semaphore::release(std::size_t n) {
  detail::suspended* served = nullptr;  // a circular list like the waiters'
  {
    const holding hold(waiters_);
    if (n > most - waiters_.count)
      throw std::overflow_error("kasuri::semaphore::release: n = " + std::to_string(n) +
                                " more than the " + std::to_string(waiters_.count) +
                                " units it holds; accepted: up to 4294967295 in all");
    const bool plain = task::only_wakers(waiters_);
    if (plain) [[likely]] {
      for (; n != 0 && waiters_.last != nullptr; --n)
        task::append(served, task::take_first(waiters_.last));
    } else {
      served = task::claim_waiters(waiters_.last, n, task::word_of);
    }
    KASURI_EXPECT(cheap, n == 0 || waiters_.count == 0 || may_be_used_up(waiters_),
                  "%zu units more than the %u, and %p waits for one", n, waiters_.count,
                  static_cast<void*>(waiters_.last));
    waiters_.count += static_cast<std::uint32_t>(n);
    if (!plain) task::let_leave(waiters_, task::word_of);
  }
  sched::make_all_ready(sched::take_all(served));
}

bool semaphore::is_idle() noexcept { return nobody_waits(waiters_); }

// ---- barrier ----------------------------------------------------------------------------------

namespace detail {

barrier_base::barrier_base(std::size_t threads)
    : threads_(checked(threads, 1, "kasuri::barrier: threads")) {}

/// All have arrived, and the caller has the lock.
[[gnu::always_inline]] inline void barrier_base::end_phase(completion* between) noexcept {
  if (between != nullptr) [[unlikely]] {
    task::release(waiters_);  // nobody else arrives before the next phase
    between->call(*between);
    task::acquire(waiters_);
  }
  waiters_.count = 0;
  suspended* const others = sched::take_all(waiters_.last);  // none waits until a time
  task::release(waiters_);
  sched::make_all_ready(others);
}

bool barrier_base::arrive(completion* between) noexcept {
  KASURI_EXPECT(cheap, waiters_.count < threads_, "%u of %u threads have arrived before",
                waiters_.count, threads_);
  if (++waiters_.count != threads_) return false;
  KASURI_EXPECT(all, sched::length_of(waiters_.last) + 1 == waiters_.count,
                "%zu threads wait, %u have arrived", sched::length_of(waiters_.last),
                waiters_.count);
  end_phase(between);
  return true;
}

bool barrier_base::arrive_and_wait(completion* between) {
  task::acquire(waiters_);
  if (arrive(between)) return true;
  task::suspend_on(waiters_, wait_reason::barrier, [this] { --waiters_.count; });
  return false;
}

bool barrier_base::arrive_and_drop(completion* between) {
  task::acquire(waiters_);
  if (threads_ == 0) {
    task::release(waiters_);
    throw std::logic_error("kasuri::barrier::arrive_and_drop: all threads have dropped out");
  }
  if (waiters_.count != --threads_) {
    task::release(waiters_);
    return false;
  }
  end_phase(between);
  return true;
}

bool barrier_base::is_idle() noexcept { return nobody_waits(waiters_); }

}  // namespace detail

// ---- latch ------------------------------------------------------------------------------------

latch::latch(std::size_t count) { waiters_.count = checked(count, 0, "kasuri::latch: count"); }

void latch::count_down(std::size_t n) {
  detail::suspended* all = nullptr;
  {
    const holding hold(waiters_);
    if (n > waiters_.count)
      throw std::invalid_argument("kasuri::latch::count_down: n = " + std::to_string(n) +
                                  "; what is left: " + std::to_string(waiters_.count));
    waiters_.count -= static_cast<std::uint32_t>(n);
    if (waiters_.count == 0) all = task::take_all(waiters_);
  }
  sched::make_all_ready(all);
}

bool latch::try_wait() noexcept {
  const holding hold(waiters_);
  return waiters_.count == 0;
}

void latch::wait() {
  task::acquire(waiters_);
  if (waiters_.count != 0) return task::suspend_on(waiters_, wait_reason::latch);
  KASURI_EXPECT(cheap, waiters_.last == nullptr, "the count is %u, and %p waits", waiters_.count,
                static_cast<void*>(waiters_.last));
  task::release(waiters_);
}

bool latch::wait_by(std::int64_t by, detail::early_end* early) {
  if (try_wait()) return true;
  if (by == sched::never && early == nullptr) return wait(), true;
  if (!task::may_wait_until(by)) return false;
  task::acquire(waiters_);
  if (waiters_.count != 0) {
    task::list_wait w(waiters_, by, early);
    return task::suspend_on(w, wait_reason::latch);
  }
  task::release(waiters_);
  return true;
}

bool latch::arrive() {
  if (waiters_.count == 0) {
    task::release(waiters_);
    throw std::invalid_argument("kasuri::latch::arrive_and_wait: the count is zero");
  }
  if (--waiters_.count != 0) return false;
  detail::suspended* const all = task::take_all(waiters_);
  task::release(waiters_);
  sched::make_all_ready(all);
  return true;
}

// In one go: after a count_down of its own the latch might be gone.
void latch::arrive_and_wait() {
  task::acquire(waiters_);
  if (!arrive()) task::suspend_on(waiters_, wait_reason::latch, [this] { ++waiters_.count; });
}

bool latch::is_idle() noexcept { return nobody_waits(waiters_); }

}  // namespace kasuri
