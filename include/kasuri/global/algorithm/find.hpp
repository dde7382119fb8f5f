// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The first element of a global view with some property.

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/vector.hpp"

#include "kasuri/global/algorithm/pieces_ahead.hpp"
#include "kasuri/global/algorithm/policy.hpp"

namespace kasuri::global {
namespace detail {

inline constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

template <class T, class Predicate>
std::size_t find_in_leaf(view<T> v, std::size_t lo, std::size_t hi, std::size_t piece,
                         Predicate& is) {
  pieces_ahead<T> next(hi, piece, v);
  for (std::size_t at = lo; at < hi; at += piece) {
    const auto x = checkout(v.subview(at, std::min(piece, hi - at)), read);
    next.begin(at + x.size());
    const auto found = std::find_if(x.begin(), x.end(), is);
    if (found != x.end()) return at + static_cast<std::size_t>(found - x.begin());
  }
  return nowhere;
}

}  // namespace detail

/// The first element x for which is(x); v.end() where there is none. Searches the view from its
/// beginning in waves, each twice as long as the one before, so that what lies behind the element
/// is hardly looked at. While one piece of a leaf is searched the next is fetched, wanted or not.
/// \param v   the elements
/// \param is  callable with a const reference to an element; may be called for elements behind the
///            one that is found
/// \param p   see policy; the first wave is a leaf
/// \return the address of the element
/// \throws whatever is throws, and what checkout throws
template <class T, class Predicate>
ptr<T> find_if(view<T> v, Predicate is, policy p = {}) {
  detail::check_closures<Predicate>();
  const detail::grain g = detail::grain_for<T>(p);
  const auto leaf = [=](std::size_t lo, std::size_t hi) mutable {
    return detail::find_in_leaf(v, lo, hi, g.piece, is);
  };
  const auto first = [](std::size_t a, std::size_t b) { return std::min(a, b); };
  std::size_t wave = g.leaf;
  for (std::size_t lo = 0; lo < v.size();) {
    const std::size_t hi = lo + std::min(wave, v.size() - lo);
    const std::size_t at = detail::fold_leaves<std::size_t>(lo, hi, g.leaf, leaf, first);
    if (at != detail::nowhere) return v.begin() + at;
    lo = hi;
    wave *= 2;
  }
  return v.end();
}

/// The first element equal to `value`; v.end() where there is none. Else as find_if.
/// \param v      the elements
/// \param value  copied to every task; compared by ==
/// \param p      see policy
template <class T>
ptr<T> find(view<T> v, const std::type_identity_t<T>& value, policy p = {}) {
  return find_if(v, [value](const T& x) { return x == value; }, p);
}

}  // namespace kasuri::global
