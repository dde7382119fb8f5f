// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// combinable: an object for each thread that runs tasks, to be combined at the end.

// Elements lie in a table by slot (this_task::slot). Only the task that holds a slot writes its
// cell, so it needs no locked instruction; parts of the table and elements are made when they are
// first asked for, because there are far more slots than threads that usually run. Threads outside
// of tasks have no slot: theirs are in a list behind a lock.

#include "kasuri/detail/needs_cxx20.hpp"

#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "kasuri/detail/most_slots.hpp"
#include "kasuri/task.hpp"

namespace [[gnu::visibility("default")]] kasuri {

/// An object of type T for each thread that runs tasks, made when it is first asked for: "a buffer
/// of my own, then merge". Elements stay where they are until clear() or the end of the combinable.
///
/// A task has the element to itself from local() to its next call that can block (see
/// this_task::slot). Behind such a call the task asks anew: it may have another element, and other
/// tasks may have used the first meanwhile. So an element is at any such point in a state that
/// another task may go on with; and combine finds what any task has added to any element.
///
/// local() is for tasks and threads at the same time; combine, combine_each and clear are for one
/// thread, when the tasks that use elements have ended. Each thread that is in no task has an
/// element, too.
template <class T>
class combinable {
 public:
  /// Elements begin as T().
  combinable()
    requires std::default_initializable<T>
      : make_([] { return T(); }) {}

  /// Elements begin as what `make` returns.
  /// @param make  callable without arguments, by several threads at once; copied.
  template <class Make>
    requires std::convertible_to<std::invoke_result_t<Make&>, T> &&
             (!std::same_as<std::remove_cvref_t<Make>, combinable>)
  explicit combinable(Make make) : make_(std::move(make)) {}

  combinable(const combinable&) = delete;
  combinable& operator=(const combinable&) = delete;
  ~combinable() {
    clear();
    for (std::atomic<part*>& p : parts_) delete p.load(std::memory_order_relaxed);
  }

  /// The caller's element; made if there is none.
  /// @throw std::bad_alloc, or what `make` throws: there is no element then.
  /// @par Thread-safety: any thread. Costs a call and some loads inside of tasks, a lock outside.
  T& local() {
    bool exists;
    return local(exists);
  }

  /// The same.
  /// @param exists  receives whether there was one.
  T& local(bool& exists) {
    exists = true;
    const int slot = this_task::slot();
    if (slot < 0) return outside(exists);
    // relaxed: this task has written it, or a task that held the slot before and gave it to this
    // one
    if (element* const e = cell(slot).load(std::memory_order_relaxed)) return e->value;
    return make_here(exists);
  }

  /// op(op(a, b), c), and so on, over copies of all elements, in no particular order; a new
  /// element's value when there are none.
  /// @param op  called with two values of T, returns one; associative and commutative.
  /// @throw what op, `make` or the copy throws.
  /// @par Thread-safety: one thread, while nobody uses local().
  template <class Op>
  T combine(Op op) const {
    std::optional<T> sum;
    visit([&](const T& value) {
      if (!sum.has_value()) {
        sum.emplace(value);
      } else {
        T next = op(std::move(*sum), value);
        sum.emplace(std::move(next));
      }
    });
    return sum.has_value() ? std::move(*sum) : T(make_());
  }

  /// Calls f(element), a T&, for each, in no particular order.
  /// @throw what f throws; the rest is not visited then.
  /// @par Thread-safety: one thread, while nobody uses local().
  template <class F>
  void combine_each(F f) {
    visit([&f](T& value) { f(value); });
  }

  /// Destroys all elements.
  /// @par Thread-safety: one thread, while nobody uses local().
  void clear() noexcept {
    for (std::atomic<part*>& p : parts_)
      if (part* const cells = p.load(std::memory_order_relaxed))
        for (std::atomic<element*>& c : cells->cells)
          delete c.exchange(nullptr, std::memory_order_relaxed);
    while (outside_ != nullptr) delete std::exchange(outside_, outside_->next);
  }

 private:
  // On cache lines of its own: neighbours are written by other threads.
  struct alignas(64) element {
    explicit element(const std::function<T()>& make) : value(make()) {}
    T value;
  };
  static constexpr int cells_of_part = 64;
  struct part {
    std::atomic<element*> cells[cells_of_part] = {};
  };
  struct outside_element {
    outside_element(std::thread::id id, outside_element* n, const std::function<T()>& make)
        : next(n), who(id), value(make()) {}
    outside_element* next;
    std::thread::id who;
    T value;
  };

  std::atomic<element*>& cell(int slot) {
    std::atomic<part*>& at = parts_[slot / cells_of_part];
    // acquire: pairs with the release below
    part* p = at.load(std::memory_order_acquire);
    if (p == nullptr) {
      auto fresh = std::make_unique<part>();
      // release: pairs with the acquire above; acquire: pairs with the release of the thread that
      // was first
      if (at.compare_exchange_strong(p, fresh.get(), std::memory_order_acq_rel,
                                     std::memory_order_acquire))
        p = fresh.release();
    }
    return p->cells[slot % cells_of_part];
  }

  [[gnu::noinline]] T& make_here(bool& exists) {
    auto fresh = std::make_unique<element>(make_);
    // It may have blocked: the slot may be another now, and another task may have made the element
    // of this one.
    std::atomic<element*>& at = cell(this_task::slot());
    if (element* const e = at.load(std::memory_order_relaxed)) return e->value;
    exists = false;
    // release: pairs with the acquire in visit
    at.store(fresh.get(), std::memory_order_release);
    return fresh.release()->value;
  }

  T& outside(bool& exists) {
    const std::thread::id me = std::this_thread::get_id();
    {
      const std::lock_guard hold(lock_);
      for (outside_element* e = outside_; e != nullptr; e = e->next)
        if (e->who == me) return e->value;
    }
    exists = false;
    // Not under the lock: the factory may call anything.
    auto fresh = std::make_unique<outside_element>(me, nullptr, make_);
    const std::lock_guard hold(lock_);
    fresh->next = outside_;
    outside_ = fresh.release();
    return outside_->value;
  }

  template <class See>
  void visit(See see) const {
    for (const std::atomic<part*>& p : parts_) {
      // acquire: pairs with the release in cell
      part* const cells = p.load(std::memory_order_acquire);
      if (cells == nullptr) continue;
      for (std::atomic<element*>& c : cells->cells)
        // acquire: pairs with the release in make_here
        if (element* const e = c.load(std::memory_order_acquire)) see(e->value);
    }
    for (outside_element* e = outside_; e != nullptr; e = e->next) see(e->value);
  }

  static_assert(detail::most_slots % cells_of_part == 0);
  std::atomic<part*> parts_[detail::most_slots / cells_of_part] = {};
  std::function<T()> make_;
  std::mutex lock_;
  outside_element* outside_ = nullptr;  // under lock_
};

}  // namespace kasuri
