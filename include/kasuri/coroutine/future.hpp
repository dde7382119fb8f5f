// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// co_await of a future.

#include "kasuri/detail/needs_cxx20.hpp"

#include <coroutine>
#include <cstdint>

#include "kasuri/detail/flow/callback.hpp"
#include "kasuri/detail/coroutine/waiter.hpp"
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

}  // namespace kasuri
