// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Work that brings more work: a body for each item, which may add items.

#include "kasuri/detail/needs_cxx20.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

#include "kasuri/detail/loop/lazy_loop.hpp"
#include "kasuri/detail/refused.hpp"
#include "kasuri/parallel_for.hpp"
#include "kasuri/runtime.hpp"
#include "kasuri/task.hpp"

namespace kasuri {
namespace detail {

template <class T, class Body>
class fed_loop;

}  // namespace detail

/// What the body of a parallel_for_each adds items to. Lives as long as the call.
/// @tparam T  a movable type, aligned to 64 bytes at most
/// @par Thread-safety: all calls, from the body of an item and from what it waits for.
template <class T>
class feeder {
 public:
  feeder(const feeder&) = delete;
  feeder& operator=(const feeder&) = delete;

  /// The body is to be called with a copy of `item` too: once, in a task of its own, at any time
  /// before parallel_for_each returns.
  /// @throw std::bad_alloc, what the copy throws: the item is not added.
  void add(const T& item) { queue(item); }
  /// The same by a move.
  void add(T&& item) { queue(std::move(item)); }

  /// Asks the loop to end early: items that have not begun are left out, and canceled() is true
  /// from then on, as this_task::canceled() in the bodies is.
  void cancel() noexcept { group_.cancel(); }
  /// Whether it was cancelled: by cancel(), by an exception, or by a group around.
  bool canceled() const noexcept { return group_.canceled(); }

 private:
  template <class, class>
  friend class detail::fed_loop;

  using call_function = void (*)(feeder& more, T&& item);
  explicit feeder(call_function call) noexcept : call_(call) {}
  ~feeder() = default;

  template <class From>
  void queue(From&& item) {
    group_.run(
        [this, own = T(std::forward<From>(item))]() mutable { call_(*this, std::move(own)); });
  }

  const call_function call_;
  task_group group_;
};

namespace detail {

template <class Body, class Item, class T>
concept feedable = std::invocable<Body&, Item, feeder<T>&>;
template <class Body, class Item, class T>
concept body_of = std::invocable<Body&, Item> || feedable<Body, Item, T>;

/// One call of parallel_for_each.
template <class T, class Body>
class fed_loop final : public feeder<T> {
 public:
  explicit fed_loop(Body& body) noexcept : feeder<T>(&call_added), body_(body) {}

  template <class It, class End>
  void run(It first, End last) {
    this->group_.run([this, &first, &last] { begin(std::move(first), last); });
    this->group_.wait();
  }

 private:
  /// In a task of the group, so that its exceptions are those of an item.
  template <class It, class End>
  void begin(It first, const End& last) {
    if constexpr (std::random_access_iterator<It> && std::sized_sentinel_for<End, It>) {
      loop_each<cancellation::obeyed, waiting_bodies>(
          static_cast<std::size_t>(last - first), 0, [this, &first](std::size_t i) {
            if (!this->canceled()) call(first[static_cast<std::iter_difference_t<It>>(i)]);
          });
    } else {
      for (; first != last && !this->canceled(); ++first) {
        if constexpr (std::forward_iterator<It>)
          this->group_.run([this, first] { call(*first); });
        else
          this->add(T(*first));
      }
    }
  }

  template <class Item>
  void call(Item&& item) {
    if constexpr (feedable<Body, Item, T>)
      std::invoke(body_, std::forward<Item>(item), static_cast<feeder<T>&>(*this));
    else
      std::invoke(body_, std::forward<Item>(item));
  }

  static void call_added(feeder<T>& more, T&& item) {
    auto& self = static_cast<fed_loop&>(more);
    if constexpr (body_of<Body, T, T>)
      self.call(std::move(item));
    else
      self.call(item);
  }

  Body& body_;
};

}  // namespace detail

/// Calls body(item, more) for each item of [first, last) and for each that a body adds by
/// more.add(x). Returns when all are done.
///
/// No order among items is promised. Each item that a body adds is a task, so bodies may wait.
/// Items of random access iterators are shared in pieces like those of parallel_for, and begin one
/// behind the other in a piece: one that waits holds up the rest of its piece. So their bodies had
/// better not wait for each other, and where each waits long, add the items or take a task_group.
/// @param first, last  input iterators at least. Those of one pass are read by one task, and their
///                     items moved into the tasks; others stay where they are.
/// @param body  one object, called from several workers at once: body(item, kasuri::feeder<T>&), T
///              the iterators' value type, or body(item). An item of the range is what the iterator
///              refers to; an added one, or one of a single pass, is an rvalue, or an lvalue where
///              the body does not take that.
/// @throw the first exception of a body or of the iterators: items that have not begun are left
///        out. std::bad_alloc.
/// @par Cancellation: by more.cancel(), and in a canceled task group: items that have not begun are
///      left out.
/// @par Thread-safety: any thread; loops nest.
template <std::input_iterator It, std::sentinel_for<It> End, class Body>
void parallel_for_each(It first, End last, Body&& body) {
  using item = std::iter_value_t<It>;
  static_assert(detail::body_of<Body, std::iter_reference_t<It>, item> ||
                    detail::body_of<Body, item, item> || detail::body_of<Body, item&, item>,
                "the body is called as body(item) or body(item, kasuri::feeder<T>&) with T the "
                "value type of the iterators");
  using called = std::remove_reference_t<Body>&;
  static_assert(!detail::makes_coro<called, std::iter_reference_t<It>>() &&
                    !detail::makes_coro<called, std::iter_reference_t<It>, feeder<item>&>(),
                "kasuri::parallel_for_each: the body is a coroutine, which the loop would not run: "
                "call async(f(x)) in a function, and wait for the futures");
  const detail::attachment guest;
  detail::fed_loop<item, std::remove_reference_t<Body>>(body).run(std::move(first),
                                                                  std::move(last));
}

/// The same for a range.
template <std::ranges::input_range Range, class Body>
  requires(!detail::plain_loop<Range, Body>)
void parallel_for_each(Range&& range, Body&& body) {
  parallel_for_each(std::ranges::begin(range), std::ranges::end(range), body);
}

/// The same for items that are written out: `parallel_for_each({root}, body)`. T is their type: for
/// strings, `{std::string("root")}`.
template <class T, class Body>
void parallel_for_each(std::initializer_list<T> items, Body&& body) {
  parallel_for_each(std::ranges::subrange(items.begin(), items.end()), body);
}

}  // namespace kasuri
