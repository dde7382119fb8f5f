// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Fork-join: parallel_invoke.

// The caller pushes a frame for g, calls f, and pops: usually g is still there and is called
// directly. The frame lies in the caller's stack frame. A thief takes the oldest frame of a worker,
// which is nearest to the root: what work-first schedulers promise (Blumofe and Leiserson, JACM
// 1999; the cost model of Frigo, Leiserson and Randall, PLDI 1998), without a context switch.

#include <exception>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "kasuri/detail/join.hpp"
#include "kasuri/runtime.hpp"

namespace kasuri [[gnu::visibility("default")]] {
namespace detail {

/// The result of a closure as a value: std::monostate stands for void.
template <class F>
using result_of = std::conditional_t<std::is_void_v<std::invoke_result_t<F&>>, std::monostate,
                                     std::remove_cv_t<std::invoke_result_t<F&>>>;

template <class F>
[[gnu::always_inline]] inline result_of<F> call(F& f) {
  static_assert(!std::is_reference_v<std::invoke_result_t<F&>>,
                "closures of parallel_invoke return values: return a pointer or std::ref");
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
    f();
    return {};
  } else {
    return f();
  }
}

/// Two results; an aggregate, so that small ones come back in registers.
template <class A, class B>
struct results {
  A first;
  B second;
};

/// The frame of a closure that may be stolen. The result or the exception waits in it.
template <class G>
struct invoke_frame : frame {
  using result = result_of<G>;

  G closure;
  union {
    result value;
    std::exception_ptr error;
  };

  [[gnu::always_inline]] explicit invoke_frame(G&& g) : closure(std::move(g)) { type = &kind; }
  ~invoke_frame() {}  // take() destroys what a thief left

  /// The thief's call.
  static suspended* run(frame* f) {
    auto* self = static_cast<invoke_frame*>(f);
    current_scope(self->in);
    try {
      new (&self->value) result(detail::call(self->closure));
    } catch (...) {
      new (&self->error) std::exception_ptr(std::current_exception());
      return finish(self, join_threw);
    }
    return finish(self, join_done);
  }

  /// The result that a thief left; throws what the closure threw.
  result take() {
    if (join_word().load(std::memory_order_relaxed) == join_threw) rethrow();
    result r = std::move(value);
    value.~result();
    return r;
  }

  /// Forgets the result that a thief left.
  void discard() noexcept {
    if (join_word().load(std::memory_order_relaxed) == join_threw)
      error.~exception_ptr();
    else
      value.~result();
  }

  [[noreturn, gnu::cold, gnu::noinline]] void rethrow() {
    const std::exception_ptr e = std::move(error);
    error.~exception_ptr();
    std::rethrow_exception(e);
  }

  static constexpr frame_type kind{&run, true, "parallel_invoke"};
};

/// Pops the frame; true when it is the caller's, false when it was run by somebody.
[[gnu::always_inline]] inline bool pop_or_wait(worker_face* face, frame* f, worker_slot* at,
                                               bool drop = false) {
  switch (face->pop(f, at)) {
    case worker_face::popped::mine: return true;
    case worker_face::popped::lowered: return take_back_or_wait(f, at, true, drop);
    default: return take_back_or_wait(f, at, false, drop);
  }
}

/// f threw: g does not run if it has not begun, else its end is awaited and its outcome dropped.
template <class G>
[[gnu::cold, gnu::noinline]] void abandon(worker_face* face, invoke_frame<G>& frame,
                                          worker_slot* at) {
  if (!pop_or_wait(face, &frame, at, true)) frame.discard();
}

template <class F, class G>
[[gnu::noinline]] results<result_of<F>, result_of<G>> fork_join(F f, G g);

/// On a thread that is no worker: makes it one for this call.
template <class F, class G>
[[gnu::cold, gnu::noinline]] results<result_of<F>, result_of<G>> fork_join_outside(F& f, G& g) {
  const attachment guest;
  return fork_join<F, G>(std::move(f), std::move(g));
}

/// A function of its own, small where it is called: the compiler can then inline the caller into
/// its closures' calls, and the landing pad for f's exception does not keep it from leaving the
/// registers alone on the caller's serial path (Clang: 6.8 against 3.1 ns in fib).
template <class F, class G>
results<result_of<F>, result_of<G>> fork_join(F f, G g) {
  worker_face* const face = self();
  if (face == nullptr) [[unlikely]] return fork_join_outside(f, g);
  invoke_frame<G> second(std::move(g));
  second.in = face->current;
  worker_slot* at;
  if (face->push(&second, at)) [[unlikely]] push_slow(face, at, &second);
  const auto run_first = [&]() -> result_of<F> {
    try {
      return detail::call(f);
    } catch (...) {
      abandon(face, second, at);
      throw;
    }
  };
  result_of<F> x = run_first();
  if (pop_or_wait(face, &second, at)) [[likely]]
    return {std::move(x), detail::call(second.closure)};
  return {std::move(x), second.take()};
}

}  // namespace detail

/// Runs the closures as parallel tasks and returns when all have ended.
///
/// The caller runs `f` at once and the others after it, in order, unless idle workers take them
/// first: on one worker the order is that of the serial program. A closure may block (a mutex, a
/// join, yield); the worker then goes on with other tasks.
///
/// @param f,g  callable without arguments; copied or moved into the call. Capture small things by
///             value and return results by value: a result that comes back through a captured
///             reference costs a memory access.
/// @return nothing when all closures return nothing; else a std::tuple of the results in order,
///         with std::monostate in place of void.
/// @throw  the exception of the first closure (in order) that threw. Closures that had not begun
///         when an earlier one threw do not run; those that had are waited for.
/// @par Thread-safety: may be called from any thread and nested without bound. A thread that is no
///      worker becomes one for the duration of the call (see kasuri::run).
template <class F, class G>
[[gnu::always_inline]] inline auto parallel_invoke(F&& f, G&& g) {
  auto r = detail::fork_join<std::decay_t<F>, std::decay_t<G>>(std::forward<F>(f), std::forward<G>(g));
  using first = decltype(r.first);
  using second = decltype(r.second);
  if constexpr (!std::is_same_v<first, std::monostate> || !std::is_same_v<second, std::monostate>)
    return std::tuple<first, second>(std::move(r.first), std::move(r.second));
}

/// The same for three closures and more.
template <class F, class G, class H, class... More>
auto parallel_invoke(F&& f, G&& g, H&& h, More&&... more) {
  auto rest = [g = std::forward<G>(g), h = std::forward<H>(h),
               ... more = std::forward<More>(more)]() mutable {
    return parallel_invoke(std::move(g), std::move(h), std::move(more)...);
  };
  auto r = detail::fork_join<std::decay_t<F>, decltype(rest)>(std::forward<F>(f), std::move(rest));
  using first = decltype(r.first);
  using others = decltype(r.second);
  constexpr std::size_t count = 2 + sizeof...(More);
  if constexpr (!std::is_same_v<others, std::monostate>) {
    return std::tuple_cat(std::tuple<first>(std::move(r.first)), std::move(r.second));
  } else if constexpr (!std::is_same_v<first, std::monostate>) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return std::tuple<first, std::conditional_t<(i >= 0), std::monostate, void>...>(
          std::move(r.first), (static_cast<void>(i), std::monostate{})...);
    }(std::make_index_sequence<count>{});
  }
}

}  // namespace kasuri
