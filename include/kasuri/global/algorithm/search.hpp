// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Binary searches of sorted global views. Where an element has to be fetched, both that may be
/// looked at behind it are fetched in the same trip: two steps of the search for one wait.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <functional>
#include <type_traits>

#include "kasuri/global/begin_checkout.hpp"
#include "kasuri/global/vector.hpp"

namespace kasuri::global {
namespace detail {

/// The least i of [lo, hi) for which goes_on(i) is false; hi where there is none. From there on it
/// is false for all.
/// \param begin    begin(i) begins to check out what goes_on(i) looks at, and returns what
///                 begin_checkout returns
/// \param goes_on  called once a step
template <class Begin, class GoesOn>
std::size_t first_past(std::size_t lo, std::size_t hi, Begin begin, GoesOn goes_on) {
  const auto middle = [](std::size_t from, std::size_t to) { return from + (to - from) / 2; };
  while (lo < hi) {
    const std::size_t mid = middle(lo, hi);
    decltype(begin(mid)) here = begin(mid), below, above;
    if (here.under_way()) {
      if (lo < mid) below = begin(middle(lo, mid));
      if (mid + 1 < hi) above = begin(middle(mid + 1, hi));
    }
    if (goes_on(mid))
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

template <class T, class GoesOn>
ptr<T> first_past(view<T> v, GoesOn goes_on) {
  return v.begin() + first_past(
                         0, v.size(),
                         [=](std::size_t i) { return begin_checkout(v.begin() + i, 1, read); },
                         [&](std::size_t i) { return goes_on(get(v.begin() + i)); });
}

}  // namespace detail

/// The first element that is not before `value`; v.end() where there is none. Runs in the calling
/// task: log2 of the elements steps, and half as many waits where they are on other hosts, as far
/// as their blocks are not here already.
/// \param v      in order by comp, which is not checked
/// \param value  what is looked for
/// \param comp   comp(x, y): whether x stands before y; a strict weak order; need not travel
/// \return the address of the element
/// \throws whatever comp throws, and what checkout throws
template <class T, class Compare = std::less<>>
ptr<T> lower_bound(view<T> v, const std::type_identity_t<T>& value, Compare comp = {}) {
  return detail::first_past(v, [&](const T& x) { return comp(x, value); });
}

/// The first element that `value` is before; v.end() where there is none. Else as lower_bound.
template <class T, class Compare = std::less<>>
ptr<T> upper_bound(view<T> v, const std::type_identity_t<T>& value, Compare comp = {}) {
  return detail::first_past(v, [&](const T& x) { return !comp(value, x); });
}

}  // namespace kasuri::global
