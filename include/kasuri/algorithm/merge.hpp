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
#include "kasuri/range.hpp"

/// \file
/// Algorithms on two sorted ranges: merge, and the operations on sets (as the standard library has
/// them, elements may occur several times). The operations on sets compare twice as often as the
/// serial ones; where one value occurs very often, one worker does all of it.

namespace kasuri {
namespace detail {

// How many of the first `taken` elements of the merged ranges come from the first; of equal ones,
// its own come first.
template <class A, class B, class Compare>
std::size_t taken_of_first(A a, std::size_t size_a, B b, std::size_t size_b, std::size_t taken,
                           Compare& comp) {
  std::size_t low = taken > size_b ? taken - size_b : 0;
  std::size_t high = std::min(taken, size_a);
  while (low < high) {
    const std::size_t mid = low + (high - low) / 2;
    if (comp(*advance(b, taken - mid - 1), *advance(a, mid)))
      high = mid;
    else
      low = mid + 1;
  }
  return low;
}

// Counts what is written to it.
struct counting_output {
  using iterator_category = std::output_iterator_tag;
  using value_type = void;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = void;

  struct sink {
    template <class T>
    void operator=(T&&) const noexcept {}
  };
  std::size_t n = 0;
  sink operator*() const noexcept { return {}; }
  counting_output& operator++() noexcept {
    ++n;
    return *this;
  }
  counting_output operator++(int) noexcept { return {n++}; }
};

// Cuts two sorted ranges where no equal elements are parted.
template <class A, class B, class Compare>
struct sorted_pair {
  A first1, last1;
  B first2, last2;
  Compare& comp;

