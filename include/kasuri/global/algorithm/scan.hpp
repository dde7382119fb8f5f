// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Prefix sums of global views for any associative operation.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/vector.hpp"

#include "kasuri/global/algorithm/pieces_ahead.hpp"
#include "kasuri/global/algorithm/policy.hpp"
#include "kasuri/global/algorithm/scratch.hpp"

namespace kasuri::global {
namespace detail {

/// Replaces each of `sums` by the combination of init and those before it; returns that of all.
template <class U, class Op>
U prefixes(view<U> sums, U init, Op op) {
  const std::size_t piece = leaf_for<U>({});
  pieces_ahead<U> ahead(sums.size(), piece, sums);
  each_piece(0, sums.size(), piece, [&](std::size_t at, std::size_t n) {
    const auto some = checkout(sums.subview(at, n), read_write);
    ahead.begin(at + n);
    for (U& x : some) {
      U next = op(init, x);
      x = std::exchange(init, next);
    }
  });
  return init;
}

enum class scan { inclusive, exclusive };

/// One step; returns the prefix of the next element.
template <scan Kind, class U, class T, class Op>
U scan_step(U prefix, const T& x, U& out, Op& op) {
  U next = op(prefix, U(x));
  out = Kind == scan::inclusive ? next : prefix;
  return next;
}

template <scan Kind, class T, class U, class Op>
void scan_leaf(view<T> in, view<U> out, U prefix, Op op) {
  if constexpr (std::is_same_v<T, U>) {
    if (in.begin() == out.begin()) {
      for (U& x : checkout(out, read_write)) prefix = scan_step<Kind>(prefix, T(x), x, op);
      return;
    }
  }
  const auto [from, to] =
      checkout_all(request(in.begin(), in.size(), read), request(out.begin(), in.size(), write));
  for (std::size_t i = 0; i < from.size(); ++i)
    prefix = scan_step<Kind>(prefix, from[i], to[i], op);
}

template <class T, class U, class Op>
U sum_of_leaf(view<T> v, Op op) {
  const auto x = checkout(v, read);
  U sum = U(x[0]);
  for (std::size_t i = 1; i < x.size(); ++i) sum = op(sum, U(x[i]));
  return sum;
}

// Two passes over the leaves: their sums; then, with the prefix of each, their elements (Blelloch,
// "Prefix Sums and Their Applications", 1990). The sums lie in global memory between the two.
template <scan Kind, class T, class U, class Op>
U scan_view(view<T> in, view<U> out, U init, Op op, policy p) {
  check_closures<Op>();
  const std::size_t leaf = leaf_for<T, U>(p);
  const std::size_t n = in.size();
  if (n == 0) return init;
  const scratch<U> room(leaves_of(n, leaf));
  const view<U> sums = room.view();
  each_leaf(0, n, leaf, [=](std::size_t lo, std::size_t hi) {
    put(sums.begin() + lo / leaf, sum_of_leaf<T, U>(in.subview(lo, hi - lo), op));
  });
  const U total = prefixes(sums, init, op);
  each_leaf(0, n, leaf, [=](std::size_t lo, std::size_t hi) {
    scan_leaf<Kind>(in.subview(lo, hi - lo), out.subview(lo, hi - lo),
                    get(sums.begin() + lo / leaf), op);
  });
  return total;
}

}  // namespace detail

/// Element i of `out` becomes the combination of init and elements 0 to i of `in`. Each element is
/// read twice; the sums of leaves, one U each, take global memory at the calling process, which
/// combines them alone between the two passes.
/// \param in    the input
/// \param out   may be `in`; must be as long
/// \param init  stands before the first element
/// \param op    op(U, U) -> U, associative; needs not be commutative
/// \param p     see policy; a leaf is one checkout
/// \return the combination of init and all elements
/// \throws whatever op throws; global::error where the global heap (KASURI_GLOBAL_HEAP) of the
///         calling process has no room; what checkout throws
template <class T, class U, class Op = std::plus<>>
U inclusive_scan(view<T> in, view<U> out, std::type_identity_t<U> init = {}, Op op = {},
                 policy p = {}) {
  return detail::scan_view<detail::scan::inclusive>(in, out, init, op, p);
}

/// Element i of `out` becomes the combination of init and elements 0 to i - 1 of `in`; else as
/// inclusive_scan.
template <class T, class U, class Op = std::plus<>>
U exclusive_scan(view<T> in, view<U> out, std::type_identity_t<U> init = {}, Op op = {},
                 policy p = {}) {
  return detail::scan_view<detail::scan::exclusive>(in, out, init, op, p);
}

}  // namespace kasuri::global
