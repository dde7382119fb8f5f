// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Elements computed from the elements of other global views.

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "kasuri/global/algorithm/for_each.hpp"

namespace kasuri::global {

/// Writes op(x) for every element x of `in` to the same place of `out`. Nothing of `out` is fetched
/// unless it is `in`.
/// \param in   the input
/// \param out  may be `in`; must be as long
/// \param op   callable with a const reference to an element
/// \param p    see policy
/// \throws whatever op throws, and what checkout throws
template <class T, class U, class Op>
void transform(view<T> in, view<U> out, Op op, policy p = {}) {
  detail::check_closures<Op>();
  if constexpr (std::is_same_v<T, U>) {
    if (in.begin() == out.begin())
      return for_each(out, [=](T& x) { x = op(static_cast<const T&>(x)); }, p);
  }
  const detail::grain g = detail::grain_for<T, U>(p);
  detail::each_leaf(0, in.size(), g.leaf, [=](std::size_t lo, std::size_t hi) {
    detail::pieces_ahead<T> next(hi, g.piece, in);
    detail::each_piece(lo, hi, g.piece, [&](std::size_t at, std::size_t n) {
      const auto [from, to] =
          checkout_all(request(in.begin() + at, n, read), request(out.begin() + at, n, write));
      next.begin(at + n);
      std::transform(from.begin(), from.end(), to.begin(), op);
    });
  });
}

/// Writes op(x, y) for the elements x and y at the same place of `a` and `b`.
/// \param a, b  the inputs, of the same length
/// \param out   neither of them; must be as long
/// \param op    callable with const references to an element of each
/// \param p     see policy
/// \throws whatever op throws, and what checkout throws
template <class T, class S, class U, class Op>
void transform(view<T> a, view<S> b, view<U> out, Op op, policy p = {}) {
  detail::check_closures<Op>();
  const detail::grain g = detail::grain_for<T, S, U>(p);
  detail::each_leaf(0, a.size(), g.leaf, [=](std::size_t lo, std::size_t hi) {
    detail::pieces_ahead<T, S> next(hi, g.piece, a, b);
    detail::each_piece(lo, hi, g.piece, [&](std::size_t at, std::size_t n) {
      const auto [x, y, to] =
          checkout_all(request(a.begin() + at, n, read), request(b.begin() + at, n, read),
                       request(out.begin() + at, n, write));
      next.begin(at + n);
      std::transform(x.begin(), x.end(), y.begin(), to.begin(), op);
    });
  });
}

}  // namespace kasuri::global
