// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Calls that end early: once a std::stop_token is stopped, at a time, or whichever comes first.
///
/// All of them share these rules:
/// - What a call has begun it ends: nobody is interrupted. Iterations, closures and tasks that have
///   not begun when the stop is seen are left out. Code of the program that runs meanwhile may ask
///   this_task::canceled(), which is true from then on.
/// - What runs inside is stopped with it: loops, groups, calls with conditions of their own. What
///   says that it runs to its end once it has begun does so: sorts, scans, kasuri::par.
/// - A call says whether it ran whole: true, or a value. False, or no value: it was stopped before
///   its end, by its condition, or because a group or a call around it was; so parts may be left
///   out. A stop that comes while the last part ends counts as a stop.
/// - Waits inside are not ended by it: a wait has the condition that it is given. Hand it down.
/// - An exception leaves the call as it does without a condition.
/// - A time is kept by a thread of its own: no worker has to be free for it. It stops a call some
///   50 us late or so.
/// - Any thread may call; calls nest.

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasuri/detail/cxx_library.hpp"
#include "kasuri/detail/refused.hpp"
#include "kasuri/detail/stop/link.hpp"
#include "kasuri/detail/stop/stoppable_call.hpp"
#include "kasuri/detail/stop/stopped_waits.hpp"
#include "kasuri/detail/throws.hpp"
#include "kasuri/future.hpp"
#include "kasuri/invoke.hpp"
#include "kasuri/parallel_for.hpp"
#include "kasuri/parallel_for_each.hpp"
#include "kasuri/parallel_reduce.hpp"
#include "kasuri/range.hpp"
#include "kasuri/runtime.hpp"
#include "kasuri/stop_condition.hpp"
#include "kasuri/sync.hpp"
#include "kasuri/task.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace detail {

template <class T>
inline constexpr bool is_blocked_range = false;
template <class Index>
inline constexpr bool is_blocked_range<blocked_range<Index>> = true;
template <class Row, class Column>
inline constexpr bool is_blocked_range<blocked_range2d<Row, Column>> = true;
template <class Page, class Row, class Column>
inline constexpr bool is_blocked_range<blocked_range3d<Page, Row, Column>> = true;

template <class T>
concept stops = std::convertible_to<T, const stop_condition&>;

/// A condition behind the other arguments.
template <class First, class... Others>
concept stops_last =
    !stops<First> && stops<typename decltype((std::type_identity<Others>(), ...))::type>;

}  // namespace detail

/// Calls `f` on the calling thread, as kasuri::run(f) does, until the condition is met: what `f`
/// calls of Kasuri is stopped then, and `f` itself may ask this_task::canceled(). Not at all where
/// the condition is met already. Groups that are made inside end inside.
/// @param stop  as a std::stop_token, or what stop_after and stop_at make
/// @param f     callable without arguments
/// @return where f returns nothing, a bool: whether it ran whole. Else a std::optional of what f
///         returns; empty where it did not run whole. What was found until then comes back by what
///         f has captured.
/// @throw whatever f throws; std::bad_alloc, also where the system gives no thread for timers.
/// @par Complexity: some 50 ns for a token; for a time 300 ns, and logarithmic in the number of
///      timers.
/// @par Thread-safety: any thread.
template <class F>
[[nodiscard]] auto run(const stop_condition& stop, F&& f) {
  return detail::run_stoppable(stop,
                               [&f](const detail::stoppable_call&) -> std::invoke_result_t<F> {
                                 return std::forward<F>(f)();
                               });
}

/// Not with the condition behind the function.
template <class F, detail::stops Stop>
  requires(!detail::stops<F>)
void run(F&&, Stop&&) {
  static_assert(detail::refused<F>, "the stop condition comes first: kasuri::run(stop, f)");
}

/// parallel_for that may be stopped. The condition is looked at before each iteration: one load,
/// which keeps the compiler from vectorising the loop. Where iterations are that short, the loop
/// over a blocked_range looks before each piece.
/// @param stop         as a std::stop_token, or what stop_after and stop_at make
/// @param first, last  as without a condition
/// @param grain, body  likewise
/// @return whether all iterations ran.
/// @throw as without a condition; std::bad_alloc as kasuri::run.
template <class First, class Last, class Body>
  requires loop_index<common_index<First, Last>>
