// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <ranges>

#include "kasuri/detail/algorithm/first_where.hpp"
#include "kasuri/detail/sort/merge.hpp"
#include "kasuri/detail/sort/quick.hpp"
#include "kasuri/detail/sort/radix.hpp"
#include "kasuri/runtime.hpp"

/// \file
/// Parallel sorting, unstable and stable.
///
/// Both sorts share these rules:
/// - The comparator must be a strict weak order, and is called from several workers at once through
///   one object. One that is no strict weak order (NaN among numbers under operator<) yields some
///   order, but no access out of bounds and no endless loop.
/// - Elements may be move-only. The result is the same at any number of workers.
/// - A sort that has begun runs to its end also in a canceled task group.
/// - Arithmetic values of up to 64 bits in contiguous memory, from 1024 elements, compared by
///   std::less or std::greater (also std::ranges::), are sorted by their digits (radix sort) in
///   O(n) with a buffer of n elements. NaNs go where their bits say: to the ends.
/// - A range that is in order, or in strictly descending order, is found out in one pass.

namespace kasuri {
namespace detail {

// Fewer numbers are sorted faster by comparisons.
constexpr std::size_t least_radix_size = 1024;

// True when the range needed no more than a look: it is in order, or was reversed. What is in no
// order is found out after a few elements; what is takes as many workers as there are.
template <class It, class Compare>
bool sorted_by_reversal(It first, It last, Compare& comp) {
  if (last - first < 2) return true;
  const std::size_t pairs = static_cast<std::size_t>(last - first) - 1;
  const bool descends = comp(first[1], first[0]);
  const auto odd_pair = [&](std::size_t begin, std::size_t end) {
    for (; begin != end; ++begin) {
      const It at = advance(first, begin);
      if (comp(at[1], at[0]) != descends) break;
    }
    return begin;
  };
  // So few are sorted by one worker, and readings of the clock would be felt.
  constexpr std::size_t few_pairs = 64;
  const bool in_order =
      (pairs < few_pairs ? odd_pair(0, pairs) : first_where(pairs, 0, odd_pair)) == pairs;
  if (!in_order) return false;
  if (descends) {
    loop<cancellation::ignored>((pairs + 1) / 2, 0, [&](std::size_t begin, std::size_t end) {
      for (; begin != end; ++begin)
        std::iter_swap(advance(first, begin),
                       last - 1 - static_cast<std::iter_difference_t<It>>(begin));
    });
  }
  return true;
}

// A range that is long enough for tasks is sorted inside run(): a thread from outside then becomes
// a guest once, not for every phase.

// False when there is no memory for the buffer: the caller then sorts by comparisons.
template <bool Descending, class T>
bool sort_by_digits(T* v, std::size_t n) {
  const std::unique_ptr<std::byte[]> spare(new (std::nothrow) std::byte[n * sizeof(T)]);
  if (!spare) return false;
  T* const room = reinterpret_cast<T*>(spare.get());
  if (n > radix_sort<Descending, T>::serial_size)
    run([=] { radix_sort<Descending, T>::sort(v, room, n); });
  else
    radix_sort<Descending, T>::sort(v, room, n);
  return true;
}

template <class It, class Compare>
bool sorted_by_digits(It first, It last) {
  using value = std::iter_value_t<It>;
  if constexpr (std::contiguous_iterator<It> && radix_key<value>) {
    const auto n = static_cast<std::size_t>(last - first);
    if (n < least_radix_size) return false;
    if constexpr (compares_less<value, Compare>)
      return sort_by_digits<false>(std::to_address(first), n);
    else if constexpr (compares_greater<value, Compare>)
      return sort_by_digits<true>(std::to_address(first), n);
  }
  return false;
}

template <class It, class Compare>
void sort_unstable(It first, It last, Compare& comp) {
  if (sorted_by_reversal(first, last, comp)) return;
  if (sorted_by_digits<It, Compare>(first, last)) return;
  quicksort<It, Compare> sort(comp);
  if (last - first > serial_sort_size)
    run([&] { sort(first, last); });
  else
    sort(first, last);
}

template <class It, class Compare>
void sort_stable(It first, It last, Compare& comp) {
  if (sorted_by_reversal(first, last, comp)) return;
  if (sorted_by_digits<It, Compare>(first, last)) return;
  merge_sort<It, Compare> sort(comp);
  if (last - first > serial_sort_size)
    run([&] { sort(first, last); });
  else
    sort(first, last);
}

}  // namespace detail

/// Sorts [first, last); equal elements may change places among themselves.
///
/// In place but for numbers (see above): a parallel quicksort, O(n log n) comparisons also in the
/// worst case. If the comparator throws, the exception comes out and the elements are a permutation
/// of what they were.
///
/// \param first, last  random access iterators
/// \param comp         comp(a, b) is true when a must stand before b
/// \throws whatever the comparator or a swap throws; std::bad_alloc for some kilobytes of lists
template <std::random_access_iterator It, class Compare = std::less<>>
  requires std::sortable<It, Compare>
void parallel_sort(It first, It last, Compare comp = {}) {
  if (last - first < 2) return;  // without a call
  if constexpr (std::contiguous_iterator<It>)
    detail::sort_unstable(std::to_address(first), std::to_address(last), comp);
  else
    detail::sort_unstable(first, last, comp);
}

/// parallel_sort of a whole range.
template <std::ranges::random_access_range Range, class Compare = std::less<>>
  requires std::sortable<std::ranges::iterator_t<Range>, Compare>
void parallel_sort(Range&& range, Compare comp = {}) {
  const auto first = std::ranges::begin(range);
  parallel_sort(first, first + std::ranges::distance(range), comp);
}

/// Sorts [first, last); equal elements keep their order.
///
/// A parallel merge sort with a buffer of n elements, O(n log n) comparisons. If the comparator
/// throws, the exception comes out and the elements are a permutation of what they were; if a move
/// throws, all are alive but some may have lost their value.
///
/// \param first, last  random access iterators
/// \param comp         comp(a, b) is true when a must stand before b
/// \throws whatever the comparator or a move throws; std::bad_alloc when there is no room for the
///         buffer (the elements are then untouched)
template <std::random_access_iterator It, class Compare = std::less<>>
  requires std::sortable<It, Compare>
void parallel_stable_sort(It first, It last, Compare comp = {}) {
  if (last - first < 2) return;  // without a call
  if constexpr (std::contiguous_iterator<It>)
    detail::sort_stable(std::to_address(first), std::to_address(last), comp);
  else
    detail::sort_stable(first, last, comp);
}

/// parallel_stable_sort of a whole range.
template <std::ranges::random_access_range Range, class Compare = std::less<>>
  requires std::sortable<std::ranges::iterator_t<Range>, Compare>
void parallel_stable_sort(Range&& range, Compare comp = {}) {
  const auto first = std::ranges::begin(range);
  parallel_stable_sort(first, first + std::ranges::distance(range), comp);
}

}  // namespace kasuri
