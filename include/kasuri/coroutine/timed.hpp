// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// co_await of objects until a time.
///
/// A duration counts from the call that makes the await, which is where co_await stands. A time
/// that is over already waits for nothing: the await looks once. A time of a clock other than
/// std::chrono::steady_clock comes when that clock, as it goes now, shows it. As in sync.hpp, an
/// await that says that its time is over has changed nothing.
///
/// All of them throw, in the coroutine, std::bad_alloc when the system has no thread for timers. A
/// wait takes a step that is logarithmic in the number of timers, and no memory but the
/// coroutine's own.

#include "kasuri/detail/needs_cxx20.hpp"

#include <coroutine>
#include <cstdint>
#include <mutex>
#include <shared_mutex>

#include "kasuri/coroutine/objects.hpp"
#include "kasuri/detail/coroutine/waiter.hpp"
#include "kasuri/detail/time.hpp"
#include "kasuri/shared_mutex.hpp"
#include "kasuri/sync.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// What all of them have.
template <class Object>
class timed_await {
 public:
  timed_await(Object& o, std::int64_t by) noexcept : object(o), until(by) {}
  bool await_ready() const noexcept { return false; }

 protected:
  bool came() noexcept { return coroutine_access::came(waiter); }
  template <class Lock>
  Lock lock_if_came() noexcept {
    return came() ? Lock(object, std::adopt_lock) : Lock(object, std::defer_lock);
  }

  Object& object;
  std::int64_t until;
  timed_coroutine_waiter waiter;
};

class [[nodiscard]] timed_lock_awaiter : public timed_await<mutex> {
 public:
  using timed_await::timed_await;
  bool await_suspend(std::coroutine_handle<> c) {
    return coroutine_access::lock(object, waiter, c, until);
  }
  [[nodiscard]] std::unique_lock<mutex> await_resume() noexcept {
    return lock_if_came<std::unique_lock<mutex>>();
  }
};

template <class Lock, bool shared>
class [[nodiscard]] timed_shared_mutex_awaiter : public timed_await<shared_mutex> {
 public:
  using timed_await::timed_await;
  bool await_suspend(std::coroutine_handle<> c) {
    return coroutine_access::lock(object, shared, waiter, c, until);
  }
  [[nodiscard]] Lock await_resume() noexcept { return lock_if_came<Lock>(); }
};
using timed_exclusive_awaiter = timed_shared_mutex_awaiter<std::unique_lock<shared_mutex>, false>;
using timed_shared_awaiter = timed_shared_mutex_awaiter<std::shared_lock<shared_mutex>, true>;

class [[nodiscard]] timed_unit_awaiter : public timed_await<semaphore> {
 public:
  using timed_await::timed_await;
  bool await_suspend(std::coroutine_handle<> c) {
    return coroutine_access::acquire(object, waiter, c, until);
  }
  [[nodiscard]] bool await_resume() noexcept { return came(); }
};

class [[nodiscard]] timed_latch_awaiter : public timed_await<latch> {
 public:
  using timed_await::timed_await;
  bool await_suspend(std::coroutine_handle<> c) {
    return coroutine_access::wait(object, waiter, c, until);
  }
  [[nodiscard]] bool await_resume() noexcept { return came(); }
};

class [[nodiscard]] timed_condition_awaiter : public timed_await<condition_variable> {
 public:
  timed_condition_awaiter(condition_variable& v, mutex& held, std::int64_t by) noexcept
      : timed_await(v, by), held_(held) {}
  void await_suspend(std::coroutine_handle<> c) {
    coroutine_access::wait(object, held_, waiter, c, until);
  }
  wait_status await_resume() noexcept { return wait_status(came()); }

 private:
  mutex& held_;
};

}  // namespace detail

