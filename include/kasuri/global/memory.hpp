// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Allocation of global memory inside tasks.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>

#include "kasuri/global/detail/memory_face.hpp"
#include "kasuri/global/ptr.hpp"

namespace kasuri::global {

/// `n` elements, whose home is the process that the caller runs in. Their bytes are arbitrary. They
/// can be used, and given back, on all ranks.
/// @throw error where the heap of this process (KASURI_GLOBAL_HEAP) has no room
/// @par Thread-safety: any task.
template <class T>
ptr<T> allocate(std::size_t n) {
  static_assert(alignof(T) <= 16, "global memory is aligned to 16 bytes");
  return ptr<T>::at(detail::allocate_bytes(detail::bytes_of<T>(n)));
}

/// Gives back what allocate<T>(n) returned, on any rank. Does nothing with null.
/// @throw error where p is not what allocate returned, or was given back before
/// @par Thread-safety: any task; nobody else uses the elements any more.
template <class T>
void deallocate(ptr<T> p, std::size_t n) {
  if (p) detail::deallocate_bytes(p.offset(), detail::bytes_of<T>(n));
}

/// The rank whose process is the home of the element: reading it there needs no network.
template <class T>
int home_of(ptr<T> p) {
  return detail::home_of(p.offset());
}

}  // namespace kasuri::global
