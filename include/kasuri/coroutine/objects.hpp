// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// co_await of mutexes, a semaphore, a latch, a barrier, a condition variable, a channel.
/// Coroutines stand in one list with the tasks and OS threads that wait for the same object, in the
/// order in which they came. timed.hpp has the awaits that end at a time.

#include "kasuri/detail/needs_cxx20.hpp"

#include <coroutine>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>

#include "kasuri/channel.hpp"
#include "kasuri/detail/coroutine/waiter.hpp"
#include "kasuri/detail/throws.hpp"
#include "kasuri/shared_mutex.hpp"
#include "kasuri/sync.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

class [[nodiscard]] lock_awaiter {
 public:
  explicit lock_awaiter(mutex& m) noexcept : mutex_(m) {}
  bool await_ready() const noexcept { return coroutine_access::try_lock(mutex_); }
  bool await_suspend(std::coroutine_handle<> c) noexcept {
    return coroutine_access::lock(mutex_, waiter_, c);
  }
  [[nodiscard]] std::unique_lock<mutex> await_resume() const noexcept {
    return std::unique_lock<mutex>(mutex_, std::adopt_lock);
  }

 private:
  mutex& mutex_;
  coroutine_waiter waiter_;
};

class [[nodiscard]] unit_awaiter {
 public:
  explicit unit_awaiter(semaphore& s) noexcept : semaphore_(s) {}
  bool await_ready() const noexcept { return false; }  // one look under the lock does
  bool await_suspend(std::coroutine_handle<> c) noexcept {
    return coroutine_access::acquire(semaphore_, waiter_, c);
  }
  void await_resume() const noexcept {}

 private:
  semaphore& semaphore_;
  coroutine_waiter waiter_;
};

class [[nodiscard]] latch_awaiter {
 public:
  explicit latch_awaiter(latch& l) noexcept : latch_(l) {}
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> c) noexcept {
    return coroutine_access::wait(latch_, waiter_, c);
  }
  void await_resume() const noexcept {}

 private:
  latch& latch_;
  coroutine_waiter waiter_;
};

/// Counts down, or arrives, and waits.
class [[nodiscard]] latch_arrival {
 public:
  explicit latch_arrival(latch& l) noexcept : latch_(l) {}
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> c) {
    return coroutine_access::arrive(latch_, waiter_, c);
  }
  void await_resume() const noexcept {}

 private:
  latch& latch_;
  coroutine_waiter waiter_;
};

class [[nodiscard]] barrier_arrival {
 public:
  explicit barrier_arrival(barrier& b) noexcept : barrier_(b) {}
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> c) noexcept {
    if (coroutine_access::arrive(barrier_, waiter_, c)) return true;
    came_last_ = true;
    return false;
  }
  bool await_resume() const noexcept { return came_last_; }

 private:
  barrier& barrier_;
  bool came_last_ = false;
  coroutine_waiter waiter_;
};

class [[nodiscard]] exclusive_awaiter {
 public:
  explicit exclusive_awaiter(shared_mutex& m) noexcept : mutex_(m) {}
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> c) noexcept {
    return coroutine_access::lock(mutex_, false, waiter_, c);
  }
  [[nodiscard]] std::unique_lock<shared_mutex> await_resume() const noexcept {
    return std::unique_lock<shared_mutex>(mutex_, std::adopt_lock);
  }

 private:
  shared_mutex& mutex_;
  coroutine_waiter waiter_;
};

class [[nodiscard]] shared_awaiter {
 public:
  explicit shared_awaiter(shared_mutex& m) noexcept : mutex_(m) {}
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> c) noexcept {
    return coroutine_access::lock(mutex_, true, waiter_, c);
  }
  [[nodiscard]] std::shared_lock<shared_mutex> await_resume() const noexcept {
    return std::shared_lock<shared_mutex>(mutex_, std::adopt_lock);
  }

 private:
  shared_mutex& mutex_;
  coroutine_waiter waiter_;
};

/// The mutex of the lock, which the caller says to be held. Throws std::logic_error.
inline mutex& mutex_of(const std::unique_lock<mutex>& lock) {
  if (!lock.owns_lock()) throw_logic_error("kasuri::wait_async: the lock does not hold its mutex");
  return *lock.mutex();
}

class [[nodiscard]] condition_awaiter {
 public:
  condition_awaiter(condition_variable& v, mutex& held) noexcept : condition_(v), held_(held) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> c) noexcept {
    coroutine_access::wait(condition_, held_, waiter_, c);
  }
  void await_resume() const noexcept {}

 private:
  condition_variable& condition_;
  mutex& held_;
  coroutine_waiter waiter_;
};

