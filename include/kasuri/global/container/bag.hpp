// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// A bag over all ranks: tasks add elements at the same time, each at the rank that it runs on, as
/// many as there are; behind that all of them are walked over, or copied side by side.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kasuri/global/algorithm/copy.hpp"
#include "kasuri/global/algorithm/for_each.hpp"
#include "kasuri/global/algorithm/policy.hpp"
#include "kasuri/global/checkout.hpp"
#include "kasuri/global/detail/bag_parts.hpp"
#include "kasuri/global/detail/each_part.hpp"
#include "kasuri/global/ptr.hpp"
#include "kasuri/global/run.hpp"
#include "kasuri/global/vector.hpp"

namespace kasuri::global {

/// A bag as closures capture it: a plain value of 24 bytes.
///
/// add of any tasks may run at the same time; the others run behind joins that order all adds
/// before them, and do not run at the same time as add. Those do with each other, but for drain and
/// clear, and for for_each where it writes.
///
/// All throw error where nothing lies at the bag's addresses any more; where another array has got
/// them, an ended bag is not found out.
/// @par Thread-safety: any task of a run; add, size and clear also any thread outside of tasks.
template <class T>
class bag_view {
 public:
  /// The type of the elements.
  using value_type = T;

  /// No bag; nothing may be called.
  constexpr bag_view() noexcept = default;
  /// For bag.
  explicit constexpr bag_view(const detail::bag_parts& b) noexcept : parts_(b) {}

  /// Puts an element in, which lies at this rank from now on. No message; three atomic operations
  /// on words of this rank. Nobody waits for anybody.
  /// @throw error where the heap of this rank (KASURI_GLOBAL_HEAP) has no room for as many elements
  ///        again as there are; nothing has changed then
  void add(const T& element) const {
    put(ptr<T>::at(detail::place_in(parts_, sizeof(T))), element);
  }

  /// The elements. One trip to each rank.
  std::size_t size() const {
    std::size_t sum = 0;
    for (std::size_t part = 0; part != parts_.ranks; ++part) sum += detail::count_of(parts_, part);
    return sum;
  }

  /// Calls f(x) for every element x, in no order, by tasks on all ranks: at their homes as long as
  /// nobody steals them. Three trips to each rank; where elements are stolen, those of checkout.
  /// @param mode  global::read, write or read_write: how f uses them. With write it must assign
  ///              each
  /// @param f     callable with a reference to an element, to a const one under global::read. What
  ///              it returns is dropped. It may add to other bags
  /// @param p     see policy
  /// @throw what f throws, and what checkout throws; error outside of a run of several ranks
  template <class Mode, class F>
  void for_each(Mode mode, F f, policy p = {}) const {
    detail::check_closures<F>();
    each_chunk([mode, f, p](std::size_t, std::size_t, view<T> elements) {
      global::for_each(elements, mode, f, p);
    });
  }

  /// Calls f(x) for every element x as for_each does to read them, and then takes all out. Where f
  /// throws they stay.
  /// @param f  as in for_each
  /// @param p  see policy
  /// @throw as for_each
  template <class F>
  void drain(F f, policy p = {}) const {
    for_each(read, f, p);
    clear();
  }

  /// Takes all elements out. Their memory serves those that are added later, and goes with the bag.
  /// One trip to each rank.
  void clear() const { detail::empty(parts_); }

  /// Copies all elements to the first size() of `to`, in the order of ranks.
  /// @param to  must be as long, and not be of this bag
  /// @param p   see policy
  /// @throw what checkout throws; error outside of a run of several ranks
  void copy_to(view<T> to, policy p = {}) const {
    // Each chunk asks for the counts of the parts before its own: of P parts of c chunks c P^2 / 2
    // trips, but at the same time.
    each_chunk([to, p, parts = parts_](std::size_t part, std::size_t first, view<T> elements) {
      std::size_t before = 0;
      for (std::size_t i = 0; i != part; ++i) before += detail::count_of(parts, i);
      global::copy(elements, to.subview(before + first, elements.size()), p);
    });
  }

 private:
  /// Calls f(part, first, elements) for each chunk: the number of its first element in its part.
  template <class F>
  void each_chunk(F f) const {
    detail::each_part(
        parts_.begin, parts_.part_bytes, parts_.ranks, [parts = parts_, f](std::size_t part) {
          const std::size_t count = detail::count_of(parts, part);
          detail::each_leaf(0, detail::chunks_for(sizeof(T), count), 1,
                            [=](std::size_t which, std::size_t) {
                              const auto c = detail::chunk_of(parts, sizeof(T), part, which, count);
                              const view<T> elements(ptr<T>::at(c.at), c.count);
                              f(part, c.first, elements);
                            });
        });
  }

  detail::bag_parts parts_;
};

/// Elements in no order, over all ranks: as many as their heaps have room for. Constructed and
/// destroyed by all ranks, in the same order, outside of tasks; closures capture its view. It can
/// be moved, and not copied. A bag begins empty.
///
/// Elements are trivially copyable and aligned to at most 16. Memory: a block
/// (KASURI_GLOBAL_BLOCK) at each rank; and of each rank's heap (KASURI_GLOBAL_HEAP) up to twice
/// what its elements took when they were most, 4 KiB at least: in pieces of which each is twice as
/// large as the one before.
/// @par Thread-safety: one thread of each rank at a time in collective calls (constructor,
/// destructor, assignment); the other members any.
template <class T>
class bag {
  static_assert(std::is_trivially_copyable_v<T>,
                "elements of a global::bag move between processes as bytes: make them trivially "
                "copyable");
  static_assert(alignof(T) <= 16, "elements of a global::bag are aligned to 16 bytes at most");

 public:
  /// An empty bag.
  /// @throw error as the constructor of a vector
  bag() : parts_(detail::make_bag(sizeof(T))) {}
  /// Takes the elements over; `other` is no bag then.
  bag(bag&& other) noexcept : parts_(std::exchange(other.parts_, {})) {}
  /// Frees its own elements, as the destructor does, and takes those of `other` over.
  bag& operator=(bag&& other) noexcept {
    if (this != &other) {
      if (parts_.begin != 0) detail::end_bag(parts_, sizeof(T));
      parts_ = std::exchange(other.parts_, {});
    }
    return *this;
  }
  /// Collective: frees the elements. No task uses them any more.
  ~bag() {
    if (parts_.begin != 0) detail::end_bag(parts_, sizeof(T));
  }

  /// The bag as closures capture it.
  bag_view<T> view() const noexcept { return bag_view<T>(parts_); }

 private:
  detail::bag_parts parts_;
};

/// A vector of all elements of a bag, in the order of ranks, in equal parts at each: what tasks
/// have found, side by side, for the algorithms. The bag keeps its elements. Collective, outside of
/// tasks: two runs, and the making of a vector.
/// @throw what the constructor of a vector throws, and what checkout throws
template <class T>
vector<T> to_vector(const bag<T>& b) {
  const bag_view<T> from = b.view();
  vector<T> made(global::run([from] { return from.size(); }));
  global::run([from, to = made.view()] { from.copy_to(to); });
  return made;
}

}  // namespace kasuri::global
