// SPDX-License-Identifier: Apache-2.0
#pragma once

// Calls with a stop condition. docs/design/threads.md says why what they tell is right.

#include <atomic>
#include <concepts>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "kasuri/detail/scope.hpp"
#include "kasuri/detail/stop/link.hpp"
#include "kasuri/invoke.hpp"
#include "kasuri/locality.hpp"
#include "kasuri/range.hpp"
#include "kasuri/runtime.hpp"
#include "kasuri/stop_condition.hpp"

namespace kasuri::detail {

/// What a call says that may be stopped.
template <class R>
using whole = std::conditional_t<std::is_void_v<R>, bool, std::optional<R>>;

/// The scope of such a call, made by a thread of the pool.
class stoppable_call : public scope {
 public:
  explicit stoppable_call(const stop_condition& c)
      : link_(stop_access::token(c), stop_access::by(c), *this) {
    parent = current_scope();
    current_scope(this);
  }
  ~stoppable_call() { current_scope(parent); }
  stoppable_call(const stoppable_call&) = delete;
  stoppable_call& operator=(const stoppable_call&) = delete;

  /// One load, for each iteration; groups around the call are looked at by the loop.
  bool met() const noexcept {
    // relaxed: a hint; a piece that is left out is told by stopped(), behind the loop's join
    return canceled.load(std::memory_order_relaxed);
  }
  bool stopped() const noexcept { return canceled_here_or_above(); }

 private:
  stop_link link_;
};

/// Calls f(call) in the scope of a call.
template <class F>
auto run_stoppable(const stop_condition& c, F&& f)
    -> whole<std::invoke_result_t<F&, const stoppable_call&>> {
  using result = std::invoke_result_t<F&, const stoppable_call&>;
  static_assert(!std::is_reference_v<result>,
                "what may be stopped returns a value: return a pointer or std::ref");
  const attachment guest;
  stoppable_call call(c);
  if constexpr (std::is_void_v<result>) {
    if (!call.stopped()) f(call);
    return !call.stopped();
  } else {
    std::optional<result> r;
    if (!call.stopped()) r.emplace(f(call));
    if (call.stopped()) r.reset();
    return r;
  }
}

/// wrap(f), inside of what says where f runs.
template <class F, class Wrap>
auto wrapped_inside(F f, Wrap wrap) {
  return wrap(std::move(f));
}
template <class F, class Wrap>
auto wrapped_inside(placed<F> f, Wrap wrap) {
  return at(f.place, wrapped_inside(std::move(f.closure), wrap));
}
template <class F, class Wrap>
auto wrapped_inside(shared<F> f, Wrap wrap) {
  return share(f.work, wrapped_inside(std::move(f.closure), wrap));
}
template <class Hint, class F, class Wrap>
auto wrapped_inside(with_hint<Hint, F> f, Wrap wrap) {
  return hinted(f.hint, wrapped_inside(std::move(f.closure), wrap));
}

/// A closure of parallel_invoke that may be left out: it returns an optional, or nothing.
template <class F>
auto unless_stopped(const stoppable_call& call, F&& f) {
  return wrapped_inside(std::decay_t<F>(std::forward<F>(f)), [&call](auto closure) {
    return [&call, closure = std::move(closure)]() mutable {
      using result = std::invoke_result_t<decltype(closure)&>;
      if constexpr (std::is_void_v<result>) {
        if (!call.met()) closure();
      } else {
        return call.met() ? std::optional<result_of<decltype(closure)>>()
                          : std::optional<result_of<decltype(closure)>>(closure());
      }
    };
  });
}

/// The results of closures of which none was left out, as `Values`.
template <class Values, class... Optionals>
Values unpacked(std::tuple<Optionals...>&& all) {
  const auto value = [](auto& each) -> decltype(auto) {
    if constexpr (std::is_same_v<decltype(each), std::monostate&>)
      return std::monostate();
    else
      return std::move(*each);
  };
  return std::apply([&value](auto&... each) { return Values(value(each)...); }, all);
}

/// Adds a block of a reduction to `value`, as much of it as the call has time for.
template <class Index, class T, class Map, class Combine>
T fold_until_stopped(const stoppable_call& call, const blocked_range<Index>& block, T value,
                     Map& map, Combine& combine) {
  if constexpr (std::invocable<Map&, const blocked_range<Index>&, T>) {
    return call.met() ? std::move(value) : map(block, std::move(value));
  } else {
    for (Index i = block.begin(); i != block.end() && !call.met(); ++i)
      value = combine(std::move(value), map(i));
    return value;
  }
}

}  // namespace kasuri::detail
