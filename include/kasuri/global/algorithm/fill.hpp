// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// One value for all elements of a global view.

#include "kasuri/detail/needs_cxx20.hpp"

#include <type_traits>

#include "kasuri/global/algorithm/for_each.hpp"

namespace kasuri::global {

/// Assigns `value` to every element. Nothing is fetched.
/// \param v      the elements
/// \param value  copied to every task
/// \param p      see policy
/// \throws what checkout throws
template <class T>
void fill(view<T> v, const std::type_identity_t<T>& value, policy p = {}) {
  for_each(v, write, [value](T& x) { x = value; }, p);
}

}  // namespace kasuri::global
