// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Atomic operations on elements of global memory: numbers of 4 or 8 bytes, integers and floating
/// point; and for loads, stores and exchanges any element of that size that is all value, as a
/// global::ptr. Elements of 1 and 2 bytes are refused at compile time: no network works on them.
///
/// From its first atomic operation on an element is read and written by these functions alone:
/// copies that checkouts make of its neighbourhood are not kept up. Elements beside it, of the same
/// word too, are free for everything. Writes before that, by put or a checkout, that are ordered
/// before it by forks and joins are seen. The operations are atomic with each other, where they are
/// made on the same element with the same size; they order nothing else.
///
/// The cost is counted in trips to the element's home and back, of which there are none where that
/// is here. One trip: atomic_load, atomic_store, exchange, compare_exchange; and fetch_add and
/// fetch_sub of integers. The others load, compute here and compare_exchange: one trip where the
/// element stays as it is, else two, and one more for each change by others that comes between.
///
/// All throw error where p is not in one allocation, or no multiple of the element's size (only
/// elements that are aligned to less than that can be there).
/// @par Thread-safety: any task; any thread of a program outside of tasks.

#include "kasuri/detail/needs_cxx20.hpp"

#include <bit>
#include <cstdint>
#include <type_traits>

#include "kasuri/global/detail/memory_face.hpp"
#include "kasuri/global/ptr.hpp"

namespace kasuri::global {

namespace detail {

template <class T>
constexpr void check_atomic() noexcept {
  static_assert(std::is_trivially_copyable_v<T>,
                "atomic operations on global memory take trivially copyable elements");
  static_assert(sizeof(T) == 4 || sizeof(T) == 8,
                "atomic operations on global memory take elements of 4 or 8 bytes: std::int32_t, "
                "std::uint64_t, float, double, global::ptr and the like");
  static_assert(std::is_floating_point_v<T> || std::has_unique_object_representations_v<T>,
                "atomic operations on global memory compare bytes: make the element one without "
                "padding");
}

template <class T>
constexpr void check_atomic_number() noexcept {
  check_atomic<T>();
  static_assert(std::is_arithmetic_v<T>,
                "this atomic operation on global memory takes integers, float and double: use "
                "compare_exchange for other elements");
}

template <class T>
constexpr void check_atomic_bits() noexcept {
  check_atomic<T>();
  static_assert(std::is_integral_v<T>, "this atomic operation on global memory takes integers");
}

template <class T>
using word_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
T apply_atomic(ptr<T> p, word_operation what, T value, T expected = T()) {
  using word = word_of<T>;
  return std::bit_cast<T>(static_cast<word>(word_apply(
      p.offset(), what, sizeof(T), std::bit_cast<word>(value), std::bit_cast<word>(expected))));
}

/// Makes next(element) of it; what it was before.
template <class T, class Next>
T update_atomic(ptr<T> p, Next next) {
  using word = word_of<T>;
  T before = apply_atomic<T>(p, word_operation::load, T());
  while (true) {
    const T after = next(before);
    if (std::bit_cast<word>(after) == std::bit_cast<word>(before)) return before;
    const T seen = apply_atomic<T>(p, word_operation::compare_swap, after, before);
    if (std::bit_cast<word>(seen) == std::bit_cast<word>(before)) return before;
    before = seen;
  }
}

}  // namespace detail

/// The element at `p`.
template <class T>
std::remove_const_t<T> atomic_load(ptr<T> p) {
  using value = std::remove_const_t<T>;
  detail::check_atomic<value>();
  return detail::apply_atomic<value>(ptr<value>::at(p.offset()), detail::word_operation::load,
                                     value());
}

/// Writes the element at `p`.
template <class T>
void atomic_store(ptr<T> p, std::type_identity_t<T> value) {
  detail::check_atomic<T>();
  detail::apply_atomic<T>(p, detail::word_operation::exchange, value);
}

/// Writes the element at `p`.
/// @return what it was before
template <class T>
T exchange(ptr<T> p, std::type_identity_t<T> value) {
  detail::check_atomic<T>();
  return detail::apply_atomic<T>(p, detail::word_operation::exchange, value);
}

/// Where the element has the bytes of `expected` it becomes `desired`; else `expected` becomes what
/// it is. As those of std::atomic it tells 0.0 from -0.0, and a NaN is equal to itself.
/// @return whether it had them
template <class T>
bool compare_exchange(ptr<T> p, std::type_identity_t<T>& expected,
                      std::type_identity_t<T> desired) {
  using word = detail::word_of<T>;
  detail::check_atomic<T>();
  const T before =
      detail::apply_atomic<T>(p, detail::word_operation::compare_swap, desired, expected);
  if (std::bit_cast<word>(before) == std::bit_cast<word>(expected)) return true;
  expected = before;
  return false;
}

/// Adds; integers wrap around, signed ones too.
/// @return what the element was before
template <class T>
T fetch_add(ptr<T> p, std::type_identity_t<T> value) {
  detail::check_atomic_number<T>();
  if constexpr (std::is_integral_v<T>)
    return detail::apply_atomic<T>(p, detail::word_operation::add, value);
  else
    return detail::update_atomic(p, [value](T before) { return before + value; });
}

/// Subtracts; integers wrap around, signed ones too.
/// @return what the element was before
template <class T>
T fetch_sub(ptr<T> p, std::type_identity_t<T> value) {
  detail::check_atomic_number<T>();
  if constexpr (std::is_integral_v<T>)
    return detail::apply_atomic<T>(
        p, detail::word_operation::add,
        static_cast<T>(detail::word_of<T>{0} - static_cast<detail::word_of<T>>(value)));
  else
    return detail::update_atomic(p, [value](T before) { return before - value; });
}

/// The element becomes `value` where that is less. What is not less, as a NaN, changes nothing.
/// @return what the element was before
template <class T>
T fetch_min(ptr<T> p, std::type_identity_t<T> value) {
  detail::check_atomic_number<T>();
  return detail::update_atomic(p, [value](T before) { return value < before ? value : before; });
}

/// The element becomes `value` where that is greater. What is not greater, as a NaN, changes
/// nothing.
/// @return what the element was before
template <class T>
T fetch_max(ptr<T> p, std::type_identity_t<T> value) {
  detail::check_atomic_number<T>();
  return detail::update_atomic(p, [value](T before) { return before < value ? value : before; });
}

/// Keeps the bits that `value` has, too.
/// @return what the element was before
template <class T>
T fetch_and(ptr<T> p, std::type_identity_t<T> value) {
  detail::check_atomic_bits<T>();
  return detail::update_atomic(p, [value](T before) { return static_cast<T>(before & value); });
}

/// Sets the bits that `value` has.
/// @return what the element was before
template <class T>
T fetch_or(ptr<T> p, std::type_identity_t<T> value) {
  detail::check_atomic_bits<T>();
  return detail::update_atomic(p, [value](T before) { return static_cast<T>(before | value); });
}

/// Changes the bits that `value` has.
/// @return what the element was before
template <class T>
T fetch_xor(ptr<T> p, std::type_identity_t<T> value) {
  detail::check_atomic_bits<T>();
  return detail::update_atomic(p, [value](T before) { return static_cast<T>(before ^ value); });
}

}  // namespace kasuri::global
