// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Copies between global views.

#include "kasuri/detail/needs_cxx20.hpp"

#include "kasuri/global/algorithm/transform.hpp"

namespace kasuri::global {

/// Copies the elements of `in` to the same places of `out`.
/// \param in   the input
/// \param out  must be as long, and not overlap
/// \param p    see policy
template <class T>
void copy(view<T> in, view<T> out, policy p = {}) {
  transform(in, out, [](const T& x) { return x; }, p);
}

}  // namespace kasuri::global