template <class T>
class [[nodiscard]] send_awaiter {
 public:
  send_awaiter(channel_core& to, owned_message<T> m) noexcept : to_(to), message_(std::move(m)) {}
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> c) noexcept {
    return coroutine_access::send(to_, message_.get(), waiter_, c);
  }
  [[nodiscard]] bool await_resume() noexcept {
    if (coroutine_access::message_of(waiter_) != nullptr) return false;
    static_cast<void>(message_.release());
    return true;
  }

 private:
  channel_core& to_;
  owned_message<T> message_;
  coroutine_waiter waiter_;
};

template <class T>
class [[nodiscard]] receive_awaiter {
 public:
  explicit receive_awaiter(channel_core& from) noexcept : from_(from) {}
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> c) noexcept {
    return coroutine_access::receive(from_, waiter_, c);
  }
  [[nodiscard]] std::optional<T> await_resume() {
    return channel_access::value_of<T>(coroutine_access::message_of(waiter_));
  }

 private:
  channel_core& from_;
  coroutine_waiter waiter_;
};

}  // namespace detail

/// `auto lock = co_await lock_async(m)`: waits until the mutex is free and takes it.
/// @return what the await gives: a std::unique_lock that holds the mutex, and lets it go at its
///         end. The coroutine may hold it across other waits.
/// @par Complexity: where the mutex is free, one compare-exchange; no memory in any case.
/// @par Order: as that of mutex::lock().
inline auto lock_async(mutex& m) noexcept { return detail::lock_awaiter(m); }

/// `co_await acquire_async(s)`: takes a unit of the semaphore; waits for it if there is none.
inline auto acquire_async(semaphore& s) noexcept { return detail::unit_awaiter(s); }

/// `co_await wait_async(l)`: waits until the count of the latch is zero.
inline auto wait_async(latch& l) noexcept { return detail::latch_awaiter(l); }

/// `co_await arrive_and_wait_async(l)`: counts the latch down by one and waits for zero.
/// @throw in the coroutine: std::invalid_argument when the count is zero already.
inline auto arrive_and_wait_async(latch& l) noexcept { return detail::latch_arrival(l); }

/// `bool last = co_await arrive_and_wait_async(b)`: arrives at the barrier and waits until all have
/// arrived in this phase.
/// @return what the await gives: true in exactly one thread or coroutine of each phase, the one
///         that arrived last. That one calls the function of the barrier, if there is one.
inline auto arrive_and_wait_async(barrier& b) noexcept { return detail::barrier_arrival(b); }

/// `auto lock = co_await lock_async(m)`: waits until the mutex can be had exclusively and takes it.
/// @return what the await gives: a std::unique_lock that holds the mutex, and lets it go at its
///         end. The coroutine may hold it across other waits.
/// @par Order: as that of shared_mutex.
inline auto lock_async(shared_mutex& m) noexcept { return detail::exclusive_awaiter(m); }

/// `auto lock = co_await lock_shared_async(m)`: waits until the mutex can be had shared and takes
/// it.
/// @return what the await gives: a std::shared_lock that holds the mutex, as above.
/// @par Order: as that of shared_mutex.
inline auto lock_shared_async(shared_mutex& m) noexcept { return detail::shared_awaiter(m); }

/// `co_await wait_async(c, lock)`: lets the mutex go, waits for a notification, and takes the mutex
/// again. Never goes on without a notification. There is none that takes a predicate: it would be
/// `while (!predicate()) co_await wait_async(c, lock);`.
/// @param c     another task or thread notifies it
/// @param lock  holds the mutex; holds it again when the coroutine goes on
/// @throw std::logic_error when `lock` does not hold its mutex.
inline auto wait_async(condition_variable& c, std::unique_lock<mutex>& lock) {
  return detail::condition_awaiter(c, detail::mutex_of(lock));
}

/// `bool sent = co_await send_async(ch, value)`: sends a message; waits for room.
/// @param to     where to
/// @param value  copied or moved into the message at once
/// @return what the await gives: false where the channel is closed, and the message is dropped.
/// @throw std::bad_alloc when there is no memory for the message; what the copy throws.
template <class T, class Value>
auto send_async(channel<T>& to, Value&& value) {
  return detail::send_awaiter<T>(detail::channel_access::core(to),
                                 detail::make_message<T>(std::forward<Value>(value)));
}

/// `std::optional<T> m = co_await receive_async(ch)`: receives the oldest message; waits for one.
/// @return what the await gives: the message; empty where the channel is closed, and all messages
///         are received.
/// @throw in the coroutine: what the move of the message throws; it is lost then.
template <class T>
auto receive_async(channel<T>& from) noexcept {
  return detail::receive_awaiter<T>(detail::channel_access::core(from));
}

}  // namespace kasuri
