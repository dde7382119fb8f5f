// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// One call for each element of a global view.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>

#include "kasuri/global/checkout.hpp"
#include "kasuri/global/vector.hpp"

#include "kasuri/global/algorithm/pieces_ahead.hpp"
#include "kasuri/global/algorithm/policy.hpp"

namespace kasuri::global {

/// Calls f(x) for every element x, in order within a leaf. What it returns is dropped.
/// \param v     the elements
/// \param mode  global::read, write or read_write: how f uses them. With write it must assign each
/// \param f     callable with a reference to an element, to a const one under global::read
/// \param p     see policy
/// \throws whatever f throws, and what checkout throws
template <class T, class Mode, class F>
void for_each(view<T> v, Mode mode, F f, policy p = {}) {
  detail::check_closures<F>();
  const detail::grain g = detail::grain_for<T>(p);
  detail::each_leaf(0, v.size(), g.leaf, [=](std::size_t lo, std::size_t hi) {
    detail::pieces_ahead<T> next(Mode::mode == access::write ? 0 : hi, g.piece, v);
    detail::each_piece(lo, hi, g.piece, [&](std::size_t at, std::size_t n) {
      const auto piece = checkout(v.subview(at, n), mode);
      next.begin(at + n);
      for (auto& x : piece) f(x);
    });
  });
}

/// The same for elements that f reads and changes: all of them count as written.
template <class T, class F>
void for_each(view<T> v, F f, policy p = {}) {
  for_each(v, read_write, f, p);
}

}  // namespace kasuri::global