[[nodiscard]] bool parallel_for(const stop_condition& stop, First first, Last last,
                                std::size_t grain, Body&& body) {
  static_assert(detail::loop_body<Body, common_index<First, Last>&>::fits);
  return detail::run_stoppable(stop, [&](const detail::stoppable_call& call) {
    parallel_for(first, last, grain, [&](auto& i) {
      if (!call.met()) body(i);
    });
  });
}

/// The same with an automatic grain.
template <class First, class Last, class Body>
  requires loop_index<common_index<First, Last>>
[[nodiscard]] bool parallel_for(const stop_condition& stop, First first, Last last, Body&& body) {
  return parallel_for(stop, first, last, std::size_t{0}, body);
}

/// The same for iterations whose costs the program knows beforehand.
template <class First, class Last, class Work, class Body>
  requires loop_index<common_index<First, Last>>
[[nodiscard]] bool parallel_for(const stop_condition& stop, First first, Last last,
                                work_by<Work> cost, Body&& body) {
  static_assert(detail::loop_body<Body, common_index<First, Last>&>::fits);
  return detail::run_stoppable(stop, [&](const detail::stoppable_call& call) {
    parallel_for(first, last, std::move(cost), [&](auto& i) {
      if (!call.met()) body(i);
    });
  });
}

/// The same for pieces of a blocked_range, blocked_range2d or blocked_range3d: the condition is
/// looked at before each piece.
template <class Range, class Body>
  requires detail::is_blocked_range<Range>
[[nodiscard]] bool parallel_for(const stop_condition& stop, const Range& range, Body&& body) {
  static_assert(detail::loop_body<Body, const Range&>::fits);
  return detail::run_stoppable(stop, [&](const detail::stoppable_call& call) {
    parallel_for(range, [&](const Range& piece) {
      if (!call.met()) body(piece);
    });
  });
}

/// Not for elements: parallel_for_each is.
template <class Range, class Body>
  requires detail::container<Range>
bool parallel_for(const stop_condition&, Range&& range, Body&& body) {
  parallel_for(range, body);  // says so
  return false;
}

/// Not with the condition behind the others.
template <class First, class... Others>
  requires detail::stops_last<First, Others...>
void parallel_for(First&&, Others&&...) {
  static_assert(detail::refused<First>,
                "the stop condition comes first: kasuri::parallel_for(stop, first, last, body)");
}

/// parallel_for_each that may be stopped: the condition is looked at before each item.
/// @param stop         as a std::stop_token, or what stop_after and stop_at make
/// @param first, last  as without a condition
/// @param body         likewise
/// @return whether the body was called for all items, added ones among them.
/// @throw as without a condition; std::bad_alloc as kasuri::run.
template <std::input_iterator It, std::sentinel_for<It> End, class Body>
[[nodiscard]] bool parallel_for_each(const stop_condition& stop, It first, End last, Body&& body) {
  return detail::run_stoppable(stop, [&](const detail::stoppable_call&) {
    parallel_for_each(std::move(first), std::move(last), body);
  });
}

/// The same for a range.
template <std::ranges::input_range Range, class Body>
[[nodiscard]] bool parallel_for_each(const stop_condition& stop, Range&& range, Body&& body) {
  static_assert(!detail::makes_coro<Body&, std::ranges::range_reference_t<Range>>(),
                "kasuri::parallel_for_each: the body is a coroutine, which the loop would not run: "
                "call async(f(x)) in a function, and wait for the futures");
  return detail::run_stoppable(stop, [&](const detail::stoppable_call& call) {
    if constexpr (detail::plain_loop<Range, Body>)
      parallel_for_each(range, [&](std::ranges::range_reference_t<Range> x) {
        if (!call.met()) body(std::forward<std::ranges::range_reference_t<Range>>(x));
      });
    else
      parallel_for_each(range, body);
  });
}

/// The same for items that are written out.
template <class T, class Body>
[[nodiscard]] bool parallel_for_each(const stop_condition& stop, std::initializer_list<T> items,
                                     Body&& body) {
  return parallel_for_each(stop, std::ranges::subrange(items.begin(), items.end()), body);
}

/// Not with the condition behind the others.
template <class First, class... Others>
  requires detail::stops_last<First, Others...>
void parallel_for_each(First&&, Others&&...) {
  static_assert(detail::refused<First>,
                "the stop condition comes first: kasuri::parallel_for_each(stop, items, body)");
}

