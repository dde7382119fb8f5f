// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Copies between global views.

#include "kasuri/detail/needs_cxx20.hpp"

#include <type_traits>

#include "kasuri/global/algorithm/transform.hpp"

namespace kasuri::global {

/// Copies the elements of `in` to the same places of `out`.
/// \param in   the input; its elements may be const, as those of a file
/// \param out  must be as long, and not overlap
/// \param p    see policy
/// \throws what checkout throws
template <class In, class T>
  requires(std::is_same_v<std::remove_const_t<In>, T>)
void copy(view<In> in, view<T> out, policy p = {}) {
  transform(in, out, [](const T& x) { return x; }, p);
}

}  // namespace kasuri::global
