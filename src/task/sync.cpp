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

bool nobody_waits(detail::wait_list& l) noexcept {
  const holding hold(l);
  return l.last == nullptr;
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
        s->on = &list;  // it is the first member of its object
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
  try {
    held.lock();
  } catch (const std::bad_alloc&) {
    sched::no_memory_for_stack();  // without the mutex the caller could not go on
  }
}

void condition_variable::notify_one() noexcept {
  detail::suspended* first;
  {
    const holding hold(waiters_);
    first = task::take_first(waiters_.last);
  }
  if (first != nullptr) sched::make_ready(first);
}

void condition_variable::notify_all() noexcept {
  detail::suspended* all;
  {
    const holding hold(waiters_);
    all = task::take_all(waiters_.last);
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
  KASURI_EXPECT(cheap, waiters_.count == 0 || waiters_.last == nullptr,
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

void semaphore::release(std::size_t n) {
  detail::suspended* served = nullptr;  // a circular list like the waiters'
  {
    const holding hold(waiters_);
    if (n > most - waiters_.count)
      throw std::overflow_error("kasuri::semaphore::release: n = " + std::to_string(n) +
                                " more than the " + std::to_string(waiters_.count) +
                                " units it holds; accepted: up to 4294967295 in all");
    for (; n != 0 && waiters_.last != nullptr; --n)
      task::append(served, task::take_first(waiters_.last));
    KASURI_EXPECT(cheap, n == 0 || waiters_.count == 0 || waiters_.last == nullptr,
                  "%zu units more than the %u, and %p waits for one", n, waiters_.count,
                  static_cast<void*>(waiters_.last));
    waiters_.count += static_cast<std::uint32_t>(n);
  }
  sched::make_all_ready(task::take_all(served));
}

bool semaphore::is_idle() noexcept { return nobody_waits(waiters_); }

// ---- barrier ----------------------------------------------------------------------------------

barrier::barrier(std::size_t threads) : threads_(checked(threads, 1, "kasuri::barrier: threads")) {}

bool barrier::arrive_and_wait() {
  task::acquire(waiters_);
  KASURI_EXPECT(cheap, waiters_.count < threads_, "%u of %u threads have arrived before",
                waiters_.count, threads_);
  if (++waiters_.count != threads_) {
    task::suspend_on(waiters_, wait_reason::barrier, [this] { --waiters_.count; });
    return false;
  }
  KASURI_EXPECT(all, sched::length_of(waiters_.last) + 1 == waiters_.count,
                "%zu threads wait, %u have arrived", sched::length_of(waiters_.last),
                waiters_.count);
  waiters_.count = 0;
  detail::suspended* const others = task::take_all(waiters_.last);
  task::release(waiters_);
  sched::make_all_ready(others);
  return true;
}

bool barrier::is_idle() noexcept { return nobody_waits(waiters_); }

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
    if (waiters_.count == 0) all = task::take_all(waiters_.last);
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

// In one go: after a count_down of its own the latch might be gone.
void latch::arrive_and_wait() {
  task::acquire(waiters_);
  if (waiters_.count == 0) {
    task::release(waiters_);
    throw std::invalid_argument("kasuri::latch::arrive_and_wait: the count is zero");
  }
  if (--waiters_.count != 0)
    return task::suspend_on(waiters_, wait_reason::latch, [this] { ++waiters_.count; });
  detail::suspended* const all = task::take_all(waiters_.last);
  task::release(waiters_);
  sched::make_all_ready(all);
}

bool latch::is_idle() noexcept { return nobody_waits(waiters_); }

}  // namespace kasuri
