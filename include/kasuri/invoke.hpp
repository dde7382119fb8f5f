// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Fork-join: parallel_invoke.

// The caller pushes a frame for g, calls f, and pops: usually g is still there and is called
// directly. The frame lies in the caller's stack frame. A thief takes the oldest frame of a worker,
// which is nearest to the root: what work-first schedulers promise (Blumofe and Leiserson, JACM
// 1999; the cost model of Frigo, Leiserson and Randall, PLDI 1998), without a context switch.

#include "kasuri/detail/needs_cxx20.hpp"

#include <exception>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "kasuri/detail/end_of_task.hpp"
#include "kasuri/detail/exceptions.hpp"
#include "kasuri/detail/join.hpp"
#include "kasuri/detail/refused.hpp"
#include "kasuri/fork_point.hpp"
#include "kasuri/locality.hpp"
#include "kasuri/runtime.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

/// What a call of the closure gives, with the fork point that it takes or without one.
template <class F, bool Told = takes_fork_point<F>>
struct call_of : std::invoke_result<F&> {};
template <class F>
struct call_of<F, true> : std::invoke_result<F&, fork_point> {};

/// The result of a closure as a value: std::monostate stands for void.
template <class F>
using result_of = std::conditional_t<std::is_void_v<typename call_of<F>::type>, std::monostate,
                                     std::remove_cv_t<typename call_of<F>::type>>;

/// Says which closures parallel_invoke takes.
template <class... Given>
struct closures_of_invoke {
  static constexpr bool fit =
      ((std::is_invocable_v<std::decay_t<Given>&> || takes_fork_point<std::decay_t<Given>>) && ...);
  static_assert(fit,
                "kasuri::parallel_invoke: takes functions without arguments, "
                "parallel_invoke([=] { f(x); }, [=] { g(x); }): not what they return; a stop "
                "condition comes first");
  static_assert(!(makes_coro<std::decay_t<Given>&>() || ...),
                "kasuri::parallel_invoke: a function is a coroutine, which would not run: call "
                "async(f()), and wait for the futures");
};

template <class F, class... Point>
[[gnu::always_inline]] inline result_of<F> call_with(F& f, Point... point) {
  static_assert(!std::is_reference_v<typename call_of<F>::type>,
                "closures of parallel_invoke return values: return a pointer or std::ref");
  if constexpr (std::is_void_v<typename call_of<F>::type>) {
    f(point...);
    return {};
  } else {
    return f(point...);
  }
}

/// Calls the closure anywhere.
template <class F>
[[gnu::always_inline]] inline result_of<F> call(F& f) {
  if constexpr (takes_fork_point<F>)
    return call_with(f, fork_point());
  else
    return call_with(f);
}