  std::pair<A, B> cut(std::size_t k, std::size_t count) const {
    const std::size_t size1 = distance(first1, last1);
    const std::size_t size2 = distance(first2, last2);
    if (k == 0) return {first1, first2};
    if (k == count) return {last1, last2};
    if (size1 >= size2) {
      const A a = std::lower_bound(first1, last1, *advance(first1, block_begin(k, count, size1)),
                                   std::ref(comp));
      return {a, std::lower_bound(first2, last2, *a, std::ref(comp))};
    }
    const B b = std::lower_bound(first2, last2, *advance(first2, block_begin(k, count, size2)),
                                 std::ref(comp));
    return {std::lower_bound(first1, last1, *b, std::ref(comp)), b};
  }
};

// serial(a, a_end, b, b_end, out, comp) on each part, once to count and once to write.
template <class A, class B, class Out, class Compare, class Serial>
Out set_operation(parallel_policy p, sorted_pair<A, B, Compare> in, Out out, Serial&& serial) {
  const blocks_of blocks(std::max(distance(in.first1, in.last1), distance(in.first2, in.last2)),
                         p.grain);
  if (blocks.count == 1)
    return serial(in.first1, in.last1, in.first2, in.last2, out, std::ref(in.comp));
  std::vector<std::pair<A, B>> cuts(blocks.count + 1);
  for (std::size_t k = 0; k <= blocks.count; ++k) cuts[k] = in.cut(k, blocks.count);
  std::vector<std::size_t> counts(blocks.count);
  const auto part = [&](std::size_t k, auto to) {
    return serial(cuts[k].first, cuts[k + 1].first, cuts[k].second, cuts[k + 1].second, to,
                  std::ref(in.comp));
  };
  blocks.each(
      [&](std::size_t k, std::size_t, std::size_t) { counts[k] = part(k, counting_output{}).n; });
  const std::size_t all = to_offsets(counts);
  blocks.each([&](std::size_t k, std::size_t, std::size_t) { part(k, advance(out, counts[k])); });
  return advance(out, all);
}

}  // namespace detail

/// Writes the elements of two sorted ranges to \p out, sorted; equal ones keep their order, those
/// of the first range come first. Returns the end of the output, which must not overlap the inputs.
/// \param p              kasuri::par
/// \param first1, last1  the first range
/// \param first2, last2  the second range
/// \param out            has room for the elements of both
/// \param comp           comp(a, b) is true when a must stand before b
/// \throws whatever \p comp or a copy throws
template <std::random_access_iterator A, std::random_access_iterator B,
          std::random_access_iterator Out, class Compare = std::less<>>
Out merge(parallel_policy p, A first1, A last1, B first2, B last2, Out out, Compare comp = {}) {
  const std::size_t size1 = detail::distance(first1, last1);
  const std::size_t size2 = detail::distance(first2, last2);
  const detail::blocks_of blocks(size1 + size2, p.grain);
  blocks.each([&](std::size_t, std::size_t begin, std::size_t end) {
    const std::size_t a = detail::taken_of_first(first1, size1, first2, size2, begin, comp);
    const std::size_t b = detail::taken_of_first(first1, size1, first2, size2, end, comp);
    std::merge(detail::advance(first1, a), detail::advance(first1, b),
               detail::advance(first2, begin - a), detail::advance(first2, end - b),
               detail::advance(out, begin), std::ref(comp));
  });
  return detail::advance(out, blocks.size);
}

/// The same for ranges.
template <parallel_range A, parallel_range B, std::random_access_iterator Out,
          class Compare = std::less<>>
Out merge(parallel_policy p, A&& a, B&& b, Out out, Compare comp = {}) {
  return merge(p, std::ranges::begin(a), detail::end_of(a), std::ranges::begin(b),
               detail::end_of(b), out, std::ref(comp));
}

/// Writes what is in one of two sorted ranges, or in both, to \p out, sorted. Returns its end.
/// \throws whatever \p comp or a copy throws; std::bad_alloc for some kilobytes
template <std::random_access_iterator A, std::random_access_iterator B,
          std::random_access_iterator Out, class Compare = std::less<>>
Out set_union(parallel_policy p, A first1, A last1, B first2, B last2, Out out, Compare comp = {}) {
  return detail::set_operation(
      p, detail::sorted_pair<A, B, Compare>{first1, last1, first2, last2, comp}, out,
      [](auto... of_part) { return std::set_union(of_part...); });
}

/// The same for ranges.
template <parallel_range A, parallel_range B, std::random_access_iterator Out,
          class Compare = std::less<>>
Out set_union(parallel_policy p, A&& a, B&& b, Out out, Compare comp = {}) {
  return set_union(p, std::ranges::begin(a), detail::end_of(a), std::ranges::begin(b),
                   detail::end_of(b), out, std::ref(comp));
}

/// Writes what is in both of two sorted ranges to \p out, sorted. Else as set_union.
template <std::random_access_iterator A, std::random_access_iterator B,
          std::random_access_iterator Out, class Compare = std::less<>>
Out set_intersection(parallel_policy p, A first1, A last1, B first2, B last2, Out out,
                     Compare comp = {}) {
  return detail::set_operation(
      p, detail::sorted_pair<A, B, Compare>{first1, last1, first2, last2, comp}, out,
      [](auto... of_part) { return std::set_intersection(of_part...); });
}

/// The same for ranges.
template <parallel_range A, parallel_range B, std::random_access_iterator Out,
          class Compare = std::less<>>
Out set_intersection(parallel_policy p, A&& a, B&& b, Out out, Compare comp = {}) {
  return set_intersection(p, std::ranges::begin(a), detail::end_of(a), std::ranges::begin(b),
                          detail::end_of(b), out, std::ref(comp));
}

/// Writes what is in the first of two sorted ranges and not in the second to \p out, sorted. Else
/// as set_union.
template <std::random_access_iterator A, std::random_access_iterator B,
          std::random_access_iterator Out, class Compare = std::less<>>
Out set_difference(parallel_policy p, A first1, A last1, B first2, B last2, Out out,
                   Compare comp = {}) {
  return detail::set_operation(
      p, detail::sorted_pair<A, B, Compare>{first1, last1, first2, last2, comp}, out,
      [](auto... of_part) { return std::set_difference(of_part...); });
}

/// The same for ranges.
template <parallel_range A, parallel_range B, std::random_access_iterator Out,
          class Compare = std::less<>>
Out set_difference(parallel_policy p, A&& a, B&& b, Out out, Compare comp = {}) {
  return set_difference(p, std::ranges::begin(a), detail::end_of(a), std::ranges::begin(b),
                        detail::end_of(b), out, std::ref(comp));
}

/// Writes what is in one of two sorted ranges and not in the other to \p out, sorted. Else as
/// set_union.
template <std::random_access_iterator A, std::random_access_iterator B,
          std::random_access_iterator Out, class Compare = std::less<>>
Out set_symmetric_difference(parallel_policy p, A first1, A last1, B first2, B last2, Out out,
                             Compare comp = {}) {
  return detail::set_operation(
      p, detail::sorted_pair<A, B, Compare>{first1, last1, first2, last2, comp}, out,
      [](auto... of_part) { return std::set_symmetric_difference(of_part...); });
}

/// The same for ranges.
template <parallel_range A, parallel_range B, std::random_access_iterator Out,
          class Compare = std::less<>>
Out set_symmetric_difference(parallel_policy p, A&& a, B&& b, Out out, Compare comp = {}) {
  return set_symmetric_difference(p, std::ranges::begin(a), detail::end_of(a),
                                  std::ranges::begin(b), detail::end_of(b), out, std::ref(comp));
}

/// Whether each element of the second of two sorted ranges is in the first, as often at least.
template <std::random_access_iterator A, std::random_access_iterator B, class Compare = std::less<>>
bool includes(parallel_policy p, A first1, A last1, B first2, B last2, Compare comp = {}) {
  const detail::sorted_pair<A, B, Compare> in{first1, last1, first2, last2, comp};
  const detail::blocks_of blocks(
      std::max(detail::distance(first1, last1), detail::distance(first2, last2)), p.grain);
  std::atomic<bool> all{true};
  blocks.each([&](std::size_t k, std::size_t, std::size_t) {
    // relaxed: the join of the loop orders the blocks before its end
    if (!all.load(std::memory_order_relaxed)) return;
    const auto [a, b] = in.cut(k, blocks.count);
    const auto [a_end, b_end] = in.cut(k + 1, blocks.count);
    if (!std::includes(a, a_end, b, b_end, std::ref(comp)))
      all.store(false, std::memory_order_relaxed);
  });
  return all.load(std::memory_order_relaxed);
}

/// The same for ranges.
template <parallel_range A, parallel_range B, class Compare = std::less<>>
bool includes(parallel_policy p, A&& a, B&& b, Compare comp = {}) {
  return includes(p, std::ranges::begin(a), detail::end_of(a), std::ranges::begin(b),
                  detail::end_of(b), std::ref(comp));
}

}  // namespace kasuri