/// parallel_reduce that may be stopped. The condition is looked at before each iteration, or, where
/// `map` folds a whole blocked_range, before each block.
/// @param stop                   as a std::stop_token, or what stop_after and stop_at make
/// @param first, last            as without a condition
/// @param grain, identity, map   likewise
/// @param combine                likewise
/// @return the result; empty where the loop was stopped: the fold of a part would depend on who ran
///         what.
/// @throw as without a condition; std::bad_alloc as kasuri::run.
template <class First, class Last, class T, class Map, class Combine>
  requires loop_index<common_index<First, Last>>
[[nodiscard]] std::optional<T> parallel_reduce(const stop_condition& stop, First first, Last last,
                                               std::size_t grain, T identity, Map&& map,
                                               Combine&& combine) {
  using range = blocked_range<common_index<First, Last>>;
  using parts = detail::reduction_parts<T, Map, Combine, range, common_index<First, Last>>;
  static_assert(sizeof(parts) != 0);  // it says what does not fit
  return detail::run_stoppable(stop, [&](const detail::stoppable_call& call) -> T {
    const auto fold = [&](const range& block, T value) {
      return detail::fold_until_stopped(call, block, std::move(value), map, combine);
    };
    return parallel_reduce(first, last, grain, std::move(identity), fold, combine);
  });
}

/// The same with an automatic grain.
template <class First, class Last, class T, class Map, class Combine>
  requires loop_index<common_index<First, Last>>
[[nodiscard]] std::optional<T> parallel_reduce(const stop_condition& stop, First first, Last last,
                                               T identity, Map&& map, Combine&& combine) {
  return parallel_reduce(stop, first, last, std::size_t{0}, std::move(identity), map, combine);
}

/// The same over a range, with the range's grain.
template <class Index, class T, class Map, class Combine>
[[nodiscard]] std::optional<T> parallel_reduce(const stop_condition& stop,
                                               const blocked_range<Index>& range, T identity,
                                               Map&& map, Combine&& combine) {
  return parallel_reduce(stop, range.begin(), range.end(), range.grain(), std::move(identity), map,
                         combine);
}

/// The same over the cells of a blocked_range2d or blocked_range3d: the condition is looked at
/// before each tile.
template <class Range, class T, class Map, class Combine>
  requires detail::is_blocked_range<Range>
[[nodiscard]] std::optional<T> parallel_reduce(const stop_condition& stop, const Range& range,
                                               T identity, Map&& map, Combine&& combine) {
  return detail::run_stoppable(stop, [&](const detail::stoppable_call& call) -> T {
    const auto fold = [&](const Range& tile, T value) {
      return call.met() ? std::move(value)
                        : detail::fold_block(tile, std::move(value), map, combine);
    };
    return parallel_reduce(range, std::move(identity), fold, combine);
  });
}

/// Not with the condition behind the others.
template <class First, class... Others>
  requires detail::stops_last<First, Others...>
auto parallel_reduce(First&&, Others&&...) {
  static_assert(detail::refused<First>,
                "the stop condition comes first: "
                "kasuri::parallel_reduce(stop, first, last, identity, map, combine)");
}

/// parallel_invoke that may be stopped: closures that have not begun by then do not run.
/// @param stop      as a std::stop_token, or what stop_after and stop_at make
/// @param f,g,more  as without a condition
/// @return whether all closures ran whole, where all return nothing; else a std::optional of the
///         tuple that parallel_invoke returns, empty where the call was stopped.
/// @throw as without a condition; std::bad_alloc as kasuri::run.
template <class Stop, class F, class G, class... More>
  requires detail::stops<Stop>
[[nodiscard]] auto parallel_invoke(Stop&& stop, F&& f, G&& g, More&&... more) {
  static_assert(detail::closures_of_invoke<F, G, More...>::fit);
  const auto all = [&](const detail::stoppable_call& call) {
    return kasuri::parallel_invoke(detail::unless_stopped(call, std::forward<F>(f)),
                                   detail::unless_stopped(call, std::forward<G>(g)),
                                   detail::unless_stopped(call, std::forward<More>(more))...);
  };
  using found = std::invoke_result_t<decltype(all)&, const detail::stoppable_call&>;
  if constexpr (std::is_void_v<found>) {
    return detail::run_stoppable(stop, all);
  } else {
    using values =
        std::tuple<detail::result_of<std::decay_t<F>>, detail::result_of<std::decay_t<G>>,
                   detail::result_of<std::decay_t<More>>...>;
    const detail::attachment guest;
    detail::stoppable_call call(stop);
    if (call.stopped()) return std::optional<values>();
    found r = all(call);
    if (call.stopped()) return std::optional<values>();
    return std::optional<values>(detail::unpacked<values>(std::move(r)));
  }
}

