// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Allocation of global memory inside tasks, of single objects and arrays at one rank. What is
/// allocated outlives the run, and lasts until it is given back or the program ends. Nothing is
/// constructed or destroyed.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>

#include "kasuri/global/detail/memory_face.hpp"
#include "kasuri/global/ptr.hpp"

namespace kasuri::global {

/// `n` elements, whose home is the process that the caller runs in. Their bytes are arbitrary. They
/// can be used, and given back, on all ranks. An object takes 16 bytes more, and with them is
/// rounded up to one of four sizes for each power of two: above 64 bytes by less than a quarter.
/// What is freed serves objects of the same rounded size again, and no others. No message.
/// @param n  elements, at most what the heap holds; 0 gives an address that is not null, too
/// @return the first, aligned to 16 bytes: an alignment above that does not compile
/// @throw error where the heap of this process (KASURI_GLOBAL_HEAP bytes) has no room
/// @par Thread-safety: any task; any thread of a program outside of tasks.
template <class T>
ptr<T> allocate(std::size_t n) {
  static_assert(alignof(T) <= 16, "global memory is aligned to 16 bytes");
  return ptr<T>::at(detail::allocate_bytes(detail::bytes_of<T>(n)));
}

/// Gives back what allocate<T>(n) returned, on any rank. Does nothing with null. Where the home is
/// another rank it is five trips there. Memory of a vector ends with the vector.
/// @param p  what allocate returned
/// @param n  as it was asked for
/// @throw error where p is not what allocate returned, or was given back before, or n is of another
///              rounded size; the object stays as it is then
/// @par Thread-safety: any task; any thread of a program outside of tasks; nobody else uses the
/// elements any more.
template <class T>
void deallocate(ptr<T> p, std::size_t n) {
  if (p) detail::deallocate_bytes(p.offset(), detail::bytes_of<T>(n));
}

/// The rank whose process is the home of the element: reading it there needs no network. Of an
/// element of a file_view that is each calling rank. No message.
/// @throw error where p is not in an allocation
/// @par Thread-safety: any thread.
template <class T>
int home_of(ptr<T> p) {
  return detail::home_of(p.offset());
}

}  // namespace kasuri::global
