// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Pipelines: items that go through stages one after the other, several items at a time.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasuri/detail/exceptions.hpp"
#include "kasuri/detail/refused.hpp"
#include "kasuri/detail/throws.hpp"
#include "kasuri/detail/flow/turns.hpp"
#include "kasuri/runtime.hpp"
#include "kasuri/sync.hpp"
#include "kasuri/task.hpp"

namespace kasuri {
namespace detail {

enum class stage_order : unsigned char { parallel, serial, in_order };

/// A stage as the program gives it.
template <stage_order Order, class F>
struct stage {
  F function;
};

/// A stage at work: `call` lets items in, `give_up` lets those go that wait.
template <class Stage>
class stage_at_work;

template <class F>
class stage_at_work<stage<stage_order::parallel, F>> {
 public:
  explicit stage_at_work(F& f) noexcept : function(f) {}
  template <class Body>
  bool call(std::uint64_t, Body body) {
    body();
    return true;
  }
  void give_up() noexcept {}

  F& function;
};

template <class F>
class stage_at_work<stage<stage_order::serial, F>> {
 public:
  explicit stage_at_work(F& f) noexcept : function(f) {}
  template <class Body>
  bool call(std::uint64_t, Body body) {
    const std::lock_guard hold(busy_);
    body();
    return true;
  }
  void give_up() noexcept {}

  F& function;

 private:
  mutex busy_;
};

template <class F>
class stage_at_work<stage<stage_order::in_order, F>> {
 public:
  explicit stage_at_work(F& f) noexcept : function(f) {}
  template <class Body>
  bool call(std::uint64_t number, Body body) {
    if (!turns_.wait_for(number)) return false;
    body();
    turns_.pass();
    return true;
  }
  void give_up() noexcept { turns_.give_up(); }

  F& function;

 private:
  turns turns_;
};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool is_stage = false;
template <stage_order Order, class F>
inline constexpr bool is_stage<stage<Order, F>> = true;

/// Says what the stages of a pipeline are, from the one that is given an Item on.
template <class Item, class F, class... Later>
struct stages_from {
  static constexpr bool is_called = std::is_invocable_v<F&, Item>;
  static_assert(is_called,
                "kasuri::pipeline: a stage is called with what the one before it, or the source "
                "in its std::optional, returned, as an rvalue: stage(std::move(item))");
  static constexpr bool next_fits() {
    if constexpr (!is_called || sizeof...(Later) == 0) {
      return is_called;
    } else {
      using result = std::invoke_result_t<F&, Item>;
      static_assert(!std::is_void_v<result>,
                    "kasuri::pipeline: only the last stage of a pipeline returns nothing");
      if constexpr (std::is_void_v<result>)
        return false;
      else
        return stages_from<std::decay_t<result>, Later...>::next_fits();
    }
  }
};

/// Says what the source of a pipeline is.
template <class Source>
struct source_of_pipeline {
  using own = std::remove_cvref_t<Source>;
  static_assert(!is_stage<own>,
                "kasuri::pipeline: the source is a function, not in kasuri::in_order and the like:"
                " its calls come one behind the other anyway");
  static_assert(is_stage<own> || std::is_invocable_v<Source&>,
                "kasuri::pipeline: the source is called without arguments");
  static constexpr bool returns_optional() {
    if constexpr (std::is_invocable_v<Source&>) {
      constexpr bool optional = is_optional<std::invoke_result_t<Source&>>;
      static_assert(optional,
                    "kasuri::pipeline: the source of a pipeline returns a std::optional, empty at "
                    "the end");
      return optional;
    } else {
      return false;
    }
  }
};

/// Whether they fit; a message says what does not.
template <class Source, class... Functions>
constexpr bool pipeline_fits() {
  if constexpr (source_of_pipeline<Source>::returns_optional())
    return stages_from<typename std::invoke_result_t<Source&>::value_type,
                       Functions...>::next_fits();
  else
    return false;
}

/// One run of a pipeline. Its tasks are carriers: each takes an item from the source, carries it
/// through all stages, and comes back for the next. A carrier that has taken an item sees to it
/// that another carrier is on its way to the source, so there are as many as are needed: one that
/// is never stolen and never waits stays alone.
template <class Source, class... Stages>
class pipeline_run {
 public:
  pipeline_run(std::size_t most, Source& source, Stages&... stages)
      : most_(most), source_(source), stages_(stages.function...) {}

  void run() {
    send_carrier();
    group_.wait();
  }

 private:
  using item = std::invoke_result_t<Source&>;
  static constexpr std::size_t count = sizeof...(Stages);

  struct taken {
    item what;
    std::uint64_t number = 0;
    bool alone = false;  // no carrier is on its way to the source, and one more may be
  };

  void send_carrier() {
    group_.run([this] { carry(); });
  }

  /// A carrier that ends early leaves a number that no stage will see.
  void carry() {
    KASURI_TRY {
      if (carry_all()) return;
    }
    KASURI_CATCH_ALL {
      give_up();
      KASURI_RETHROW;
    }
    give_up();
  }

