// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// How the algorithms over global memory divide their work.
///
/// All of them share these rules:
/// - They are called inside global::run, by a task, and return when all is done; elsewhere they
///   stay in the calling process. They divide themselves by global::parallel_invoke into equal
///   halves, down to leaves of `cutoff` elements: under KASURI_SCHED=adws the same leaf then meets
///   the same rank each time.
/// - Closures and elements travel between processes: both must be trivially copyable. Closures are
///   copied to every task, are called by several workers at once and must not hold addresses of
///   objects outside global memory. What travels has some views and numbers in it, and a closure up
///   to twice, and 3584 bytes at most: closures of 1 KiB each fit. Partial results have 768 bytes
///   at most.
/// - Sizes and places are counted in elements. Views of any size, also of none. That two views are
///   as long as each other is not checked: a checkout behind the end of an allocation throws.
/// - The elements of inputs may be const, as those of a file; those of outputs are not.
/// - Results depend on the input, its size and the policy alone, never on the number of ranks or
///   workers.
/// - No checkout may be held by the caller over a call.
/// - Closures run while elements are checked out: they must not fork, join or call an algorithm.
/// - Views of one call must not overlap unless it is said that they may be the same.
/// - An exception from a closure comes out as of global::parallel_invoke; outputs are then
///   unspecified.
/// - They throw what checkout throws where the cache has no room for the pieces of all workers.
/// - A piece at another rank is one wait. Loops over several pieces begin to fetch the next while
///   they work on one. Apart from that, messages are those of the forks that are stolen.

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "kasuri/global/invoke.hpp"

namespace kasuri::global {

/// The grain of an algorithm; zeros let the library choose. A plain value of 16 bytes.
struct policy {
  /// Elements of a leaf, which one worker runs serially. 0: as many as a checkout takes.
  std::size_t cutoff = 0;
  /// Elements checked out at a time, of each view; a longer leaf works in pieces. 0: 64 KiB of
  /// them, of the largest elements, and one at least.
  std::size_t checkout = 0;
};

namespace detail {

inline constexpr std::size_t piece_bytes = std::size_t{64} * 1024;

/// A policy without zeros.
struct grain {
  std::size_t leaf;
  std::size_t piece;
};

/// For views of elements of these types.
template <class... T>
constexpr grain grain_for(policy p) noexcept {
  static_assert((std::is_trivially_copyable_v<T> && ...),
                "elements in global memory move between processes as bytes: make the element type "
                "trivially copyable");
  const std::size_t chosen = std::max<std::size_t>(piece_bytes / std::max({sizeof(T)...}), 1);
  const std::size_t piece = p.checkout != 0 ? p.checkout : chosen;
  const std::size_t leaf = p.cutoff != 0 ? p.cutoff : piece;
  return {leaf, std::min(leaf, piece)};
}

/// For algorithms whose leaf is one piece.
template <class... T>
constexpr std::size_t leaf_for(policy p) noexcept {
  return grain_for<T...>(p).piece;
}

template <class... F>
constexpr void check_closures() noexcept {
  static_assert((std::is_trivially_copyable_v<F> && ...),
                "closures travel between processes as bytes: capture trivially copyable values, "
                "global::ptr or global::view in place of addresses and containers");
}

constexpr std::size_t leaves_of(std::size_t n, std::size_t leaf) noexcept {
  return n / leaf + (n % leaf != 0 ? 1 : 0);
}

/// Where a range of more than one leaf is cut: near the middle, at a whole number of leaves from
/// lo.
constexpr std::size_t middle(std::size_t lo, std::size_t hi, std::size_t leaf) noexcept {
  return lo + leaves_of(hi - lo, leaf) / 2 * leaf;
}

/// Calls body(lo, hi) for leaves that cover [lo, hi).
template <class Body>
void each_leaf(std::size_t lo, std::size_t hi, std::size_t leaf, Body body) {
  if (lo >= hi) return;
  if (hi - lo <= leaf) return body(lo, hi);
  const std::size_t mid = middle(lo, hi, leaf);
  parallel_invoke([=] { each_leaf(lo, mid, leaf, body); }, [=] { each_leaf(mid, hi, leaf, body); });
}

/// Combines what body(lo, hi) returns for leaves that cover [lo, hi), in order. Not for empty
/// ranges.
template <class T, class Body, class Combine>
T fold_leaves(std::size_t lo, std::size_t hi, std::size_t leaf, Body body, Combine combine) {
  static_assert(std::is_trivially_copyable_v<T>,
                "partial results travel between processes as bytes: make the result type trivially "
                "copyable");
  if (hi - lo <= leaf) return body(lo, hi);
  const std::size_t mid = middle(lo, hi, leaf);
  const auto [first, second] =
      parallel_invoke([=] { return fold_leaves<T>(lo, mid, leaf, body, combine); },
                      [=] { return fold_leaves<T>(mid, hi, leaf, body, combine); });
  return combine(first, second);
}

/// Calls body(at, size) for consecutive pieces of [lo, hi).
template <class Body>
void each_piece(std::size_t lo, std::size_t hi, std::size_t piece, Body&& body) {
  for (std::size_t at = lo; at < hi; at += piece) body(at, std::min(piece, hi - at));
}

}  // namespace detail
}  // namespace kasuri::global
