// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Futures: a task whose result is asked for later, by one or by many, or that a further task goes
/// on from. kasuri/promise.hpp has results that no task brings, kasuri/when.hpp waits for several
/// futures as one.

#include "kasuri/detail/needs_cxx20.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <variant>

#include "kasuri/detail/flow/callback.hpp"
#include "kasuri/detail/exceptions.hpp"
#include "kasuri/detail/refused.hpp"
#include "kasuri/detail/throws.hpp"
#include "kasuri/detail/time.hpp"
#include "kasuri/task.hpp"

namespace [[gnu::visibility("default")]] kasuri {

class stop_condition;

namespace detail {

/// Queues a task that nobody pops by name; from any thread.
void start_detached(frame* task) noexcept;

/// Returns when the task is done, at the latest: runs it here if it is the caller's newest queued
/// task, else suspends. Throws std::bad_alloc.
void wait_for_future(frame* task);

/// What all waits with a time for one result have in common.
struct timed_watch;

struct early_end;

/// As wait_for_future, until a time of the steady clock or an early end at most, and never runs the
/// task here. `watch` is the task's: null before the first such wait. Returns whether the task is
/// done.
bool wait_for_future_until(frame* task, std::atomic<timed_watch*>& watch, std::int64_t by,
                           early_end* early = nullptr);
/// The task and its futures are gone.
void drop_watch(timed_watch* watch) noexcept;

/// Ends a future's task: its join word becomes `code`. Lets go on what waits for it; one of the
/// threads is returned instead, for the caller to resume.
suspended* finish_future(frame* task, std::uintptr_t code) noexcept;

/// The form in which a result is kept: references as pointers, void as an empty object.
template <class R>
using kept =
    std::conditional_t<std::is_void_v<R>, std::monostate,
                       std::conditional_t<std::is_reference_v<R>, std::add_pointer_t<R>, R>>;

/// A result as those who share it see it.
template <class R>
using seen = std::conditional_t<std::is_void_v<R>, void, std::add_lvalue_reference_t<const R>>;

/// The record that a task and its futures share; the last of them frees it.
///
/// The join word goes from join_empty to join_done or join_threw; between them it holds what waits
/// for the result (src/sched/kernel/result_word.hpp). The union is the task's before that, and the
/// futures' after.
template <class R>
struct future_state : frame {
  using destroy_function = void (*)(future_state*) noexcept;