/// async that may be stopped: where the condition is met before the task begins, `f` is not called.
/// @param stop  as a std::stop_token, or what stop_after and stop_at make; copied into the task
/// @param f     as without a condition
/// @return a future of what kasuri::run(stop, f) says, run in a task of its own.
/// @throw std::bad_alloc when there is no memory for the task; it does not run then.
/// @par Thread-safety: any thread.
template <class F>
[[nodiscard]] auto async(const stop_condition& stop, F&& f) {
  static_assert(!detail::makes_coro<std::decay_t<F>>(),
                "kasuri::async: the function is a coroutine, which async would not run: call it, "
                "async(f())");
  static_assert(std::is_invocable_v<std::decay_t<F>>,
                "kasuri::async: takes a function without arguments: "
                "async(stop, [=] { return f(x); })");
  return async(detail::wrapped_inside(std::decay_t<F>(std::forward<F>(f)), [&stop](auto closure) {
    return [stop, closure = std::move(closure)]() mutable { return run(stop, std::move(closure)); };
  }));
}

/// Not with the condition behind the function.
template <class F, detail::stops Stop>
  requires(!detail::stops<F> && !std::is_invocable_v<std::decay_t<F>, std::decay_t<Stop>>)
auto async(F&&, Stop&&) {
  static_assert(detail::refused<F>, "the stop condition comes first: kasuri::async(stop, f)");
  return future<void>();
}

/// Suspends the task for `d`, or until the condition is met.
/// @param d     how long; of zero or less it comes back at once
/// @param stop  as a std::stop_token, or what stop_after and stop_at make
/// @return whether it slept for `d`.
/// @throw std::bad_alloc when there is no memory to wait with, or the system has no thread for
/// timers.
/// @par Thread-safety: any thread.
template <class Rep, class Period>
[[nodiscard]] bool sleep_for(const std::chrono::duration<Rep, Period>& d,
                             const stop_condition& stop) {
  using detail::stop_access;
  const std::int64_t end = detail::time_after(d);
  latch never(1);
  static_cast<void>(never.wait(
      stop_access::make(stop_access::token(stop), std::min(stop_access::by(stop), end))));
  return end <= detail::time_after(0);
}

/// A task_group that may be stopped.
///
/// It belongs to the task, or the kasuri::run, that made it, as a task_group does.
class stoppable_group {
 public:
  /// @param stop  as a std::stop_token, or what stop_after and stop_at make
  /// @throw std::bad_alloc, also where the system gives no thread for timers.
  explicit stoppable_group(const stop_condition& stop)
      : stop_(stop),
        link_(detail::stop_access::token(stop), detail::stop_access::by(stop), base()) {}
  stoppable_group(const stoppable_group&) = delete;
  stoppable_group& operator=(const stoppable_group&) = delete;

  /// Waits for tasks not waited for; their exceptions are lost, as those of a task_group are.
  ~stoppable_group() {
    if (!base().wait_all()) [[unlikely]]
      detail::group::cannot_wait();
  }

  /// As task_group::run.
  template <class F>
  void run(F&& f, spawn policy = spawn::parent_first) {
    group_.run(std::forward<F>(f), policy);
  }

  /// Waits as task_group::wait does. Afterwards the group is as new, but for a condition that is
  /// met: that stays so.
  /// @return whether all tasks ran: false where the group was stopped or cancelled.
  /// @throw as task_group::wait.
  /// @par Thread-safety: the owner only.
  [[nodiscard]] bool wait() {
    if (!base().wait_all()) [[unlikely]]
      detail::throw_bad_alloc();
    const bool is_whole = !group_.canceled();
    base().settle();
    if (stop_.stop_requested()) group_.cancel();
    return is_whole;
  }

  /// As task_group::cancel, until the group is waited for.
  /// @par Thread-safety: any thread, while the group lives.
  void cancel() noexcept { group_.cancel(); }

  /// Whether the group, or one around it, was stopped or cancelled.
  /// @par Thread-safety: any thread, while the group lives.
  bool canceled() const noexcept { return group_.canceled(); }

 private:
  detail::group& base() noexcept { return detail::stop_access::of(group_); }

  const stop_condition stop_;
  task_group group_;
  detail::stop_link link_;
};

}  // namespace kasuri
