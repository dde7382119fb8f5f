// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Futures: a task whose result is asked for later.

#include "kasuri/detail/needs_cxx20.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "kasuri/task.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// Queues a task that nobody pops by name; from any thread.
void start_detached(frame* task) noexcept;

/// Returns when the task is done, at the latest: runs it here if it is the caller's newest queued
/// task, else suspends. One thread at a time.
/// Throws std::bad_alloc.
void wait_for_future(frame* task);

/// Ends a future's task: its join word becomes `code`. Returns the thread that waits, if any.
suspended* finish_future(frame* task, std::uintptr_t code) noexcept;

/// The form in which a result is kept: references as pointers, void as an empty object.
template <class R>
using kept =
    std::conditional_t<std::is_void_v<R>, std::monostate,
                       std::conditional_t<std::is_reference_v<R>, std::add_pointer_t<R>, R>>;

/// The record that a future and its task share; the last of the two frees it.
///
/// The join word goes from join_empty to join_done or join_threw; between them it may hold the one
/// thread that waits. The union is the task's before that, and the future's after.
template <class R>
struct future_state : frame {
  using destroy_function = void (*)(future_state*) noexcept;

  explicit future_state(const frame_type& kind, destroy_function d) noexcept : destroy(d) {
    type = &kind;
    in = nullptr;
    join_word().store(join_empty, std::memory_order_relaxed);
  }
  ~future_state() {
    switch (join_word().load(std::memory_order_relaxed)) {
      case join_done:
        std::destroy_at(&value);
        break;
      case join_threw:
        std::destroy_at(&error);
        break;
      default:
        break;  // the task was never run
    }
  }

  bool ready() const noexcept {
    // acquire: pairs with the exchange in finish_future: the result is there
    const std::uintptr_t code = join_word().load(std::memory_order_acquire);
    return code == join_done || code == join_threw;
  }

  void drop() noexcept {
    // acq_rel: pairs with itself: the last of the two sees what the other did
    if (owners.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(this);
  }

  destroy_function destroy;
  std::atomic<std::uint32_t> owners{2};
  union {
    kept<R> value;
    std::exception_ptr error;
  };
};

/// The task of an async call, with its closure.
template <class F, class R>
struct future_task : future_state<R> {
  union {
    F closure;  // lives until it has been called
  };

  explicit future_task(F&& f) : future_state<R>(kind, &destroy_task), closure(std::move(f)) {}
  ~future_task() {}  // the closure is gone

  std::uintptr_t call() noexcept {
    try {
      if constexpr (std::is_void_v<R>) {
        std::invoke(std::move(closure));
        new (&this->value) std::monostate;
      } else if constexpr (std::is_reference_v<R>) {
        new (&this->value) kept<R>(std::addressof(std::invoke(std::move(closure))));
      } else {
        new (&this->value) R(std::invoke(std::move(closure)));
      }
      return join_done;
    } catch (...) {
      new (&this->error) std::exception_ptr(exception_of_task());
      return join_threw;
    }
  }

  static suspended* run(frame* f) {
    auto* self = static_cast<future_task*>(f);
    scope* const around = current_scope();
    current_scope(nullptr);
    const std::uintptr_t code = self->call();
    destroy_at_end(&self->closure);
    current_scope(around);
    suspended* const waiter = finish_future(self, code);
    self->drop();
    return waiter;
  }

  static void destroy_task(future_state<R>* state) noexcept {
    auto* self = static_cast<future_task*>(state);
    self->~future_task();
    release_record(detail::self(), self, sizeof(future_task));
  }

  // Defined below: where the hint lies is known when the class is complete.
  static const frame_type kind;
};

template <class F, class R>
constexpr frame_type future_task<F, R>::kind{&run,    false,   "async",
                                             nullptr, nullptr, hint_in<future_task<F, R>, F>::at};

}  // namespace detail

/// The result of a task, or the exception it threw, when it is there. Made by async.
///
/// Moves, does not copy. Dropping a future does not wait: the task runs all the same, and what it
/// returns or throws is dropped too.
/// @par Thread-safety: as any object, one thread at a time; the task's own thread apart.
template <class R>
class future {
 public:
  /// Without a task: valid() is false.
  future() noexcept = default;
  /// Takes the task over; `other` has none afterwards.
  future(future&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  /// The same; the task that this one had is dropped.
  future& operator=(future&& other) noexcept {
    if (this != &other) {
      reset();
      state_ = std::exchange(other.state_, nullptr);
    }
    return *this;
  }
  ~future() { reset(); }

  /// Whether there is a task behind it: not after get(), a move, or default construction.
  bool valid() const noexcept { return state_ != nullptr; }

  /// Whether the task has ended, so that get() and wait() return at once.
  /// @throw std::logic_error when not valid().
  bool ready() const { return checked()->ready(); }

  /// Returns when the task has ended. The task waits, the worker does not; an OS thread that is no
  /// worker sleeps. One thread at a time: a second one ends the program with a message.
  /// @throw std::logic_error when not valid(); std::bad_alloc when there is no memory to wait with.
  void wait() const {
    if (!checked()->ready()) detail::wait_for_future(state_);
  }

  /// Waits, and returns the result (moved out; a reference as it is). Afterwards valid() is false.
  /// @throw what the task threw; std::logic_error when not valid(); std::bad_alloc when there is no
  /// memory to wait with: valid() is still true then.
  R get() {
    wait();
    const future owner(std::move(*this));  // lets go of the state, also when this throws
    auto* s = owner.state_;
    if (s->join_word().load(std::memory_order_relaxed) == detail::join_threw)
      std::rethrow_exception(s->error);
    if constexpr (std::is_reference_v<R>)
      return static_cast<R>(*s->value);
    else if constexpr (!std::is_void_v<R>)
      return std::move(s->value);
  }

 private:
  template <class F>
  friend auto async(F&& f);

  explicit future(detail::future_state<R>* state) noexcept : state_(state) {}

  detail::future_state<R>* checked() const {
    if (state_ == nullptr)
      throw std::logic_error("kasuri::future: no task behind it (moved from, or got already)");
    return state_;
  }
  void reset() noexcept {
    if (state_ != nullptr) state_->drop();
    state_ = nullptr;
  }

  detail::future_state<R>* state_ = nullptr;
};

/// Queues `f` as a task of its own, in no group, and returns at once.
/// @param f  callable without arguments; copied or moved into the task, called once as an rvalue,
///           and destroyed before the future is ready. May be wrapped in at or hinted
///           (kasuri/locality.hpp).
/// @return a future of what f returns: of a value, a reference, or void.
/// @throw std::bad_alloc when there is no memory for the task; it does not run then.
/// @par Thread-safety: any thread. On one that is no worker it starts the pool and hands the task
///      to it.
template <class F>
[[nodiscard]] auto async(F&& f) {
  using closure = std::decay_t<F>;
  using result = std::invoke_result_t<closure>;
  using task = detail::future_task<closure, result>;
  static_assert(alignof(task) <= 64,
                "closures and results of async may be aligned to 64 bytes at most");
  void* const memory = detail::allocate_record(detail::self(), sizeof(task));
  task* t;
  try {
    t = new (memory) task(closure(std::forward<F>(f)));
  } catch (...) {
    detail::release_record(detail::self(), memory, sizeof(task));
    throw;
  }
  future<result> answer(t);
  if constexpr (detail::is_placed<closure>)
    if (detail::send_to(t->closure.place, t)) return answer;
  detail::start_detached(t);
  return answer;
}

}  // namespace kasuri
