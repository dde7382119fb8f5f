// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a coroutine of type kasuri::coro has in its frame beside parameters and locals: its result,
// and the coroutine or task that goes on at its end.
//
// One thread at a time touches it: the one that runs the coroutine, or, when it is suspended, the
// one that will resume it; the object that it waits for orders the two. At its end the coroutine is
// suspended for the last time; the coroutine or task that goes on takes the result and destroys the
// frame.

#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include "kasuri/detail/end_of_task.hpp"
#include "kasuri/detail/records.hpp"
#include "kasuri/future.hpp"

namespace [[gnu::visibility("default")]] kasuri {

template <class T = void>
class coro;

namespace detail {

/// Throws the std::logic_error of a coro without a coroutine.
[[noreturn, gnu::cold]] void throw_no_coroutine();

/// The task that a coroutine is.
struct coro_root {
  /// The coroutine has ended, and is suspended. Destroys its frame.
  void (*end)(coro_root& root) noexcept;
};

struct coro_end;

class coro_promise_base {
 public:
  // The records of detached tasks have the same life: made here, freed by whichever worker.
  static void* operator new(std::size_t bytes) { return allocate_record(self(), bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept {
    release_record(self(), frame, bytes);
  }

  std::suspend_always initial_suspend() const noexcept { return {}; }
  coro_end final_suspend() const noexcept;

  /// Who awaits it, or else the task that it is. Set before it begins.
  std::coroutine_handle<> next;
  coro_root* root = nullptr;
};

/// The last suspension of a coroutine.
struct coro_end {
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
    coro_promise_base& p = ended.promise();
    if (p.next != nullptr) return p.next;
    p.root->end(*p.root);  // the frame is gone
    return std::noop_coroutine();
  }
  void await_resume() const noexcept {}
};

inline coro_end coro_promise_base::final_suspend() const noexcept { return {}; }

/// The result, of what a coroutine of T returns.
template <class T>
class coro_result : public coro_promise_base {
 public:
  void unhandled_exception() noexcept { result_.template emplace<failed>(exception_of_task()); }

  bool threw() const noexcept { return result_.index() == failed; }
  std::exception_ptr& error() noexcept { return *std::get_if<failed>(&result_); }
  kept<T>& value() noexcept { return *std::get_if<has>(&result_); }

  /// What who awaits gets.
  T take() {
    if (threw()) std::rethrow_exception(std::move(error()));
    if constexpr (std::is_reference_v<T>)
      return static_cast<T>(*value());
    else if constexpr (!std::is_void_v<T>)
      return std::move(value());
  }

 protected:
  static constexpr std::size_t has = 1;
  static constexpr std::size_t failed = 2;
  std::variant<std::monostate, kept<T>, std::exception_ptr> result_;
};

template <class T>
class coro_promise final : public coro_result<T> {
 public:
  coro<T> get_return_object() noexcept {
    return coro<T>(std::coroutine_handle<coro_promise>::from_promise(*this));
  }
  /// co_return of anything that a T can be made of.
  template <class U = T>
    requires std::is_constructible_v<T, U&&>
  void return_value(U&& from) {
    this->result_.template emplace<coro_promise::has>(std::forward<U>(from));
  }
};

template <class T>
class coro_promise<T&> final : public coro_result<T&> {
 public:
  coro<T&> get_return_object() noexcept {
    return coro<T&>(std::coroutine_handle<coro_promise>::from_promise(*this));
  }
  void return_value(T& object) noexcept {
    this->result_.template emplace<coro_promise::has>(std::addressof(object));
  }
};

template <>
class coro_promise<void> final : public coro_result<void> {
 public:
  template <class T = void>  // a template because coro<void> is complete only behind this
  coro<T> get_return_object() noexcept {
    return coro<T>(std::coroutine_handle<coro_promise>::from_promise(*this));
  }
  void return_void() noexcept { result_.emplace<has>(); }
};

/// A coroutine awaits another: goes over to it, and comes back at its end.
template <class T>
class coro_awaiter {
 public:
  explicit coro_awaiter(coro<T>&& child) noexcept : child_(std::move(child)) {}

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> parent) noexcept {
    child_.frame_.promise().next = parent;
    return child_.frame_;
  }
  T await_resume() { return child_.frame_.promise().take(); }

 private:
  coro<T> child_;
};

}  // namespace detail
}  // namespace kasuri