/// Calls it on the worker of that face, which pushes into `top` next. Where that has changed
/// meanwhile, the closure's forks see it.
template <class F>
[[gnu::always_inline]] inline result_of<F> call_at(F& f, worker_face* face, worker_slot* top) {
  if constexpr (takes_fork_point<F>)
    return call_with(f, fork_points::make(face, top));
  else
    return call_with(f);
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
    KASURI_TRY { new (&self->value) result(detail::call(self->closure)); }
    KASURI_CATCH_ALL {
      new (&self->error) std::exception_ptr(exception_of_task());
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

  // Defined below: where the hint lies is known when the class is complete.
  static const frame_type kind;
};

template <class G>
constexpr frame_type invoke_frame<G>::kind{&run,    true,    "parallel_invoke",
                                           nullptr, nullptr, hint_in<invoke_frame<G>, G>::at};

/// Pops the frame; true when it is the caller's, false when it was run by somebody.
[[gnu::always_inline]] inline bool pop_or_wait(worker_face* face, frame* f, worker_slot* at,
                                               bool drop = false) {
  switch (face->pop(f, at)) {
    case worker_face::popped::mine:
      return true;
    case worker_face::popped::lowered:
      return take_back_or_wait(f, at, true, drop);
    default:
      return take_back_or_wait(f, at, false, drop);
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
[[gnu::cold, gnu::noinline]] results<result_of<F>, result_of<G>> fork_join_outside(F f, G g) {
  const attachment guest;
  return fork_join<F, G>(std::move(f), std::move(g));
}

/// The work that a closure stands for beside others: see share.
template <class F>
double work_of(const F& f) noexcept {
  if constexpr (is_shared<F>)
    return f.work;
  else
    return 1;
}

/// fork_join for a g that had better run elsewhere: sent there, and waited for.
template <class F, class G>
results<result_of<F>, result_of<placed<G>>> fork_join_placed(F f, placed<G> g) {
  if (self() == nullptr) {
    const attachment guest;
    return fork_join_placed<F, G>(std::move(f), std::move(g));
  }
  const where place = g.place;
  invoke_frame<placed<G>> second(std::move(g));
  second.in = self()->current;
  if (!send_to(place, &second))
    return fork_join<F, G>(std::move(f), std::move(second.closure.closure));
  const auto run_first = [&]() -> result_of<F> {
    KASURI_TRY { return detail::call(f); }
    KASURI_CATCH_ALL {
      if (!join_sent(&second, true)) second.discard();
      KASURI_RETHROW;
    }
  };
  result_of<F> x = run_first();
  join_sent(&second, false);
  return {std::move(x), second.take()};
}

/// The frame was not found on top: runs it if it is the caller's, else takes what a thief left. The
/// caller may be on another worker now.
template <class G>
[[gnu::cold, gnu::noinline]] result_of<G> second_late(invoke_frame<G>& frame, worker_slot* at,
                                                      bool lowered) {
  if (take_back_or_wait(&frame, at, lowered)) return detail::call(frame.closure);
  return frame.take();
}

/// The fork and its join on the worker of that face, which is the caller's and pushes into `at`.
template <class F, class G>
[[gnu::always_inline]] inline results<result_of<F>, result_of<G>> fork_join_at(worker_face* face,
                                                                               worker_slot* at,
                                                                               F& f, G& g) {
  invoke_frame<G> second(std::move(g));
  second.in = face->current;
  if constexpr (is_shared<F> || is_shared<G>)
    if (looks_at_shares()) [[unlikely]]
      announce_shares(work_of(f), work_of(second.closure));
  if (face->push_into(&second, at)) [[unlikely]]
    push_slow(face, at, &second);
  const auto run_first = [&]() -> result_of<F> {
    KASURI_TRY { return call_at(f, face, at + 1); }
    KASURI_CATCH_ALL {
      abandon(face, second, at);
      KASURI_RETHROW;
    }
  };
  result_of<F> x = run_first();
  const auto popped = face->pop(&second, at);
  if (popped == worker_face::popped::mine) [[likely]]
    return {std::move(x), call_at(second.closure, face, at)};
  return {std::move(x), second_late(second, at, popped == worker_face::popped::lowered)};
}

/// A function of its own, small where it is called: the compiler can then inline the caller into
/// its closures' calls, and the landing pad for f's exception does not keep it from leaving the
/// registers alone on the caller's serial path (Clang: 6.8 against 3.1 ns in fib).
template <class F, class G>
results<result_of<F>, result_of<G>> fork_join(F f, G g) {
  worker_face* const face = self();
  if (face == nullptr) [[unlikely]]
    return fork_join_outside<F, G>(std::move(f), std::move(g));
  return fork_join_at(face, face->top.load(std::memory_order_relaxed), f, g);
}

/// For a caller whose fork point does not fit.
template <class F, class G>
[[gnu::cold, gnu::noinline]] results<result_of<F>, result_of<G>> fork_join_untold(F f, G g) {
  return fork_join<F, G>(std::move(f), std::move(g));
}

/// The same for a caller that was told where its fork goes. The comparison is all that makes it
/// right: whatever came between, a point that fits names the caller's worker and its next slot.
template <class F, class G>
[[gnu::noinline]] results<result_of<F>, result_of<G>> fork_join_told(fork_point point, F f, G g) {
  if (!fork_points::fits(point)) [[unlikely]]
    return fork_join_untold<F, G>(std::move(f), std::move(g));
  return fork_join_at(fork_points::face(point), fork_points::slot(point), f, g);
}

/// The caller's own side first: a closure without a place, if there is one.
template <class F, class G>
[[gnu::always_inline]] inline auto invoke_two(F&& f, G&& g) {
  using first = std::decay_t<F>;
  using second = std::decay_t<G>;
  if constexpr (is_placed<second> && !is_placed<first>) {
    return fork_join_placed<first>(std::forward<F>(f), second(std::forward<G>(g)));
  } else if constexpr (is_placed<first> && !is_placed<second>) {
    auto r = fork_join_placed<second>(std::forward<G>(g), first(std::forward<F>(f)));
    return results<decltype(r.second), decltype(r.first)>{std::move(r.second), std::move(r.first)};
  } else if constexpr (is_placed<first> && is_placed<second>) {
    auto alone = [f = first(std::forward<F>(f))]() mutable {
      return fork_join_placed([] {}, std::move(f)).second;
    };
    return fork_join_placed(std::move(alone), second(std::forward<G>(g)));
  } else {
    return fork_join<first, second>(std::forward<F>(f), std::forward<G>(g));
  }
}

/// The results of two closures as parallel_invoke returns them.
template <class A, class B>
[[gnu::always_inline]] inline auto as_tuple(results<A, B> r) {
  if constexpr (!std::is_same_v<A, std::monostate> || !std::is_same_v<B, std::monostate>)
    return std::tuple<A, B>(std::move(r.first), std::move(r.second));
}

/// The first of several closures and the others, which stand for `work`.
template <class F, class Rest>
[[gnu::always_inline]] inline auto invoke_rest(F&& f, Rest&& rest, double work) {
  if constexpr (is_shared<std::decay_t<F>>)
    return invoke_two(std::forward<F>(f), share(work, std::forward<Rest>(rest)));
  else
    return static_cast<void>(work), invoke_two(std::forward<F>(f), std::forward<Rest>(rest));
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
///
/// Closures wrapped in at, share and hinted (kasuri/locality.hpp) carry advice on where they run. A
/// closure with a place elsewhere is sent there; the caller begins with one that has none.
template <class F, class G>
[[gnu::always_inline]] inline auto parallel_invoke(F&& f, G&& g) {
  if constexpr (detail::closures_of_invoke<F, G>::fit)
    return detail::as_tuple(detail::invoke_two(std::forward<F>(f), std::forward<G>(g)));
}

/// The same for a caller that was told where its fork goes, which then waits for no load
/// (examples/fork_point.cpp):
/// \code
/// long fib(kasuri::fork_point here, int n) {
///   if (n < 2) return n;
///   auto [a, b] = kasuri::parallel_invoke(
///       here, [n](kasuri::fork_point first) { return fib(first, n - 1); },
///       [n](kasuri::fork_point second) { return fib(second, n - 2); });
///   return a + b;
/// }
/// fib(kasuri::fork_point(), 32);
/// \endcode
/// @param here  as the caller was given it, or of any time and thread: fork_point says why that is
///              safe
/// @param f,g   as without it, or callable with a fork_point alone: these are told theirs, here and
///              by parallel_invoke without a point, but not where there is a stop condition
template <class F, class G>
[[gnu::always_inline]] inline auto parallel_invoke(fork_point here, F&& f, G&& g) {
  using first = std::decay_t<F>;
  using second = std::decay_t<G>;
  if constexpr (!detail::closures_of_invoke<F, G>::fit)
    return;
  else if constexpr (detail::is_placed<first> || detail::is_placed<second>)
    return parallel_invoke(std::forward<F>(f), std::forward<G>(g));
  else
    return detail::as_tuple(
        detail::fork_join_told<first, second>(here, std::forward<F>(f), std::forward<G>(g)));
}

/// The same for three closures and more.
template <class F, class G, class H, class... More>
auto parallel_invoke(F&& f, G&& g, H&& h, More&&... more) {
  static_assert(detail::closures_of_invoke<F, G, H, More...>::fit);
  const double others_work =
      detail::work_of(g) + (detail::work_of(h) + ... + detail::work_of(more));
  auto rest = [g = std::forward<G>(g), h = std::forward<H>(h),
               ... more = std::forward<More>(more)]() mutable {
    return parallel_invoke(std::move(g), std::move(h), std::move(more)...);
  };
  auto r = detail::invoke_rest(std::forward<F>(f), std::move(rest), others_work);
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
