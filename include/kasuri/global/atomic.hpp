// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Atomic operations on words of global memory. Each is a trip to the word's home, unless that is
/// here.
///
/// From its first atomic operation on a word is read and written by these functions alone: copies
/// that checkouts make of its neighbourhood are not kept up. Writes before that, by put or a
/// checkout, that are ordered before it by forks and joins are seen. The operations are atomic with
/// each other and order nothing else.
///
/// All throw error where p is not in one allocation. @par Thread-safety: any task.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstdint>

#include "kasuri/global/detail/memory_face.hpp"
#include "kasuri/global/ptr.hpp"

namespace kasuri::global {

/// Adds, and returns what the word was before.
inline std::uint64_t fetch_add(ptr<std::uint64_t> p, std::uint64_t value) {
  return detail::word_add(p.offset(), value);
}

/// Where the word is `expected` it becomes `desired`; else `expected` becomes what the word is.
/// @return whether it was
inline bool compare_exchange(ptr<std::uint64_t> p, std::uint64_t& expected, std::uint64_t desired) {
  const std::uint64_t before = detail::word_swap(p.offset(), expected, desired);
  if (before == expected) return true;
  expected = before;
  return false;
}

/// The word at `p`.
inline std::uint64_t atomic_load(ptr<std::uint64_t> p) { return detail::word_load(p.offset()); }

/// Writes the word at `p`.
inline void atomic_store(ptr<std::uint64_t> p, std::uint64_t value) {
  detail::word_store(p.offset(), value);
}

}  // namespace kasuri::global