  explicit future_state(const frame_type& kind, destroy_function d) noexcept : destroy(d) {
    type = &kind;
    in = nullptr;
    join_word().store(join_empty, std::memory_order_relaxed);
  }
  ~future_state() {
    // relaxed: drop() orders it
    if (timed_watch* const w = watch.load(std::memory_order_relaxed)) [[unlikely]]
      drop_watch(w);
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

  /// The exception is there in place of the result. Once ready() or a wait has seen the end.
  bool threw() const noexcept {
    // relaxed: the caller has seen the word in ready() or on_ready(), or behind a wait
    return join_word().load(std::memory_order_relaxed) == join_threw;
  }

  void share() noexcept { owners.fetch_add(1, std::memory_order_relaxed); }
  void drop() noexcept {
    // acq_rel: pairs with itself: the last owner sees what the others did
    if (owners.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(this);
  }

  destroy_function destroy;
  mutable std::atomic<timed_watch*> watch{nullptr};
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

  explicit future_task(F&& f) : future_state<R>(kind, &destroy_task), closure(std::move(f)) {
    this->in = begin_lasting_task();
  }
  ~future_task() {}  // the closure is gone

  std::uintptr_t call() noexcept {
    KASURI_TRY {
      if constexpr (std::is_void_v<R>) {
        std::invoke(std::move(closure));
        new (&this->value) std::monostate;
      } else if constexpr (std::is_reference_v<R>) {
        new (&this->value) kept<R>(std::addressof(std::invoke(std::move(closure))));
      } else {
        new (&this->value) R(std::invoke(std::move(closure)));
      }
      return join_done;
    }
    KASURI_CATCH_ALL {
      new (&this->error) std::exception_ptr(exception_of_task());
      return join_threw;
    }
  }

  static suspended* run(frame* f) {
    auto* self = static_cast<future_task*>(f);
    scope* const around = current_scope();
    scope* const within = self->in;
    current_scope(within);
    const std::uintptr_t code = self->call();
    destroy_at_end(&self->closure);
    current_scope(around);
    suspended* const waiter = finish_future(self, code);
    self->drop();
    if (within != nullptr) [[unlikely]]
      end_task_in(within->arena);
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

struct future_access;

}  // namespace detail

template <class R>
class shared_future;

/// The result of a task, or the exception it threw, when it is there. Made by async, then, or a
/// promise.
///
/// Moves, does not copy. Dropping a future does not wait: the task runs all the same, and what it
/// returns or throws is dropped too.
/// @par Thread-safety: as any object: const calls, wait() among them, from several threads at a
///      time, others from one; the task's own thread apart.
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
  /// worker sleeps.
  /// @throw std::logic_error when not valid(); std::bad_alloc when there is no memory to wait with.
  void wait() const {
    if (!checked()->ready()) detail::wait_for_future(state_);
  }

  /// Waits until the task has ended, for `d` at most. A task that has not begun is not run in
  /// place; where the time is over at once, other tasks go first, so that a loop around the call
  /// ends.
  /// @return as std::future_status: ready or timeout.
  /// @throw as wait(); std::bad_alloc also where the system gives no thread for timers.
  template <class Rep, class Period>
  wait_status wait_for(const std::chrono::duration<Rep, Period>& d) const {
    return wait_status(wait_by(detail::time_after(d)));
  }

  /// The same, until `t` at most.
  template <class Clock, class Duration>
  wait_status wait_until(const std::chrono::time_point<Clock, Duration>& t) const {
    return wait_status(detail::until(t, [this](std::int64_t by) { return wait_by(by); }));
  }

  /// Waits until the task has ended, or the condition is met; the rest as wait_for(). The task is
  /// not stopped by that. Needs kasuri/stop.hpp.
  /// @param stop  as a std::stop_token, or what stop_after and stop_at make
  /// @return whether the task has ended.
  [[nodiscard]] bool wait(const stop_condition& stop) const;

  /// Waits, and returns the result (moved out; a reference as it is). Afterwards valid() is false.
  /// @throw what the task threw; std::logic_error when not valid(); std::bad_alloc when there is no
  /// memory to wait with: valid() is still true then.
  R get() {
    wait();
    const future owner(std::move(*this));  // lets go of the state, also when this throws
    auto* s = owner.state_;
    if (s->threw()) std::rethrow_exception(s->error);
    if constexpr (std::is_reference_v<R>)
      return static_cast<R>(*s->value);
    else if constexpr (!std::is_void_v<R>)
      return std::move(s->value);
  }

  /// Runs `f` as a task of its own, in no group, once the result is there, without a thread that
  /// waits for it. Afterwards valid() is false.
  /// @param f  called once, as an rvalue; may be wrapped in at or hinted (kasuri/locality.hpp). One
  ///           of two forms:
  ///           - f(R), or f() where R is void. Where the task threw, f is not called, and the
  ///             exception is that of the new future.
  ///           - f(future<R>), of a future that is ready: called in either case. The first form
  ///             goes first where f has both.
  /// @return a future of the value that f returns. If f returns a `future<U>`, then() returns a
  ///         `future<U>` of its result (one level). If f returns a future without a task, get()
  ///         throws std::logic_error.
  /// @throw std::logic_error when not valid(); std::bad_alloc when there is no memory for the task:
  ///        valid() is still true then.
  /// @par Order: tasks that go on from one shared_future are queued in the order of the calls.
  template <class F>
  [[nodiscard]] auto then(F&& f);

  /// The same result for many. Afterwards valid() is false.
  [[nodiscard]] shared_future<R> share() noexcept { return shared_future<R>(std::move(*this)); }

 private:
  friend detail::future_access;
  friend shared_future<R>;
  template <class F>
  friend auto async(F&& f);

  explicit future(detail::future_state<R>* state) noexcept : state_(state) {}

  bool wait_by(std::int64_t by, detail::early_end* early = nullptr) const {
    return checked()->ready() || detail::wait_for_future_until(state_, state_->watch, by, early);
  }
  detail::future_state<R>* checked() const {
    if (state_ == nullptr)
      detail::throw_logic_error("kasuri::future: no task behind it (moved from, or got already)");
    return state_;
  }
  void reset() noexcept {
    if (state_ != nullptr) state_->drop();
    state_ = nullptr;
  }

  detail::future_state<R>* state_ = nullptr;
};

/// The result of a task for many: copies of a shared_future have one result between them. Made by
/// future::share().
/// @par Thread-safety: one object as any object, one thread at a time but for const calls; copies
///      may be used by different threads at the same time.
template <class R>
class shared_future {
 public:
  /// Without a task: valid() is false.
  shared_future() noexcept = default;
  /// Takes the task of a future over.
  shared_future(future<R>&& from) noexcept : state_(std::exchange(from.state_, nullptr)) {}
  /// Both have the task.
  shared_future(const shared_future& other) noexcept : state_(other.state_) {
    if (state_ != nullptr) state_->share();
  }
  /// Takes the task over; `other` has none afterwards.
  shared_future(shared_future&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  /// As the constructors; the task that this one had is dropped.
  shared_future& operator=(shared_future other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~shared_future() {
    if (state_ != nullptr) state_->drop();
  }

  /// Whether there is a task behind it.
  bool valid() const noexcept { return state_ != nullptr; }

  /// Whether the task has ended, so that get() and wait() return at once.
  /// @throw std::logic_error when not valid().
  bool ready() const { return checked()->ready(); }

  /// Returns when the task has ended: as future::wait(). Any number of threads may wait.
  /// @throw std::logic_error when not valid(); std::bad_alloc when there is no memory to wait with.
  void wait() const {
    if (!checked()->ready()) detail::wait_for_future(state_);
  }

  /// As future::wait_for().
  template <class Rep, class Period>
  wait_status wait_for(const std::chrono::duration<Rep, Period>& d) const {
    return wait_status(wait_by(detail::time_after(d)));
  }
  /// As future::wait_until().
  template <class Clock, class Duration>
  wait_status wait_until(const std::chrono::time_point<Clock, Duration>& t) const {
    return wait_status(detail::until(t, [this](std::int64_t by) { return wait_by(by); }));
  }

  /// As future::wait(stop_condition).
  [[nodiscard]] bool wait(const stop_condition& stop) const;

  /// Waits, and returns the result: `const R&`, which lives as long as a copy of this future; the
  /// reference itself where R is one; nothing where R is void.
  /// @throw what the task threw, each time; std::logic_error when not valid(); std::bad_alloc when
  /// there is no memory to wait with.
  detail::seen<R> get() const {
    wait();
    if (state_->threw()) std::rethrow_exception(state_->error);
    if constexpr (std::is_reference_v<R>)
      return *state_->value;
    else if constexpr (!std::is_void_v<R>)
      return state_->value;
  }

  /// As future::then(); f gets `const R&`, or a copy of this future, which stays valid.
  template <class F>
  [[nodiscard]] auto then(F&& f) const;

 private:
  friend detail::future_access;

  bool wait_by(std::int64_t by, detail::early_end* early = nullptr) const {
    return checked()->ready() || detail::wait_for_future_until(state_, state_->watch, by, early);
  }

  const detail::future_state<R>* checked() const {
    if (state_ == nullptr)
      detail::throw_logic_error("kasuri::shared_future: no task behind it (moved from?)");
    return state_;
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
  static_assert(!detail::makes_coro<closure>(),
                "kasuri::async: the function is a coroutine, which async would not run: call it, "
                "async(f())");
  static_assert(std::is_invocable_v<closure>,
                "kasuri::async: takes a function without arguments: async([=] { return f(x); })");
  using result = std::invoke_result_t<closure>;
  using task = detail::future_task<closure, result>;
  static_assert(alignof(task) <= 64,
                "closures and results of async may be aligned to 64 bytes at most");
  void* const memory = detail::allocate_record(detail::self(), sizeof(task));
  task* t;
  KASURI_TRY { t = new (memory) task(closure(std::forward<F>(f))); }
  KASURI_CATCH_ALL {
    detail::release_record(detail::self(), memory, sizeof(task));
    KASURI_RETHROW;
  }
  future<result> answer(t);
  if constexpr (detail::is_placed<closure>)
    if (detail::send_to(t->closure.place, t)) return answer;
  detail::start_detached(t);
  return answer;
}

/// Not as std::async: what the function is to be called with, it captures.
template <class F, class Arg, class... More>
  requires std::is_invocable_v<std::decay_t<F>, std::decay_t<Arg>, std::decay_t<More>...>
auto async(F&&, Arg&&, More&&...) {
  static_assert(detail::refused<F>,
                "kasuri::async: takes a function without arguments: async([=] { return f(x); })");
  return future<std::invoke_result_t<std::decay_t<F>, std::decay_t<Arg>, std::decay_t<More>...>>();
}

}  // namespace kasuri

#include "kasuri/detail/flow/then.hpp"
