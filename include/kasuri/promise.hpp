// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Results that no task of their own brings: promises, and futures that are ready at once.

#include "kasuri/detail/needs_cxx20.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "kasuri/detail/exceptions.hpp"
#include "kasuri/detail/throws.hpp"
#include "kasuri/future.hpp"

namespace [[gnu::visibility("default")]] kasuri {

/// The exception of a future whose promise was destroyed before it had a result.
class broken_promise : public std::logic_error {
 public:
  broken_promise() : std::logic_error("kasuri::promise: destroyed before it had a result") {}
  ~broken_promise() override;  // in the library, and with it what a program without RTTI lacks
};

namespace detail {

/// A result without a task. Its two owners are the promise and the future.
template <class R>
struct promise_state : future_state<R> {
  promise_state() noexcept : future_state<R>(kind, &destroy_record) {}

  /// The calling thread is the one that sets the result. False: there is one, or another thread
  /// sets it.
  bool claim() noexcept {
    // acquire: pairs with the release in set, of a thread that could not make its result
    return !claimed_.exchange(true, std::memory_order_acquire);
  }

  /// The caller has claimed it. Makes the result from `from`.
  template <class... From>
  void set(From&&... from) {
    KASURI_TRY { new (&this->value) kept<R>(std::forward<From>(from)...); }
    KASURI_CATCH_ALL {
      // release: pairs with the acquire in claim
      claimed_.store(false, std::memory_order_release);
      KASURI_RETHROW;
    }
    let_go(end_result(this, join_done));
  }
  void fail(std::exception_ptr what) noexcept {
    new (&this->error) std::exception_ptr(std::move(what));
    let_go(end_result(this, join_threw));
  }

  static promise_state* make() {
    static_assert(alignof(promise_state) <= 64,
                  "the results of promises may be aligned to 64 bytes at most");
    return new (allocate_record(detail::self(), sizeof(promise_state))) promise_state;
  }

 private:
  static void destroy_record(future_state<R>* state) noexcept {
    auto* const self = static_cast<promise_state*>(state);
    self->~promise_state();
    release_record(detail::self(), self, sizeof(promise_state));
  }

  std::atomic<bool> claimed_{false};
  // No worker ever runs it.
  static constexpr frame_type kind{nullptr, false, "promise"};
};

/// What promises of values, references and void have in common.
template <class R>
class promise_base {
 public:
  /// With a result to come.
  /// @throw std::bad_alloc
  promise_base() : state_(promise_state<R>::make()), future_(future_access::make<R>(state_)) {}
  /// Takes the result over; `other` has none afterwards.
  promise_base(promise_base&& other) noexcept
      : state_(std::exchange(other.state_, nullptr)), future_(std::move(other.future_)) {}
  /// The same; what this promise had is broken.
  promise_base& operator=(promise_base&& other) noexcept {
    promise_base taken(std::move(other));
    std::swap(state_, taken.state_);
    std::swap(future_, taken.future_);
    return *this;
  }
  /// Breaks the promise when there is no result: the future throws kasuri::broken_promise.
  ~promise_base() {
    if (state_ == nullptr) return;
    if (state_->claim()) state_->fail(broken_promise_of());
    state_->drop();
  }

  /// The future of the result, once.
  /// @throw std::logic_error the second time, or when this promise was moved from.
  [[nodiscard]] future<R> get_future() {
    if (!future_.valid())
      throw_logic_error(
          "kasuri::promise::get_future: the future was got already, or the promise moved from");
    return std::move(future_);
  }

  /// The result is this exception.
  /// @throw std::logic_error when there is a result already, the promise was moved from, or `error`
  /// is null.
  void set_exception(std::exception_ptr error) {
    if (error == nullptr)
      throw_logic_error("kasuri::promise::set_exception: error = null; accepted: an exception");
    claimed()->fail(std::move(error));
  }

 protected:
  promise_state<R>* claimed() {
    if (state_ == nullptr) throw_logic_error("kasuri::promise: moved from");
    if (!state_->claim()) throw_logic_error("kasuri::promise: there is a result already");
    return state_;
  }

 private:
  promise_state<R>* state_;
  future<R> future_;
};

}  // namespace detail

/// A result that the program brings itself, from any thread; its future waits for it as for that of
/// a task.
///
/// Moves, does not copy. set_value and set_exception wake what waits, and queue what goes on from
/// the future; they do not wait. Of several threads that set a result at the same time one does,
/// and the others throw.
/// @par Thread-safety: set_value and set_exception may be called by several threads at a time; the
///      promise itself is as any object.
template <class R>
class promise : public detail::promise_base<R> {
 public:
  /// The result is a copy of `value`.
  /// @throw std::logic_error when there is a result already, or the promise was moved from; what
  /// the copy throws: there is no result then.
  void set_value(const R& value) { this->claimed()->set(value); }
  /// The same, of a value that is moved.
  void set_value(R&& value) { this->claimed()->set(std::move(value)); }
};

/// Of a reference.
template <class R>
class promise<R&> : public detail::promise_base<R&> {
 public:
  /// The result is the object itself, which the caller keeps alive.
  /// @throw std::logic_error when there is a result already, or the promise was moved from.
  void set_value(R& object) { this->claimed()->set(std::addressof(object)); }
};

/// Of void: only that it is there.
template <>
class promise<void> : public detail::promise_base<void> {
 public:
  /// The result is there.
  /// @throw std::logic_error when there is a result already, or the promise was moved from.
  void set_value() { this->claimed()->set(); }
};

/// A future that is ready, with this value; a reference where it is made of a
/// std::reference_wrapper.
/// @throw std::bad_alloc; what the copy or move of the value throws.
/// @par Thread-safety: any thread.
template <class T>
[[nodiscard]] future<std::unwrap_ref_decay_t<T>> make_ready_future(T&& value) {
  promise<std::unwrap_ref_decay_t<T>> p;
  p.set_value(std::forward<T>(value));
  return p.get_future();
}

/// A future<void> that is ready.
/// @throw std::bad_alloc
/// @par Thread-safety: any thread.
[[nodiscard]] inline future<void> make_ready_future() {
  promise<void> p;
  p.set_value();
  return p.get_future();
}

/// A future<R> that is ready and throws `error`.
/// @throw std::bad_alloc; std::logic_error when `error` is null.
/// @par Thread-safety: any thread.
template <class R>
[[nodiscard]] future<R> make_exceptional_future(std::exception_ptr error) {
  promise<R> p;
  p.set_exception(std::move(error));
  return p.get_future();
}

}  // namespace kasuri
