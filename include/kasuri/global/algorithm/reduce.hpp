// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Reductions of global views, with a fixed tree: the same result, to the last bit, on any number
/// of ranks and workers.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <functional>

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/vector.hpp"

#include "kasuri/global/algorithm/pieces_ahead.hpp"
#include "kasuri/global/algorithm/policy.hpp"

namespace kasuri::global {

/// combine(init, combine of map(x) over all elements x): leaves are folded from the left, beginning
/// with their first element; then neighbours pairwise.
/// \param v        the elements
/// \param init     comes first; the result where there are no elements; of 768 bytes at most
/// \param combine  combine(U, U) -> U, associative; needs not be commutative
/// \param map      callable with a const reference to an element; returns what converts to U
/// \param p        see policy: the cut-off is part of the order of operations
/// \return the combination, in the calling task
/// \throws whatever the two callables throw, and what checkout throws
template <class T, class U, class Combine, class Map>
U transform_reduce(view<T> v, U init, Combine combine, Map map, policy p = {}) {
  detail::check_closures<Combine, Map>();
  const detail::grain g = detail::grain_for<T>(p);
  if (v.size() == 0) return init;
  const auto leaf = [=](std::size_t lo, std::size_t hi) {
    detail::pieces_ahead<T> next(hi, g.piece, v);
    next.begin(lo + 1);
    U sum = map(get(v.begin() + lo));
    detail::each_piece(lo + 1, hi, g.piece, [&](std::size_t at, std::size_t n) {
      const auto piece = checkout(v.subview(at, n), read);
      next.begin(at + n);
      for (const T& x : piece) sum = combine(sum, U(map(x)));
    });
    return sum;
  };
  return combine(init, detail::fold_leaves<U>(0, v.size(), g.leaf, leaf, combine));
}

/// The same over pairs of elements at the same places of two views of one length: the inner product
/// with std::plus and std::multiplies. `b` is as long as `a`, which is not checked.
template <class T, class S, class U, class Combine, class Map>
U transform_reduce(view<T> a, view<S> b, U init, Combine combine, Map map, policy p = {}) {
  detail::check_closures<Combine, Map>();
  const detail::grain g = detail::grain_for<T, S>(p);
  if (a.size() == 0) return init;
  const auto leaf = [=](std::size_t lo, std::size_t hi) {
    detail::pieces_ahead<T, S> next(hi, g.piece, a, b);
    next.begin(lo + 1);
    U sum = map(get(a.begin() + lo), get(b.begin() + lo));
    detail::each_piece(lo + 1, hi, g.piece, [&](std::size_t at, std::size_t n) {
      const auto [x, y] =
          checkout_all(request(a.begin() + at, n, read), request(b.begin() + at, n, read));
      next.begin(at + n);
      for (std::size_t i = 0; i < n; ++i) sum = combine(sum, U(map(x[i], y[i])));
    });
    return sum;
  };
  return combine(init, detail::fold_leaves<U>(0, a.size(), g.leaf, leaf, combine));
}

/// combine(init, combine of all elements).
/// \param v        the elements
/// \param init     comes first; the result where there are no elements
/// \param combine  combine(U, U) -> U, associative; needs not be commutative
/// \param p        see policy
/// \return the combination, in the calling task
/// \throws whatever combine throws, and what checkout throws
template <class T, class U, class Combine = std::plus<>>
U reduce(view<T> v, U init, Combine combine = {}, policy p = {}) {
  return transform_reduce(v, init, combine, [](const T& x) { return static_cast<U>(x); }, p);
}

}  // namespace kasuri::global
