// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Sorting of global views, unstable and stable: parallel merge sorts.

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>

#include "kasuri/detail/sort/radix.hpp"

#include "kasuri/global/algorithm/merge.hpp"
#include "kasuri/global/algorithm/scratch.hpp"

namespace kasuri::global {
namespace detail {

enum class order_of_equals { any, kept };

// Fewer numbers are sorted faster by comparisons.
inline constexpr std::size_t least_radix_size = 1024;

template <bool Descending, class T>
void sort_digits(T* v, std::size_t n) {
  using sorter = kasuri::detail::radix_sort<Descending, T>;
  const std::unique_ptr<T[]> room(new T[std::min(n, sorter::serial_size)]);
  sorter::sort(v, room.get(), n);
}

/// Numbers by their digits, where that is serial and fast; else false.
template <class T, class Compare>
bool sorted_by_digits(T* v, std::size_t n) {
  if constexpr (kasuri::detail::radix_key<T>) {
    if (n < least_radix_size || n > kasuri::detail::radix_sort<false, T>::serial_size) return false;
    if constexpr (kasuri::detail::compares_less<T, Compare>)
      return sort_digits<false>(v, n), true;
    else if constexpr (kasuri::detail::compares_greater<T, Compare>)
      return sort_digits<true>(v, n), true;
  }
  return false;
}

template <order_of_equals Equals, class T, class Compare>
void sort_span(T* v, std::size_t n, Compare& comp) {
  if (sorted_by_digits<T, Compare>(v, n)) return;
  if constexpr (Equals == order_of_equals::kept)
    std::stable_sort(v, v + n, comp);
  else
    std::sort(v, v + n, comp);
}

/// Sorts a leaf of `v`, to `away` where that is not empty.
template <order_of_equals Equals, class T, class Compare>
void sort_leaf(view<T> v, view<T> away, Compare& comp) {
  if (v.size() == 0) return;
  if (away.size() == 0) {
    const auto x = checkout(v, read_write);
    return sort_span<Equals>(x.begin(), x.size(), comp);
  }
  const auto [x, to] =
      checkout_all(request(v.begin(), v.size(), read), request(away.begin(), away.size(), write));
  std::copy(x.begin(), x.end(), to.begin());
  sort_span<Equals>(to.begin(), to.size(), comp);
}

/// Halves are sorted to the other one of the two views, and merged back: elements move once a
/// level.
template <order_of_equals Equals, class T, class Compare>
void sort_views(view<T> v, view<T> spare, bool to_spare, std::size_t leaf, Compare comp) {
  if (v.size() <= leaf) return sort_leaf<Equals>(v, to_spare ? spare : spare.subview(0, 0), comp);
  const std::size_t mid = middle(0, v.size(), leaf);
  const std::size_t rest = v.size() - mid;
  parallel_invoke(
      [=] { sort_views<Equals>(v.subview(0, mid), spare.subview(0, mid), !to_spare, leaf, comp); },
      [=] {
        sort_views<Equals>(v.subview(mid, rest), spare.subview(mid, rest), !to_spare, leaf, comp);
      });
  const view<T> from = to_spare ? v : spare;
  merge_views<T>(from.subview(0, mid), from.subview(mid, rest), to_spare ? spare : v, leaf, comp);
}

template <order_of_equals Equals, class T, class Compare>
void sort_by_merging(view<T> v, view<T> spare, Compare comp, policy p) {
  check_closures<Compare>();
  sort_views<Equals>(v, spare, false, leaf_for<T>(p), comp);
}

template <order_of_equals Equals, class T, class Compare>
void sort_by_merging(view<T> v, Compare comp, policy p) {
  if (v.size() <= leaf_for<T>(p)) return sort_by_merging<Equals>(v, v, comp, p);
  const scratch<T> room(v.size());
  sort_by_merging<Equals>(v, room.view(), comp, p);
}

}  // namespace detail

/// Sorts; equal elements may change places among themselves. Leaves of 1024 arithmetic values and
/// more, compared by std::less or std::greater, are sorted by their digits: NaNs then go where
/// their bits say. Each element moves once for each doubling of the leaf up to the size of `v`.
/// \param v      the elements
/// \param spare  as long, does not overlap; its elements are unspecified afterwards. Distribute it
///               as `v` is
/// \param comp   comp(x, y): whether x must stand before y; a strict weak order
/// \param p      see policy; a leaf is one checkout
/// \throws whatever comp throws; std::bad_alloc where there is no memory beside a leaf; what
///         checkout throws
template <class T, class Compare = std::less<>>
void sort(view<T> v, view<T> spare, Compare comp = {}, policy p = {}) {
  detail::sort_by_merging<detail::order_of_equals::any>(v, spare, comp, p);
}

/// The same with global memory at the calling process as spare, where `v` is longer than a leaf.
/// \throws as above; global::error where the global heap (KASURI_GLOBAL_HEAP) of the calling
///         process has no room for a copy of `v`
template <class T, class Compare = std::less<>>
void sort(view<T> v, Compare comp = {}, policy p = {}) {
  detail::sort_by_merging<detail::order_of_equals::any>(v, comp, p);
}

/// Sorts; equal elements keep their order. Else as sort.
template <class T, class Compare = std::less<>>
void stable_sort(view<T> v, view<T> spare, Compare comp = {}, policy p = {}) {
  detail::sort_by_merging<detail::order_of_equals::kept>(v, spare, comp, p);
}

/// The same with global memory at the calling process as spare, as sort.
template <class T, class Compare = std::less<>>
void stable_sort(view<T> v, Compare comp = {}, policy p = {}) {
  detail::sort_by_merging<detail::order_of_equals::kept>(v, comp, p);
}

}  // namespace kasuri::global
