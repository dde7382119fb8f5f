// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The smallest and the greatest element of a global view.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <functional>
#include <type_traits>

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/vector.hpp"

#include "kasuri/global/algorithm/pieces_ahead.hpp"
#include "kasuri/global/algorithm/policy.hpp"

namespace kasuri::global {

/// The result of minmax_element.
template <class T>
struct minmax_places {
  ptr<T> min;  ///< the first of the smallest elements
  ptr<T> max;  ///< the last of the greatest elements
};

namespace detail {

template <class T>
struct placed_value {
  std::remove_const_t<T> value;
  std::size_t at;
};

template <class T>
struct extremes {
  placed_value<T> min;
  placed_value<T> max;
};

/// The element that comes before all others where before(x, y) says whether a later y replaces x.
template <class T, class Replaces>
ptr<T> best_element(view<T> v, Replaces replaces, policy p) {
  const grain g = grain_for<T>(p);
  using best = placed_value<T>;
  if (v.size() == 0) return v.end();
  const auto better = [=](const best& x, const best& y) {
    return replaces(x.value, y.value) ? y : x;
  };
  const auto leaf = [=](std::size_t lo, std::size_t hi) {
    pieces_ahead<T> next(hi, g.piece, v);
    next.begin(lo + 1);
    best found{get(v.begin() + lo), lo};
    each_piece(lo + 1, hi, g.piece, [&](std::size_t at, std::size_t n) {
      const auto x = checkout(v.subview(at, n), read);
      next.begin(at + n);
      for (std::size_t i = 0; i < n; ++i)
        if (replaces(found.value, x[i])) found = {x[i], at + i};
    });
    return found;
  };
  return v.begin() + fold_leaves<best>(0, v.size(), g.leaf, leaf, better).at;
}

template <class T, class Compare>
extremes<T> extremes_of_leaf(view<T> v, std::size_t lo, std::size_t hi, std::size_t piece,
                             Compare& comp) {
  pieces_ahead<T> next(hi, piece, v);
  next.begin(lo + 1);
  const placed_value<T> first{get(v.begin() + lo), lo};
  extremes<T> found{first, first};
  each_piece(lo + 1, hi, piece, [&](std::size_t at, std::size_t n) {
    const auto x = checkout(v.subview(at, n), read);
    next.begin(at + n);
    for (std::size_t i = 0; i < n; ++i) {
      if (comp(x[i], found.min.value)) found.min = {x[i], at + i};
      if (!comp(x[i], found.max.value)) found.max = {x[i], at + i};
    }
  });
  return found;
}

}  // namespace detail

/// The first of the smallest elements; v.end() where there are none.
/// \param v     the elements, of 760 bytes at most
/// \param comp  comp(a, b): whether a is smaller than b; a strict weak order
/// \param p     see policy
/// \return the address of the element
/// \throws whatever comp throws, and what checkout throws
template <class T, class Compare = std::less<>>
ptr<T> min_element(view<T> v, Compare comp = {}, policy p = {}) {
  detail::check_closures<Compare>();
  return detail::best_element(v, [=](const T& x, const T& y) { return comp(y, x); }, p);
}

/// The first of the greatest elements; else as min_element.
template <class T, class Compare = std::less<>>
ptr<T> max_element(view<T> v, Compare comp = {}, policy p = {}) {
  detail::check_closures<Compare>();
  return detail::best_element(v, [=](const T& x, const T& y) { return comp(x, y); }, p);
}

/// Both in one pass, as std::minmax_element: the first of the smallest, the last of the greatest.
/// Elements of 376 bytes at most; else as min_element.
template <class T, class Compare = std::less<>>
minmax_places<T> minmax_element(view<T> v, Compare comp = {}, policy p = {}) {
  detail::check_closures<Compare>();
  const detail::grain g = detail::grain_for<T>(p);
  using both = detail::extremes<T>;
  if (v.size() == 0) return {v.end(), v.end()};
  const auto leaf = [=](std::size_t lo, std::size_t hi) mutable {
    return detail::extremes_of_leaf(v, lo, hi, g.piece, comp);
  };
  const auto join = [=](const both& x, const both& y) {
    return both{comp(y.min.value, x.min.value) ? y.min : x.min,
                comp(y.max.value, x.max.value) ? x.max : y.max};
  };
  const both found = detail::fold_leaves<both>(0, v.size(), g.leaf, leaf, join);
  return {v.begin() + found.min.at, v.begin() + found.max.at};
}

}  // namespace kasuri::global
