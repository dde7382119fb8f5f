// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// co_await of a future, also until a time.

#include "kasuri/detail/needs_cxx20.hpp"

#include <coroutine>
#include <cstdint>

#include "kasuri/detail/flow/callback.hpp"
#include "kasuri/detail/coroutine/waiter.hpp"
#include "kasuri/detail/time.hpp"
#include "kasuri/future.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// Stands in the word of the result as a callback, which queues the coroutine.
template <class Future>
class future_awaiter : callback, resumption {
 public:
  explicit future_awaiter(Future& f) noexcept : future_(f) {}
  future_awaiter(const future_awaiter&) = delete;
  future_awaiter& operator=(const future_awaiter&) = delete;

  bool await_ready() const { return future_.ready(); }
  bool await_suspend(std::coroutine_handle<> c) noexcept {
    is_of(c);
    call = [](callback* self) noexcept -> std::uintptr_t {
      start_detached(static_cast<future_awaiter*>(self));
      return 0;
    };
    return on_ready(future_access::state(future_), this);
  }
  decltype(auto) await_resume() { return future_.get(); }

 private:
  Future& future_;
};

/// Waits until a time, and leaves the result where it is.
template <class Future>
class [[nodiscard]] timed_future_awaiter {
 public:
  timed_future_awaiter(const Future& f, std::int64_t by) noexcept : future_(f), by_(by) {}

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> c) {
    is_there_ = future_.ready();
    auto* const task = future_access::state(future_);
    return !is_there_ && coroutine_access::wait(task, task->watch, waiter_, c, by_);
  }
  wait_status await_resume() {
    return wait_status(is_there_ || coroutine_access::came(waiter_) || future_.ready());
  }

 private:
  const Future& future_;
  std::int64_t by_;
  bool is_there_ = false;
  timed_coroutine_waiter waiter_;
};

}  // namespace detail

/// `co_await f` waits for the result and takes it out, as f.get() does: afterwards f is not
/// valid(). The coroutine is queued as a task when the result is there; it goes on at once where it
/// is there already.
/// @throw in the coroutine: what the task threw; std::logic_error when f is not valid().
/// @par Thread-safety: one coroutine or thread at a time, as get().
template <class R>
auto operator co_await(future<R>& f) noexcept {
  return detail::future_awaiter<future<R>>(f);
}
/// The same for `co_await async(...)` and `co_await std::move(f)`.
template <class R>
auto operator co_await(future<R>&& f) noexcept {
  return detail::future_awaiter<future<R>>(f);
}
/// The same, of a result that stays: what the await gives is a reference, as by f.get(). Any number
/// of coroutines and threads may wait.
template <class R>
auto operator co_await(const shared_future<R>& f) noexcept {
  return detail::future_awaiter<const shared_future<R>>(f);
}

/// `co_await wait_for_async(f, d)`: waits until the result is there, but not longer than until `d`
/// has passed since this call. The result stays in the future, which has to be there meanwhile.
/// @return what the await gives: as std::future_status, ready or timeout. Where the time is over at
///         once the coroutine goes on behind others.
/// @throw in the coroutine: std::logic_error when f is not valid(); std::bad_alloc when there is no
///        memory for the first such wait for a result, or the system has no thread for timers.
/// @par Thread-safety: as future::wait().
template <class R, class Rep, class Period>
auto wait_for_async(const future<R>& f, const std::chrono::duration<Rep, Period>& d) noexcept {
  return detail::timed_future_awaiter(f, detail::time_after(d));
}
/// The same, until the clock of `t` shows t; by a clock other than std::chrono::steady_clock, as it
/// goes now.
template <class R, class Clock, class Duration>
auto wait_until_async(const future<R>& f, const std::chrono::time_point<Clock, Duration>& t) {
  return detail::timed_future_awaiter(f, detail::time_at(t));
}
/// The same for a result that many wait for.
template <class R, class Rep, class Period>
auto wait_for_async(const shared_future<R>& f,
                    const std::chrono::duration<Rep, Period>& d) noexcept {
  return detail::timed_future_awaiter(f, detail::time_after(d));
}
/// The same, until a time.
template <class R, class Clock, class Duration>
auto wait_until_async(const shared_future<R>& f,
                      const std::chrono::time_point<Clock, Duration>& t) {
  return detail::timed_future_awaiter(f, detail::time_at(t));
}

}  // namespace kasuri
