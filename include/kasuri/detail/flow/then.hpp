// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tasks of future::then: queued when the result they go on from is there.
//
// The record of such a task is its frame, its result, and the callback that stands in the word of
// the result before it. Where the function returns a future, the record stands in the word of that
// one afterwards, and its result comes when that one's does.
//
// The record has two owners as each future's, the task and the future. The task's share goes with
// the end of the result, so nothing frees the record before.

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <variant>

#include "kasuri/detail/exceptions.hpp"
#include "kasuri/detail/refused.hpp"
#include "kasuri/detail/throws.hpp"
#include "kasuri/future.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// For this layer: the record behind a future.
struct future_access {
  template <class R>
  static future_state<R>* state(const future<R>& f) noexcept {
    return f.state_;
  }
  template <class R>
  static future_state<R>* state(const shared_future<R>& f) noexcept {
    return f.state_;
  }
  template <class R>
  static future<R> make(future_state<R>* state) noexcept {
    return future<R>(state);
  }
};

/// What a future or shared_future gives the function of then.
template <class Source>
struct passed_by;
template <class R>
struct passed_by<future<R>> {
  using result = R;
  using type = std::add_rvalue_reference_t<R>;  // void stays void
};
template <class R>
struct passed_by<shared_future<R>> {
  using result = R;
  using type = seen<R>;
};

template <class F, class Passed>
inline constexpr bool takes_value = std::is_invocable_v<F, Passed>;
template <class F>
inline constexpr bool takes_value<F, void> = std::is_invocable_v<F>;

template <class F, class Source>
constexpr auto result_of_then() {
  using passed = typename passed_by<Source>::type;
  if constexpr (!takes_value<F, passed>)
    return std::type_identity<std::invoke_result_t<F, Source>>();
  else if constexpr (std::is_void_v<passed>)
    return std::type_identity<std::invoke_result_t<F>>();
  else
    return std::type_identity<std::invoke_result_t<F, passed>>();
}

template <class T>
struct unwrapped {
  using type = T;
  static constexpr bool is_future = false;
};
template <class U>
struct unwrapped<future<U>> {
  using type = U;
  static constexpr bool is_future = true;
};

/// F goes on from Source. `Returned` is what F returns, `R` the result of the task.
template <class F, class Source, class Returned, class R>
struct then_task : future_state<R>, callback {
  static constexpr bool unwraps = unwrapped<Returned>::is_future;
  using passed = typename passed_by<Source>::type;
  using inner_future = std::conditional_t<unwraps, Returned, std::monostate>;

  explicit then_task(F&& f) : future_state<R>(kind, &destroy_task), closure(std::move(f)) {
    this->in = begin_lasting_task();
  }
  ~then_task() {}  // the closure is gone

  Source source;
  [[no_unique_address]] inner_future inner;
  union {
    F closure;  // lives until it has been called, or is not to be
  };

  /// Queues the task when the result of `source` is there.
  void await_source() noexcept {
    this->callback::call = &begin;
    auto* const before = future_access::state(source);
    if (!on_ready(before, this)) start();
  }

 private:
  void start() noexcept {
    if constexpr (is_placed<F>)
      if (send_to(closure.place, this)) return;
    start_detached(this);
  }
  static std::uintptr_t begin(callback* c) noexcept {
    static_cast<then_task*>(c)->start();
    return 0;
  }

  Returned call_closure() {
    if constexpr (!takes_value<F, passed>)
      return std::invoke(std::move(closure), std::move(source));
    else if constexpr (std::is_void_v<passed>)
      return std::invoke(std::move(closure));
    else if constexpr (std::is_reference_v<typename passed_by<Source>::result>)
      return std::invoke(std::move(closure),
                         static_cast<passed>(*future_access::state(source)->value));
    else
      return std::invoke(std::move(closure),
                         static_cast<passed>(future_access::state(source)->value));
  }

  /// Runs the closure. The code with which the task ends, or join_empty: `inner` will bring it.
  std::uintptr_t run_closure() noexcept {
    KASURI_TRY {
      if constexpr (takes_value<F, passed>)
        if (future_access::state(source)->threw()) return fail(future_access::state(source)->error);
      if constexpr (unwraps) {
        inner = call_closure();
        if (!inner.valid())
          return fail(logic_error_of(
              "kasuri::future::then: the function returned a future without a task behind it"));
        return join_empty;
      } else if constexpr (std::is_void_v<R>) {
        call_closure();
        new (&this->value) std::monostate;
      } else if constexpr (std::is_reference_v<R>) {
        new (&this->value) kept<R>(std::addressof(call_closure()));
      } else {
        new (&this->value) R(call_closure());
      }
      return join_done;
    }
    KASURI_CATCH_ALL { return fail(exception_of_task()); }
  }

