// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Addresses in global memory, and ranges of elements there. They are values: any thread and task
/// may make, copy and store them, none of it is a message, and nothing is checked before a
/// checkout.

#include "kasuri/detail/needs_cxx20.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kasuri::global {

/// The address of an element of global memory: a plain value of 8 bytes, the same on all ranks,
/// that can be stored in global memory itself. It is not dereferenced: checkout, get and put do
/// that. Arithmetic is that of T*. T may be incomplete where nothing but the address is needed, so
/// that a node of a list or tree can hold ptrs to its own type. Elements are trivially copyable. An
/// address is good until its allocation ends, over any number of runs, and means nothing when the
/// program is started again. That of a member M m of an element p, where one is needed, is
/// ptr<M>::at(p.offset() + offsetof(T, m)).
template <class T>
class ptr {
 public:
  /// The type of the element.
  using element_type = T;

  /// Null.
  constexpr ptr() noexcept = default;
  /// Null.
  constexpr ptr(std::nullptr_t) noexcept {}
  /// From T to const T.
  template <class U>
    requires(std::is_same_v<T, const U>)
  constexpr ptr(ptr<U> p) noexcept : offset_(p.offset()) {}

  /// Made of what offset() returned, in any process of the job. Not checked.
  static constexpr ptr at(std::uint64_t offset) noexcept {
    check_element();
    ptr p;
    p.offset_ = offset;
    return p;
  }
  /// The place in the global address range, in bytes; 0 for null. It is what messages call the
  /// global address.
  constexpr std::uint64_t offset() const noexcept {
    check_element();
    return offset_;
  }

  /// Whether it is not null.
  constexpr explicit operator bool() const noexcept { return offset_ != 0; }

  /// Moves by `n` elements.
  constexpr ptr& operator+=(std::ptrdiff_t n) noexcept {
    offset_ += static_cast<std::uint64_t>(n) * sizeof(T);
    return *this;
  }
  /// Moves back by `n` elements.
  constexpr ptr& operator-=(std::ptrdiff_t n) noexcept { return *this += -n; }
  /// Moves to the next element.
  constexpr ptr& operator++() noexcept { return *this += 1; }
  /// Moves to the element before.
  constexpr ptr& operator--() noexcept { return *this += -1; }
  /// The address `n` elements behind `p`.
  friend constexpr ptr operator+(ptr p, std::ptrdiff_t n) noexcept { return p += n; }
  /// The address `n` elements before `p`.
  friend constexpr ptr operator-(ptr p, std::ptrdiff_t n) noexcept { return p -= n; }
  /// The number of elements from `b` to `a`, which lie in one array.
  friend constexpr std::ptrdiff_t operator-(ptr a, ptr b) noexcept {
    return static_cast<std::ptrdiff_t>(a.offset_ - b.offset_) /
           static_cast<std::ptrdiff_t>(sizeof(T));
  }
  /// Orders addresses; those of one array as their elements lie.
  friend constexpr auto operator<=>(ptr, ptr) noexcept = default;

 private:
  // Not of the class, which is there before its T is.
  static constexpr void check_element() noexcept {
    static_assert(
        std::is_trivially_copyable_v<T>,
        "elements in global memory move between processes as bytes: make the element type "
        "trivially copyable");
  }

  std::uint64_t offset_ = 0;
};

/// Elements of global memory that lie side by side: a plain value of 16 bytes, for closures to
/// capture. It owns nothing: the allocation must outlive its use. It is no range of C++: begin() is
/// a ptr, which is not dereferenced.
template <class T>
class view {
 public:
  /// The type of the elements.
  using element_type = T;
  /// The same without const.
  using value_type = std::remove_const_t<T>;

  /// No elements.
  constexpr view() noexcept = default;
  /// The `size` elements from `first` on.
  constexpr view(ptr<T> first, std::size_t size) noexcept : first_(first), size_(size) {}
  /// From elements T to const T.
  template <class U>
    requires(std::is_same_v<T, const U>)
  constexpr view(view<U> v) noexcept : first_(v.begin()), size_(v.size()) {}

  /// The address of the first element.
  constexpr ptr<T> begin() const noexcept { return first_; }
  /// The address behind the last element.
  constexpr ptr<T> end() const noexcept { return first_ + static_cast<std::ptrdiff_t>(size_); }
  /// The number of elements.
  constexpr std::size_t size() const noexcept { return size_; }
  /// Whether there is no element.
  constexpr bool empty() const noexcept { return size_ == 0; }

  /// Elements [lo, lo + n) of this view, which must have them: not checked.
  constexpr view subview(std::size_t lo, std::size_t n) const noexcept {
    return {first_ + static_cast<std::ptrdiff_t>(lo), n};
  }

 private:
  ptr<T> first_;
  std::size_t size_ = 0;
};

}  // namespace kasuri::global
