// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The type of a coroutine, and how it begins.

#include "kasuri/detail/needs_cxx20.hpp"

#include <coroutine>
#include <utility>

#include "kasuri/detail/coroutine/promise.hpp"
#include "kasuri/detail/coroutine/task.hpp"
#include "kasuri/detail/refused.hpp"
#include "kasuri/future.hpp"

namespace [[gnu::visibility("default")]] kasuri {

/// A coroutine that has not begun: what a function that uses co_await or co_return gives back.
///
/// It begins when it is awaited by another coroutine (`T x = co_await f();`), on that one's worker
/// and without a queue between, or when async or sync_wait makes it a task. One that is destroyed
/// instead never runs: its frame goes, with its parameters.
///
/// The coroutine moves what it returns with co_return, or the exception that leaves it, to the one
/// that awaits it. When it ends, it passes control on to that one without a call, so that loops and
/// chains of coroutines take no stack (by GCC before version 15 in optimised builds only, -O2 and
/// more: in others each coroutine that ends without having waited leaves some bytes on the stack
/// until the next wait).
/// @tparam T  a value that can be moved, a reference, or void
/// @par Thread-safety: as any object, one thread at a time.
template <class T>
class [[nodiscard]] coro {
 public:
  /// What the compiler looks for.
  using promise_type = detail::coro_promise<T>;

  /// Without a coroutine: valid() is false.
  coro() noexcept = default;
  /// Takes the coroutine over; `other` has none afterwards.
  coro(coro&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  /// The same; the coroutine that this one had never runs.
  coro& operator=(coro&& other) noexcept {
    coro taken(std::move(other));
    std::swap(frame_, taken.frame_);
    return *this;
  }
  /// A coroutine that has not begun never runs.
  ~coro() {
    if (frame_ != nullptr) frame_.destroy();
  }

  /// Whether there is a coroutine: not after a move, an async, or an await.
  bool valid() const noexcept { return frame_ != nullptr; }

  /// For `co_await c()` and `co_await std::move(c)`: begins the coroutine, and takes it over. The
  /// await returns what the coroutine returns.
  /// @throw std::logic_error when not valid(); what the coroutine throws.
  auto operator co_await() && {
    expect_valid();
    return detail::coro_awaiter<T>(std::move(*this));
  }
  /// Not for `co_await c`: an await takes the coroutine over.
  template <class Self = coro>
  detail::coro_awaiter<T> operator co_await() & {
    static_assert(detail::refused<Self>,
                  "kasuri::coro: an await takes the coroutine over: co_await std::move(c)");
    return detail::coro_awaiter<T>(std::move(*this));
  }

 private:
  friend promise_type;
  friend detail::coro_awaiter<T>;
  friend detail::coro_task<T>;
  template <class U>
  friend future<U> async(coro<U> c);

  explicit coro(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}

  void expect_valid() const {
    if (frame_ == nullptr) [[unlikely]]
      detail::throw_no_coroutine();
  }

  std::coroutine_handle<promise_type> frame_;
};

/// Queues the coroutine as a task of its own, in no group, and returns at once.
/// @param c  taken over; its parameters and locals are destroyed before the future is ready.
/// @return a future of the coroutine's result. A program that drops the future does not end
///         the coroutine.
/// @throw std::logic_error when the coroutine is not valid(); std::bad_alloc when there is no
///        memory for the task. It does not run then.
/// @par Thread-safety: any thread. On one that is no worker it starts the pool and hands the task
///      to it.
template <class T>
[[nodiscard]] future<T> async(coro<T> c) {
  c.expect_valid();
  auto* const task = detail::coro_task<T>::make(std::move(c));
  future<T> answer = detail::future_access::make<T>(task);
  detail::start_detached(task);
  return answer;
}

/// Runs the coroutine, and waits for its end: the task waits, the worker does not; an OS thread
/// that is no worker sleeps. For code that is no coroutine; a coroutine awaits.
/// @param c  taken over.
/// @return what the coroutine returns.
/// @throw what the coroutine throws; std::logic_error when it is not valid(); std::bad_alloc when
///        there is no memory for the task or to wait with: in the latter case it runs all the same.
/// @par Thread-safety: any thread.
template <class T>
T sync_wait(coro<T> c) {
  return async(std::move(c)).get();
}

}  // namespace kasuri