  std::uintptr_t fail(std::exception_ptr what) noexcept {
    new (&this->error) std::exception_ptr(std::move(what));
    return join_threw;
  }

  /// `inner` is there: its result becomes this one's. The code.
  std::uintptr_t take_inner() noexcept
    requires unwraps
  {
    const Returned done(std::move(inner));
    auto* const from = future_access::state(done);
    if (from->threw()) return fail(from->error);
    KASURI_TRY {
      new (&this->value) kept<R>(std::move(from->value));
      return join_done;
    }
    KASURI_CATCH_ALL { return fail(exception_of_task()); }
  }

  static std::uintptr_t end_with_inner(callback* c) noexcept {
    auto* const self = static_cast<then_task*>(c);
    const std::uintptr_t entries = end_result(self, self->take_inner());
    self->drop();
    return entries;
  }

  static suspended* run(frame* f) {
    scope* const within = f->in;
    suspended* const waiter = run_in(static_cast<then_task*>(f), within);
    if (within != nullptr) [[unlikely]]
      end_task_in(within->arena);
    return waiter;
  }

  static suspended* run_in(then_task* self, scope* within) {
    scope* const around = current_scope();
    current_scope(within);
    std::uintptr_t code = self->run_closure();
    destroy_at_end(&self->closure);
    self->source = Source();
    current_scope(around);
    if constexpr (unwraps)
      if (code == join_empty) {
        self->callback::call = &end_with_inner;
        if (on_ready(future_access::state(self->inner), self)) return nullptr;
        code = self->take_inner();
      }
    suspended* const waiter = finish_future(self, code);
    self->drop();
    return waiter;
  }

  static void destroy_task(future_state<R>* state) noexcept {
    auto* const self = static_cast<then_task*>(state);
    self->~then_task();
    release_record(detail::self(), self, sizeof(then_task));
  }

  // Defined below: where the hint lies is known when the class is complete.
  static const frame_type kind;
};

template <class F, class Source, class Returned, class R>
constexpr frame_type then_task<F, Source, Returned, R>::kind{
    &run, false, "then", nullptr, nullptr, hint_in<then_task<F, Source, Returned, R>, F>::at};

/// `source` is valid. Moved from, or left as it is when there is no memory.
template <class Source, class F>
auto go_on_from(Source& source, F&& f) {
  using closure = std::decay_t<F>;
  using passed = typename passed_by<Source>::type;
  // A disjunction: a generic function that takes the result is not asked whether it takes a future.
  static_assert(std::disjunction_v<std::bool_constant<takes_value<closure, passed>>,
                                   std::is_invocable<closure, Source>>,
                "the function of then takes the result of the future, or the future");
  using returned = typename decltype(result_of_then<closure, Source>())::type;
  static_assert(!is_coro<std::remove_cv_t<returned>>,
                "kasuri::future::then: the function is a coroutine, which then would not run: "
                "call it in one that returns its future, then([](auto x) { return async(f(x)); })");
  using result = typename unwrapped<returned>::type;
  using task = then_task<closure, Source, returned, result>;
  static_assert(alignof(task) <= 64,
                "closures and results of then may be aligned to 64 bytes at "
                "most");
  void* const memory = allocate_record(self(), sizeof(task));
  task* t;
  KASURI_TRY { t = new (memory) task(closure(std::forward<F>(f))); }
  KASURI_CATCH_ALL {
    release_record(self(), memory, sizeof(task));
    KASURI_RETHROW;
  }
  t->source = std::move(source);
  future<result> answer = future_access::make<result>(t);
  t->await_source();
  return answer;
}

}  // namespace detail

template <class R>
template <class F>
auto future<R>::then(F&& f) {
  checked();
  return detail::go_on_from(*this, std::forward<F>(f));
}

template <class R>
template <class F>
auto shared_future<R>::then(F&& f) const {
  checked();
  shared_future copy(*this);
  return detail::go_on_from(copy, std::forward<F>(f));
}

}  // namespace kasuri
