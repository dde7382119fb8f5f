// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Copies between global views.

#include "kasuri/detail/needs_cxx20.hpp"

#include "kasuri/global/algorithm/transform.hpp"

namespace kasuri::global {

/// Copies the elements of `in` to the same places of `out`. From a view of const elements, as that
/// of a file, transform copies.
/// \param in   the input
/// \param out  must be as long, and not overlap
/// \param p    see policy
/// \throws what checkout throws
template <class T>
void copy(view<T> in, view<T> out, policy p = {}) {
  transform(in, out, [](const T& x) { return x; }, p);
}

}  // namespace kasuri::global
