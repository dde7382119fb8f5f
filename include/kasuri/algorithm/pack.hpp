// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <utility>
#include <vector>

#include "kasuri/algorithm/policy.hpp"
#include "kasuri/detail/algorithm/blocks.hpp"
#include "kasuri/range.hpp"

/// \file
/// Algorithms that take some elements out of a range and leave no gaps: O(n) in two passes. Those
/// in place need some kilobytes of memory, the others a byte for each element.

namespace kasuri {
namespace detail {

// Writes the elements that are chosen to `out`. chosen(i) is asked once for each index.
template <class It, class Out, class Chosen>
Out pack_to(parallel_policy p, It first, std::size_t size, Out out, Chosen&& chosen) {
  const blocks_of blocks(size, p.grain);
  const auto flags = std::make_unique_for_overwrite<bool[]>(size);
  std::vector<std::size_t> counts(blocks.count);
  blocks.each([&](std::size_t k, std::size_t begin, std::size_t end) {
    std::size_t n = 0;
    for (std::size_t i = begin; i != end; ++i) n += flags[i] = static_cast<bool>(chosen(i));
    counts[k] = n;
  });
  const std::size_t all = to_offsets(counts);
  blocks.each([&](std::size_t k, std::size_t begin, std::size_t end) {
    Out to = advance(out, counts[k]);
    It from = advance(first, begin);
    for (std::size_t i = begin; i != end; ++i, ++from)
      if (flags[i]) *to++ = *from;
  });
  return advance(out, all);
}

}  // namespace detail

/// Copies each x of [first, last) with is(x) to \p out, in order. Returns the end of the output.
/// \param p            kasuri::par
/// \param first, last  where the elements lie
/// \param out          has room for the elements that are copied
/// \param is           called once for each element
/// \throws whatever \p is or a copy throws; std::bad_alloc
template <std::random_access_iterator In, std::random_access_iterator Out, class Predicate>
Out copy_if(parallel_policy p, In first, In last, Out out, Predicate is) {
  return detail::pack_to(p, first, detail::distance(first, last), out, [&](std::size_t i) {
    return std::invoke(is, *detail::advance(first, i));
  });
}

/// The same for a range, of is(projection(x)).
template <parallel_range R, std::random_access_iterator Out, class Predicate,
          class Projection = std::identity>
Out copy_if(parallel_policy p, R&& range, Out out, Predicate is, Projection projection = {}) {
  return copy_if(p, std::ranges::begin(range), detail::end_of(range), out,
                 detail::projected(is, projection));
}

/// Copies each x of [first, last) without is(x) to \p out, in order. Returns the end of the output.
template <std::random_access_iterator In, std::random_access_iterator Out, class Predicate>
Out remove_copy_if(parallel_policy p, In first, In last, Out out, Predicate is) {
  return copy_if(p, first, last, out, [&](const auto& x) { return !std::invoke(is, x); });
}

/// Copies [first, last) to \p out, of elements in a row that are equal, by is(x, y), the first
/// only.
template <std::random_access_iterator In, std::random_access_iterator Out,
          class Predicate = std::equal_to<>>
Out unique_copy(parallel_policy p, In first, In last, Out out, Predicate is = {}) {
  return detail::pack_to(p, first, detail::distance(first, last), out, [&](std::size_t i) {
    return i == 0 || !is(*detail::advance(first, i - 1), *detail::advance(first, i));
  });
}

/// Takes each x with is(x) out of [first, last): the others move to its beginning, in order.
/// Returns their end; what lies behind is left in a state that can be assigned to.
/// \param p            kasuri::par
/// \param first, last  where the elements lie
/// \param is           called once for each element
/// \throws whatever \p is or a move throws; std::bad_alloc
template <std::random_access_iterator It, class Predicate>
It remove_if(parallel_policy p, It first, It last, Predicate is) {
  const detail::blocks_of blocks(detail::distance(first, last), p.grain);
  std::vector<detail::kept_part> kept(blocks.count);
  blocks.each([&](std::size_t k, std::size_t begin, std::size_t end) {
    const It from = detail::advance(first, begin);
    const It stop = std::remove_if(from, detail::advance(first, end), std::ref(is));
    kept[k] = {begin, begin + detail::distance(from, stop)};
  });
  return detail::advance(first, detail::close_gaps(first, kept));
}

/// The same for a range, of is(projection(x)).
template <parallel_range R, class Predicate, class Projection = std::identity>
std::ranges::borrowed_iterator_t<R> remove_if(parallel_policy p, R&& range, Predicate is,
                                              Projection projection = {}) {
  return remove_if(p, std::ranges::begin(range), detail::end_of(range),
                   detail::projected(is, projection));
}

/// Takes what equals value out of [first, last), as remove_if.
template <std::random_access_iterator It, class T>
It remove(parallel_policy p, It first, It last, const T& value) {
  return remove_if(p, first, last, [&](const auto& x) { return x == value; });
}

/// Of elements in a row that are equal, by is(x, y), only the first stays. Returns the end of those
/// that stay, as remove_if.
/// \param p            kasuri::par
/// \param first, last  where the elements lie
/// \param is           an equivalence
template <std::random_access_iterator It, class Predicate = std::equal_to<>>
It unique(parallel_policy p, It first, It last, Predicate is = {}) {
  const detail::blocks_of blocks(detail::distance(first, last), p.grain);
  if (blocks.size == 0) return last;
  std::vector<detail::kept_part> kept(blocks.count);
  // What begins a block goes if it equals what ends the one before, while that still stands there.
  for (std::size_t k = 0; k != blocks.count; ++k) {
    const It at = detail::advance(first, blocks.begin(k));
    kept[k].begin = blocks.begin(k) + (k != 0 && is(*(at - 1), *at) ? 1 : 0);
  }
  blocks.each([&](std::size_t k, std::size_t begin, std::size_t end) {
    const It from = detail::advance(first, begin);
    const It stop = std::unique(from, detail::advance(first, end), std::ref(is));
    kept[k].end = begin + detail::distance(from, stop);
  });
  return detail::advance(first, detail::close_gaps(first, kept));
}

/// The same for a range, of is(projection(x), projection(y)).
template <parallel_range R, class Predicate = std::equal_to<>, class Projection = std::identity>
std::ranges::borrowed_iterator_t<R> unique(parallel_policy p, R&& range, Predicate is = {},
                                           Projection projection = {}) {
  return unique(p, std::ranges::begin(range), detail::end_of(range),
                detail::projected_pair(is, projection));
}

}  // namespace kasuri
