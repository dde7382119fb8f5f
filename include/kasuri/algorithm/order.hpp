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
#include "kasuri/parallel_sort.hpp"
#include "kasuri/range.hpp"

/// \file
/// Algorithms that put elements in order: sorts, partitions, the n-th element.

namespace kasuri {

/// kasuri::parallel_sort.
template <std::random_access_iterator It, class Compare = std::less<>>
void sort(parallel_policy, It first, It last, Compare comp = {}) {
  parallel_sort(first, last, std::move(comp));
}

/// The same for a range, by projection(x).
template <parallel_range R, class Compare = std::less<>, class Projection = std::identity>
void sort(parallel_policy, R&& range, Compare comp = {}, Projection projection = {}) {
  if constexpr (std::same_as<Projection, std::identity>)
    parallel_sort(std::ranges::begin(range), detail::end_of(range), std::move(comp));
  else
    parallel_sort(std::ranges::begin(range), detail::end_of(range),
                  detail::projected_pair(comp, projection));
}

/// kasuri::parallel_stable_sort.
template <std::random_access_iterator It, class Compare = std::less<>>
void stable_sort(parallel_policy, It first, It last, Compare comp = {}) {
  parallel_stable_sort(first, last, std::move(comp));
}

/// The same for a range, by projection(x).
template <parallel_range R, class Compare = std::less<>, class Projection = std::identity>
void stable_sort(parallel_policy, R&& range, Compare comp = {}, Projection projection = {}) {
  if constexpr (std::same_as<Projection, std::identity>)
    parallel_stable_sort(std::ranges::begin(range), detail::end_of(range), std::move(comp));
  else
    parallel_stable_sort(std::ranges::begin(range), detail::end_of(range),
                         detail::projected_pair(comp, projection));
}

namespace detail {

// Places on the wrong side of a border, by blocks, to be found by their number.
class misplaced {
 public:
  explicit misplaced(std::size_t blocks) : begins_(blocks), before_(blocks) {}

  /// Of block k: [begin, end).
  void set(std::size_t k, std::size_t begin, std::size_t end) noexcept {
    begins_[k] = begin;
    before_[k] = end > begin ? end - begin : 0;
  }
  std::size_t number() noexcept { return to_offsets(before_); }

  /// The block that the i-th lies in.
  std::size_t block_of(std::size_t i) const noexcept {
    return static_cast<std::size_t>(std::upper_bound(before_.begin(), before_.end(), i) -
                                    before_.begin()) -
           1;
  }
  std::size_t at(std::size_t block, std::size_t i) const noexcept {
    return begins_[block] + i - before_[block];
  }
  /// The first number that lies behind that block, of `all`.
  std::size_t end_of(std::size_t block, std::size_t all) const noexcept {
    return block + 1 == before_.size() ? all : before_[block + 1];
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<std::size_t> before_;
};

// Swaps the i-th of one with the i-th of the other, for i in [begin, end).
template <class It>
void swap_misplaced(It first, const misplaced& left, const misplaced& right, std::size_t all,
                    std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end;) {
    const std::size_t a = left.block_of(i);
    const std::size_t b = right.block_of(i);
    const std::size_t stop = std::min({end, left.end_of(a, all), right.end_of(b, all)});
    std::swap_ranges(advance(first, left.at(a, i)), advance(first, left.at(a, i) + (stop - i)),
                     advance(first, right.at(b, i)));
    i = stop;
  }
}

}  // namespace detail

/// Puts each x with is(x) before all others. Returns where the others begin. O(n); each block is
/// divided by itself, then what stands on the wrong side changes places.
/// \param p            kasuri::par
/// \param first, last  where the elements lie
/// \param is           called once for each element
/// \throws whatever \p is or a swap throws; std::bad_alloc for some kilobytes
template <std::random_access_iterator It, class Predicate>
It partition(parallel_policy p, It first, It last, Predicate is) {
  const detail::blocks_of blocks(detail::distance(first, last), p.grain);
  std::vector<std::size_t> middles(blocks.count);
  blocks.each([&](std::size_t k, std::size_t begin, std::size_t end) {
    const It from = detail::advance(first, begin);
    middles[k] = begin + detail::distance(
                             from, std::partition(from, detail::advance(first, end), std::ref(is)));
  });
  std::size_t border = 0;
  for (std::size_t k = 0; k != blocks.count; ++k) border += middles[k] - blocks.begin(k);
  detail::misplaced left(blocks.count), right(blocks.count);
  for (std::size_t k = 0; k != blocks.count; ++k) {
    left.set(k, middles[k], std::min(blocks.end(k), border));
    right.set(k, std::max(blocks.begin(k), border), middles[k]);
  }
  const std::size_t all = left.number();
  static_cast<void>(right.number());  // as many
  detail::loop<detail::cancellation::ignored>(
      all, std::max<std::size_t>(p.grain, 512), [&](std::size_t begin, std::size_t end) {
        detail::swap_misplaced(first, left, right, all, begin, end);
      });
  return detail::advance(first, border);
}

/// The same for a range, of is(projection(x)).
template <parallel_range R, class Predicate, class Projection = std::identity>
std::ranges::borrowed_iterator_t<R> partition(parallel_policy p, R&& range, Predicate is,
                                              Projection projection = {}) {
  return partition(p, std::ranges::begin(range), detail::end_of(range),
                   detail::projected(is, projection));
}

/// The element that would stand at \p nth if [first, last) were sorted comes there; no element
/// before it is greater, none behind it smaller. O(n) comparisons on average.
/// \throws whatever \p comp or a swap throws; std::bad_alloc for some kilobytes
template <std::random_access_iterator It, class Compare = std::less<>>
void nth_element(parallel_policy p, It first, It nth, It last, Compare comp = {}) {
  constexpr std::size_t serial = 1 << 15;
  constexpr int most_rounds = 64;  // then the serial one, which ends in O(n) in any case
  for (int round = 0; nth != last && round != most_rounds; ++round) {
    const std::size_t size = detail::distance(first, last);
    if (size <= serial) break;
    // The middle of nine elements goes to the end, and the others are divided by it.
    It nine[9];
    for (std::size_t i = 0; i != 9; ++i) nine[i] = detail::advance(first, size / 10 * (i + 1));
    std::nth_element(nine, nine + 4, nine + 9, [&](It a, It b) { return comp(*a, *b); });
    const It pivot = last - 1;
    std::iter_swap(nine[4], pivot);
    const It border = partition(p, first, pivot, [&](const auto& x) { return comp(x, *pivot); });
    if (nth < border) {
      last = border;
      continue;
    }
    std::iter_swap(border, pivot);
    const It greater =
        partition(p, border + 1, last, [&](const auto& x) { return !comp(*border, x); });
    if (nth < greater) return;
    first = greater;
  }
  std::nth_element(first, nth, last, std::ref(comp));
}

/// The elements that would stand before \p middle if [first, last) were sorted come there, sorted.
template <std::random_access_iterator It, class Compare = std::less<>>
void partial_sort(parallel_policy p, It first, It middle, It last, Compare comp = {}) {
  if (first == middle) return;
  if (middle != last) nth_element(p, first, middle, last, std::ref(comp));
  parallel_sort(first, middle, std::ref(comp));
}

}  // namespace kasuri
