// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// How many elements of a global view fall into each of some buckets.

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kasuri/global/algorithm/fill.hpp"
#include "kasuri/global/algorithm/pieces_ahead.hpp"
#include "kasuri/global/algorithm/scratch.hpp"

namespace kasuri::global {
namespace detail {

inline constexpr std::size_t most_counters = 256;

/// Rows of counters: as many as share the elements evenly, while the rows are no more memory than
/// the elements are worth.
constexpr std::size_t rows_of_counters(std::size_t n, std::size_t leaf,
                                       std::size_t buckets) noexcept {
  const std::size_t worth = n / (4 * buckets);
  return std::clamp<std::size_t>(std::min(worth, leaves_of(n, leaf)), 1, most_counters);
}

/// Counts the elements [lo, hi) into `row`.
template <class T, class Bucket>
void count_into(view<T> v, std::size_t lo, std::size_t hi, std::size_t piece,
                view<std::uint64_t> row, Bucket& bucket) {
  std::vector<std::uint64_t> counts(row.size());
  pieces_ahead<T> next(hi, piece, v);
  each_piece(lo, hi, piece, [&](std::size_t at, std::size_t n) {
    const auto some = checkout(v.subview(at, n), read);
    next.begin(at + n);
    for (const T& x : some) {
      const auto b = static_cast<std::size_t>(bucket(x));
      if (b < counts.size()) ++counts[b];
    }
  });
  each_piece(0, row.size(), leaf_for<std::uint64_t>({}), [&](std::size_t at, std::size_t n) {
    const auto to = checkout(row.subview(at, n), write);
    std::copy_n(counts.data() + at, n, to.begin());
  });
}

/// Sums the counters [lo, hi) of all rows into `out`.
inline void add_rows(view<std::uint64_t> rows, view<std::uint64_t> out, std::size_t lo,
                     std::size_t hi) {
  std::vector<std::uint64_t> sums(hi - lo);
  begun_checkout<std::uint64_t, read_t> next;
  for (std::size_t row = 0; row < rows.size(); row += out.size()) {
    const auto from = checkout(rows.subview(row + lo, hi - lo), read);
    next = {};
    if (row + out.size() < rows.size())
      next = begin_checkout(rows.subview(row + out.size() + lo, hi - lo), read);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += from[i];
  }
  const auto to = checkout(out.subview(lo, hi - lo), write);
  std::copy(sums.begin(), sums.end(), to.begin());
}

}  // namespace detail

/// Element b of `out` becomes the number of elements x with bucket(x) == b; elements whose bucket
/// is not below out.size() are not counted. Takes up to 256 times the memory of `out`, though no
/// more than two bytes an element beyond one row, from the global heap of the calling process.
/// \param v       the elements
/// \param out     a counter for each bucket; a worker needs 8 bytes of memory for each
/// \param bucket  callable with a const reference to an element; returns an unsigned number; called
///                once for each element
/// \param p       see policy
/// \throws whatever bucket throws; std::bad_alloc; global::error where the global heap has no room
template <class T, class Bucket>
void histogram(view<T> v, view<std::uint64_t> out, Bucket bucket, policy p = {}) {
  detail::check_closures<Bucket>();
  const detail::grain g = detail::grain_for<T>(p);
  const std::size_t n = v.size();
  const std::size_t buckets = out.size();
  if (buckets == 0) return;
  if (n == 0) return fill(out, 0);
  const std::size_t count = detail::rows_of_counters(n, g.leaf, buckets);
  const detail::scratch<std::uint64_t> room(count * buckets);
  const view<std::uint64_t> rows = room.view();
  detail::each_leaf(0, count, 1, [=](std::size_t row, std::size_t) mutable {
    detail::count_into(v, n * row / count, n * (row + 1) / count, g.piece,
                       rows.subview(row * buckets, buckets), bucket);
  });
  detail::each_leaf(0, buckets, detail::leaf_for<std::uint64_t>({}),
                    [=](std::size_t lo, std::size_t hi) { detail::add_rows(rows, out, lo, hi); });
}

}  // namespace kasuri::global