  void give_up() noexcept {
    group_.cancel();
    std::apply([](auto&... each) { (each.give_up(), ...); }, stages_);
  }

  /// False: an item was left on the way.
  bool carry_all() {
    for (bool first = true;; first = false) {
      taken next = take(first);
      if (!next.what) return true;
      if (next.alone) send_carrier();
      if (!go_through<0>(std::move(*next.what), next.number)) return false;
    }
  }

  taken take(bool first) {
    const std::lock_guard hold(at_source_);
    if (first) on_its_way_ = false;
    if (ended_ || group_.canceled()) return {};
    taken next{source_()};
    if (!next.what) {
      ended_ = true;
      return next;
    }
    next.number = numbers_++;
    next.alone = !on_its_way_ && carriers_ < most_;
    if (next.alone) {
      on_its_way_ = true;
      ++carriers_;
    }
    return next;
  }

  template <std::size_t I, class Value>
  bool go_through(Value value, std::uint64_t number) {
    if (group_.canceled()) return false;
    auto& stage = std::get<I>(stages_);
    using result = std::invoke_result_t<decltype(stage.function), Value>;
    if constexpr (I + 1 == count) {
      return stage.call(number, [&] { std::invoke(stage.function, std::move(value)); });
    } else {
      std::optional<std::decay_t<result>> made;
      if (!stage.call(number, [&] { made.emplace(std::invoke(stage.function, std::move(value))); }))
        return false;
      return go_through<I + 1>(std::move(*made), number);
    }
  }

  const std::size_t most_;
  Source& source_;
  std::tuple<stage_at_work<Stages>...> stages_;
  mutex at_source_;  // for the fields below
  bool ended_ = false;
  bool on_its_way_ = true;
  std::size_t carriers_ = 1;
  std::uint64_t numbers_ = 0;
  task_group group_;
};

}  // namespace detail

/// A stage of a pipeline that works on several items at a time.
/// @param f  called with each item, from several workers at once
template <class F>
detail::stage<detail::stage_order::parallel, std::decay_t<F>> parallel(F&& f) {
  return {std::forward<F>(f)};
}

/// A stage of a pipeline that works on one item at a time, in any order.
/// @param f  called with each item, never twice at a time
template <class F>
detail::stage<detail::stage_order::serial, std::decay_t<F>> serial(F&& f) {
  return {std::forward<F>(f)};
}

/// A stage of a pipeline that works on one item at a time, in the order in which the source gave
/// them.
/// @param f  called with each item, never twice at a time
template <class F>
detail::stage<detail::stage_order::in_order, std::decay_t<F>> in_order(F&& f) {
  return {std::forward<F>(f)};
}

/// Takes items from the source, one at a time, and carries each through all stages in turn, until
/// the source has no more and all items are through.
///
/// Source and stages may wait for anything: a lock, a channel, a future, kasuri::blocking. An item
/// that waits for its turn suspends the task that carries it, not a worker.
/// @param max_in_flight  the most items on their way at a time, at least 1: it bounds memory. As
///                       many tasks carry them, each with a stack while it waits.
/// @param source         called without arguments, by one task at a time; returns std::optional,
///                       empty at the end
/// @param stages         made by kasuri::parallel, kasuri::serial or kasuri::in_order; each is
///                       called with what the one before returned, as an rvalue, and all but the
///                       last return a value, which is kept as an object
/// @throw the first exception of source or stages: items that are on their way are dropped where
///        they are, between two stages, and the pipeline ends. std::invalid_argument when
///        max_in_flight is 0; std::bad_alloc.
/// @par Cancellation: in a canceled task group the pipeline stops early: items that are not through
///      may be left out.
/// @par Thread-safety: any thread.
template <class Source, detail::stage_order... Orders, class... Functions>
void pipeline(std::size_t max_in_flight, Source&& source,
              detail::stage<Orders, Functions>... stages) {
  static_assert(sizeof...(stages) > 0, "a pipeline has a stage at least");
  if (max_in_flight == 0)
    detail::throw_invalid_argument("kasuri::pipeline: max_in_flight = 0; accepted: 1 or more");
  const detail::attachment guest;
  if constexpr (detail::pipeline_fits<std::remove_reference_t<Source>, Functions...>())
    detail::pipeline_run<std::remove_reference_t<Source>, detail::stage<Orders, Functions>...>(
        max_in_flight, source, stages...)
        .run();
}

/// Not with a function as it is.
template <class Source, class... Stages>
  requires(!(detail::is_stage<std::remove_cvref_t<Stages>> && ...))
void pipeline(std::size_t, Source&&, Stages&&...) {
  static_assert(detail::refused<Source>,
                "kasuri::pipeline: each stage is made by kasuri::parallel(f), serial(f) or "
                "in_order(f)");
}

}  // namespace kasuri
