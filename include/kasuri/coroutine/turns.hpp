// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// When and where a coroutine goes on: later, at a time, on the pool, at a place.

#include "kasuri/detail/needs_cxx20.hpp"

#include <coroutine>
#include <cstdint>

#include "kasuri/detail/coroutine/waiter.hpp"
#include "kasuri/detail/self.hpp"
#include "kasuri/detail/time.hpp"
#include "kasuri/future.hpp"
#include "kasuri/locality.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

class [[nodiscard]] turn_awaiter {
 public:
  turn_awaiter() noexcept {}  // NOLINT(modernize-use-equals-default): that would clear the memory
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> c) noexcept { go_on_behind_others(waiter_, c); }
  void await_resume() const noexcept {}

 private:
  coroutine_waiter waiter_;
};

class [[nodiscard]] time_awaiter {
 public:
  explicit time_awaiter(std::int64_t by) noexcept : by_(by) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> c) { go_on_at(waiter_, c, by_); }
  void await_resume() const noexcept {}

 private:
  std::int64_t by_;
  coroutine_waiter waiter_;
};

class [[nodiscard]] pool_awaiter : resumption {
 public:
  pool_awaiter() noexcept {}  // NOLINT(modernize-use-equals-default): as above
  bool await_ready() const noexcept { return self() != nullptr; }
  void await_suspend(std::coroutine_handle<> c) noexcept {
    is_of(c);
    start_detached(this);
  }
  void await_resume() const noexcept {}
};

class [[nodiscard]] place_awaiter : resumption {
 public:
  explicit place_awaiter(where place) noexcept : place_(place) {}
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> c) noexcept {
    is_of(c);
    if (send_to(place_, this)) return true;
    if (self() != nullptr) return false;
    start_detached(this);
    return true;
  }
  void await_resume() const noexcept {}

 private:
  where place_;
};

}  // namespace detail

/// `co_await yield_async()`: the coroutine goes on behind the tasks and threads that are ready on
/// this worker. this_task::yield() is for code that is no coroutine.
inline auto yield_async() noexcept { return detail::turn_awaiter(); }

/// `co_await sleep_for_async(d)`: the coroutine goes on when `d` has passed since this call, and
/// not before; of zero or less, behind others that are ready.
/// @throw in the coroutine: std::bad_alloc when the system has no thread for timers.
/// @par Complexity: logarithmic in the number of timers; no memory but the coroutine's own.
/// @par Cancellation: none.
template <class Rep, class Period>
auto sleep_for_async(const std::chrono::duration<Rep, Period>& d) noexcept {
  return detail::time_awaiter(detail::time_after(d));
}

/// The same, at the time `t` of its clock; by a clock other than std::chrono::steady_clock, as that
/// clock goes now.
template <class Clock, class Duration>
auto sleep_until_async(const std::chrono::time_point<Clock, Duration>& t) {
  return detail::time_awaiter(detail::time_at(t));
}

/// `co_await resume_on_pool()`: the coroutine goes on on a worker. On one it goes on at once;
/// elsewhere, as where a library has resumed it on a thread of its own, it is queued as a task.
inline auto resume_on_pool() noexcept { return detail::pool_awaiter(); }

/// `co_await resume_on(on_worker(3))`: the coroutine goes on at that place if it can be had, as a
/// task of at() would (kasuri/locality.hpp); at once where it is there already.
/// @param place  a worker, a node, or where data are
inline auto resume_on(where place) noexcept { return detail::place_awaiter(place); }

}  // namespace kasuri
