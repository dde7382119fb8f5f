// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

#include "kasuri/algorithm/policy.hpp"
#include "kasuri/detail/algorithm/blocks.hpp"
#include "kasuri/detail/loop/lazy_loop.hpp"
#include "kasuri/range.hpp"

/// \file
/// Counting: elements with a property, and elements by bucket.

namespace kasuri {

/// How many x of [first, last) there are with is(x).
/// \param p            kasuri::par
/// \param first, last  where the elements lie
/// \param is           callable with the iterator's reference type
/// \throws whatever \p is throws
template <std::random_access_iterator It, class Predicate>
std::iter_difference_t<It> count_if(parallel_policy p, It first, It last, Predicate is) {
  std::atomic<std::size_t> sum{0};
  detail::loop<detail::cancellation::ignored>(
      detail::distance(first, last), p.grain, [&](std::size_t begin, std::size_t end) {
        const It stop = detail::advance(first, end);
        std::size_t in_piece = 0;
        for (It i = detail::advance(first, begin); i != stop; ++i)
          if (std::invoke(is, *i)) ++in_piece;
        // relaxed: the join of the loop orders the pieces before its end
        sum.fetch_add(in_piece, std::memory_order_relaxed);
      });
  return static_cast<std::iter_difference_t<It>>(sum.load(std::memory_order_relaxed));
}

/// The same for a range, of is(projection(x)).
template <parallel_range R, class Predicate, class Projection = std::identity>
std::ranges::range_difference_t<R> count_if(parallel_policy p, R&& range, Predicate is,
                                            Projection projection = {}) {
  return count_if(p, std::ranges::begin(range), detail::end_of(range),
                  detail::projected(is, projection));
}

/// How many elements of [first, last) equal value.
template <std::random_access_iterator It, class T>
std::iter_difference_t<It> count(parallel_policy p, It first, It last, const T& value) {
  return count_if(p, first, last, [&](const auto& x) { return x == value; });
}

/// The same for a range.
template <parallel_range R, class T, class Projection = std::identity>
std::ranges::range_difference_t<R> count(parallel_policy p, R&& range, const T& value,
                                         Projection projection = {}) {
  return count_if(
      p, std::forward<R>(range), [&](const auto& x) { return x == value; }, std::move(projection));
}

/// How many elements fall into each bucket: element b of the result is the number of x with
/// bucket(x) == b. Elements whose bucket is not below \p buckets are not counted.
/// \param p        kasuri::par
/// \param range    the elements
/// \param buckets  how many there are; each block of the range, of at most 64, has as many counters
/// \param bucket   callable with the range's reference type; returns an unsigned number
/// \throws whatever \p bucket throws; std::bad_alloc
template <parallel_range R, class Bucket>
std::vector<std::size_t> histogram(parallel_policy p, R&& range, std::size_t buckets,
                                   Bucket bucket) {
  constexpr std::size_t most_rows = 64;
  const auto first = std::ranges::begin(range);
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  // No more counters than there are elements.
  const std::size_t rows = std::clamp<std::size_t>(
      size / std::max({p.grain, buckets, detail::least_in_block}), 1, most_rows);
  std::vector<std::size_t> all(rows * buckets);
  detail::loop_each<detail::cancellation::ignored>(rows, 0, [&](std::size_t row) {
    std::size_t* const counts = all.data() + row * buckets;
    const auto end = detail::advance(first, detail::block_begin(row + 1, rows, size));
    for (auto i = detail::advance(first, detail::block_begin(row, rows, size)); i != end; ++i) {
      const auto b = static_cast<std::size_t>(std::invoke(bucket, *i));
      if (b < buckets) ++counts[b];
    }
  });
  detail::loop<detail::cancellation::ignored>(rows == 1 ? 0 : buckets, 512,
                                              [&](std::size_t begin, std::size_t end) {
                                                for (std::size_t row = 1; row != rows; ++row)
                                                  for (std::size_t b = begin; b != end; ++b)
                                                    all[b] += all[row * buckets + b];
                                              });
  all.resize(buckets);
  return all;
}

}  // namespace kasuri