/// `auto lock = co_await try_lock_for_async(m, d)`: takes the mutex if it is free within `d`.
/// @return what the await gives: a std::unique_lock, which holds the mutex if it was free in time.
template <class Rep, class Period>
auto try_lock_for_async(mutex& m, const std::chrono::duration<Rep, Period>& d) noexcept {
  return detail::timed_lock_awaiter(m, detail::time_after(d));
}
/// The same, before `t`.
template <class Clock, class Duration>
auto try_lock_until_async(mutex& m, const std::chrono::time_point<Clock, Duration>& t) {
  return detail::timed_lock_awaiter(m, detail::time_at(t));
}

/// `auto lock = co_await try_lock_for_async(m, d)`: takes the mutex exclusively if that can be
/// within `d`.
/// @return as for a mutex.
template <class Rep, class Period>
auto try_lock_for_async(shared_mutex& m, const std::chrono::duration<Rep, Period>& d) noexcept {
  return detail::timed_exclusive_awaiter(m, detail::time_after(d));
}
/// The same, before `t`.
template <class Clock, class Duration>
auto try_lock_until_async(shared_mutex& m, const std::chrono::time_point<Clock, Duration>& t) {
  return detail::timed_exclusive_awaiter(m, detail::time_at(t));
}
/// `auto lock = co_await try_lock_shared_for_async(m, d)`: the same, shared.
/// @return what the await gives: a std::shared_lock, which holds the mutex if it was to be had.
template <class Rep, class Period>
auto try_lock_shared_for_async(shared_mutex& m,
                               const std::chrono::duration<Rep, Period>& d) noexcept {
  return detail::timed_shared_awaiter(m, detail::time_after(d));
}
/// The same, before `t`.
template <class Clock, class Duration>
auto try_lock_shared_until_async(shared_mutex& m,
                                 const std::chrono::time_point<Clock, Duration>& t) {
  return detail::timed_shared_awaiter(m, detail::time_at(t));
}

/// `bool has_one = co_await try_acquire_for_async(s, d)`: takes a unit of the semaphore; waits for
/// it for `d` at most.
/// @return what the await gives: whether it took one.
template <class Rep, class Period>
auto try_acquire_for_async(semaphore& s, const std::chrono::duration<Rep, Period>& d) noexcept {
  return detail::timed_unit_awaiter(s, detail::time_after(d));
}
/// The same, until `t` at most.
template <class Clock, class Duration>
auto try_acquire_until_async(semaphore& s, const std::chrono::time_point<Clock, Duration>& t) {
  return detail::timed_unit_awaiter(s, detail::time_at(t));
}

/// `bool zero = co_await wait_for_async(l, d)`: waits until the count of the latch is zero, for `d`
/// at most.
/// @return what the await gives: whether it is zero.
template <class Rep, class Period>
auto wait_for_async(latch& l, const std::chrono::duration<Rep, Period>& d) noexcept {
  return detail::timed_latch_awaiter(l, detail::time_after(d));
}
/// The same, until `t` at most.
template <class Clock, class Duration>
auto wait_until_async(latch& l, const std::chrono::time_point<Clock, Duration>& t) {
  return detail::timed_latch_awaiter(l, detail::time_at(t));
}

/// `co_await wait_for_async(c, lock, d)`: as wait_async(c, lock), for `d` at most. Where the time
/// is over at once it lets the mutex go, and goes on behind others.
/// @return what the await gives, as std::cv_status: no_timeout after a notification, else timeout;
///         the mutex is held again in either case, for which it may wait longer.
/// @throw std::logic_error when `lock` does not hold its mutex.
template <class Rep, class Period>
auto wait_for_async(condition_variable& c, std::unique_lock<mutex>& lock,
                    const std::chrono::duration<Rep, Period>& d) {
  return detail::timed_condition_awaiter(c, detail::mutex_of(lock), detail::time_after(d));
}
/// The same, until `t` at most.
template <class Clock, class Duration>
auto wait_until_async(condition_variable& c, std::unique_lock<mutex>& lock,
                      const std::chrono::time_point<Clock, Duration>& t) {
  return detail::timed_condition_awaiter(c, detail::mutex_of(lock), detail::time_at(t));
}

}  // namespace kasuri
