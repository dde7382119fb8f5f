// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

#include "kasuri/algorithm/policy.hpp"
#include "kasuri/detail/algorithm/blocks.hpp"
#include "kasuri/range.hpp"

/// \file
/// The smallest and the greatest element. Of equal ones the first, as the standard library says;
/// minmax_element has the last of the greatest.

namespace kasuri {
namespace detail {

// Folds what leaf(begin, end) returns for each block, in order. Not for empty ranges.
template <class T, class Leaf, class Combine>
T fold_blocks(std::size_t size, std::size_t grain, Leaf&& leaf, Combine&& combine) {
  const blocks_of blocks(size, grain);
  if (blocks.count == 1) return leaf(std::size_t{0}, size);
  std::vector<T> of_block(blocks.count);
  blocks.each(
      [&](std::size_t k, std::size_t begin, std::size_t end) { of_block[k] = leaf(begin, end); });
  T all = of_block.front();
  for (std::size_t k = 1; k != blocks.count; ++k) all = combine(all, of_block[k]);
  return all;
}

}  // namespace detail

/// The first of the smallest elements of [first, last); last where there are none.
/// \param p            kasuri::par
/// \param first, last  where the elements lie
/// \param comp         comp(a, b) is true when a must stand before b
/// \throws whatever \p comp throws; std::bad_alloc
template <std::random_access_iterator It, class Compare = std::less<>>
It min_element(parallel_policy p, It first, It last, Compare comp = {}) {
  if (first == last) return last;
  return detail::fold_blocks<It>(
      detail::distance(first, last), p.grain,
      [&](std::size_t begin, std::size_t end) {
        return std::min_element(detail::advance(first, begin), detail::advance(first, end),
                                std::ref(comp));
      },
      [&](It a, It b) { return comp(*b, *a) ? b : a; });
}

/// The same for a range.
template <parallel_range R, class Compare = std::less<>, class Projection = std::identity>
std::ranges::borrowed_iterator_t<R> min_element(parallel_policy p, R&& range, Compare comp = {},
                                                Projection projection = {}) {
  return min_element(p, std::ranges::begin(range), detail::end_of(range),
                     detail::projected_pair(comp, projection));
}

/// The first of the greatest elements of [first, last); last where there are none.
template <std::random_access_iterator It, class Compare = std::less<>>
It max_element(parallel_policy p, It first, It last, Compare comp = {}) {
  return min_element(p, first, last, [&](const auto& a, const auto& b) { return comp(b, a); });
}

/// The same for a range.
template <parallel_range R, class Compare = std::less<>, class Projection = std::identity>
std::ranges::borrowed_iterator_t<R> max_element(parallel_policy p, R&& range, Compare comp = {},
                                                Projection projection = {}) {
  return max_element(p, std::ranges::begin(range), detail::end_of(range),
                     detail::projected_pair(comp, projection));
}

/// The first of the smallest and the last of the greatest elements; last twice where there are
/// none.
template <std::random_access_iterator It, class Compare = std::less<>>
std::pair<It, It> minmax_element(parallel_policy p, It first, It last, Compare comp = {}) {
  using both = std::pair<It, It>;
  if (first == last) return {last, last};
  return detail::fold_blocks<both>(
      detail::distance(first, last), p.grain,
      [&](std::size_t begin, std::size_t end) {
        return std::minmax_element(detail::advance(first, begin), detail::advance(first, end),
                                   std::ref(comp));
      },
      [&](const both& a, const both& b) {
        return both(comp(*b.first, *a.first) ? b.first : a.first,
                    comp(*b.second, *a.second) ? a.second : b.second);
      });
}

/// The same for a range.
template <parallel_range R, class Compare = std::less<>, class Projection = std::identity>
auto minmax_element(parallel_policy p, R&& range, Compare comp = {}, Projection projection = {}) {
  return minmax_element(p, std::ranges::begin(range), detail::end_of(range),
                        detail::projected_pair(comp, projection));
}

}  // namespace kasuri
