// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "kasuri/algorithm/policy.hpp"
#include "kasuri/detail/algorithm/first_where.hpp"
#include "kasuri/range.hpp"

/// \file
/// Searches that end early: the first element with a property, and what follows from it. Where
/// element k is the answer, at most 2 (k + 1) elements are looked at, or one grain if that is more.

namespace kasuri {
namespace detail {

// std::find_if, also for iterators of C++20 alone, such as those of a view of wide integers.
template <class It, class Predicate>
It find_alone(It first, It last, Predicate& is) {
  if constexpr (std::derived_from<typename std::iterator_traits<It>::iterator_category,
                                  std::input_iterator_tag>) {
    return std::find_if(first, last, std::ref(is));
  } else {
    while (first != last && !std::invoke(is, *first)) ++first;
    return first;
  }
}

template <class It, class Predicate>
It find_first(parallel_policy p, It first, std::size_t size, Predicate& is) {
  return advance(first, first_where(size, p.grain, [&](std::size_t begin, std::size_t end) {
                   const It from = advance(first, begin);
                   return begin + distance(from, find_alone(from, advance(first, end), is));
                 }));
}

}  // namespace detail

/// The first x of [first, last) for which is(x); last where there is none.
/// \param p            kasuri::par, or a policy with a grain
/// \param first, last  random access iterators
/// \param is           callable with the iterator's reference type
/// \throws whatever \p is throws
template <std::random_access_iterator It, class Predicate>
It find_if(parallel_policy p, It first, It last, Predicate is) {
  return detail::find_first(p, first, detail::distance(first, last), is);
}

/// The same for a range, of is(projection(x)).
template <parallel_range R, class Predicate, class Projection = std::identity>
std::ranges::borrowed_iterator_t<R> find_if(parallel_policy p, R&& range, Predicate is,
                                            Projection projection = {}) {
  return find_if(p, std::ranges::begin(range), detail::end_of(range),
                 detail::projected(is, projection));
}

/// The first x of [first, last) for which not is(x); last where there is none.
template <std::random_access_iterator It, class Predicate>
It find_if_not(parallel_policy p, It first, It last, Predicate is) {
  return find_if(p, first, last, [&](auto&& x) { return !std::invoke(is, x); });
}

/// The same for a range.
template <parallel_range R, class Predicate, class Projection = std::identity>
std::ranges::borrowed_iterator_t<R> find_if_not(parallel_policy p, R&& range, Predicate is,
                                                Projection projection = {}) {
  return find_if_not(p, std::ranges::begin(range), detail::end_of(range),
                     detail::projected(is, projection));
}

/// The first element of [first, last) that equals value; last where there is none.
template <std::random_access_iterator It, class T>
It find(parallel_policy p, It first, It last, const T& value) {
  return find_if(p, first, last, [&](const auto& x) { return x == value; });
}

/// The same for a range.
template <parallel_range R, class T, class Projection = std::identity>
std::ranges::borrowed_iterator_t<R> find(parallel_policy p, R&& range, const T& value,
                                         Projection projection = {}) {
  return find_if(
      p, std::forward<R>(range), [&](const auto& x) { return x == value; }, std::move(projection));
}

/// Whether is(x) for some x of [first, last).
template <std::random_access_iterator It, class Predicate>
bool any_of(parallel_policy p, It first, It last, Predicate is) {
  return find_if(p, first, last, std::ref(is)) != last;
}

/// The same for a range.
template <parallel_range R, class Predicate, class Projection = std::identity>
bool any_of(parallel_policy p, R&& range, Predicate is, Projection projection = {}) {
  return any_of(p, std::ranges::begin(range), detail::end_of(range),
                detail::projected(is, projection));
}

/// Whether is(x) for no x of [first, last).
template <std::random_access_iterator It, class Predicate>
bool none_of(parallel_policy p, It first, It last, Predicate is) {
  return !any_of(p, first, last, std::ref(is));
}

/// The same for a range.
template <parallel_range R, class Predicate, class Projection = std::identity>
bool none_of(parallel_policy p, R&& range, Predicate is, Projection projection = {}) {
  return !any_of(p, range, std::ref(is), std::ref(projection));
}

/// Whether is(x) for each x of [first, last).
template <std::random_access_iterator It, class Predicate>
bool all_of(parallel_policy p, It first, It last, Predicate is) {
  return find_if_not(p, first, last, std::ref(is)) == last;
}

/// The same for a range.
template <parallel_range R, class Predicate, class Projection = std::identity>
bool all_of(parallel_policy p, R&& range, Predicate is, Projection projection = {}) {
  return all_of(p, std::ranges::begin(range), detail::end_of(range),
                detail::projected(is, projection));
}

/// The first element that is followed by one that equals it, by is(x, y); last where there is none.
template <std::random_access_iterator It, class Predicate = std::equal_to<>>
It adjacent_find(parallel_policy p, It first, It last, Predicate is = {}) {
  const std::size_t size = detail::distance(first, last);
  if (size < 2) return last;
  const std::size_t at =
      detail::first_where(size - 1, p.grain, [&](std::size_t begin, std::size_t end) {
        // One more: the pair of the last element reaches over the end.
        const It stop = detail::advance(first, end + 1);
        const It found = std::adjacent_find(detail::advance(first, begin), stop, std::ref(is));
        return found == stop ? end : detail::distance(first, found);
      });
  return at == size - 1 ? last : detail::advance(first, at);
}

/// The same for a range.
template <parallel_range R, class Predicate = std::equal_to<>, class Projection = std::identity>
std::ranges::borrowed_iterator_t<R> adjacent_find(parallel_policy p, R&& range, Predicate is = {},
                                                  Projection projection = {}) {
  return adjacent_find(p, std::ranges::begin(range), detail::end_of(range),
                       detail::projected_pair(is, projection));
}

/// The first element of [first, last) that comes before the one to its left; last where there is
/// none.
/// \param p            kasuri::par
/// \param first, last  where the elements lie
/// \param comp         comp(a, b) is true when a must stand before b
template <std::random_access_iterator It, class Compare = std::less<>>
It is_sorted_until(parallel_policy p, It first, It last, Compare comp = {}) {
  const It found =
      adjacent_find(p, first, last, [&](const auto& a, const auto& b) { return comp(b, a); });
  return found == last ? last : found + 1;
}

/// Whether [first, last) is sorted.
template <std::random_access_iterator It, class Compare = std::less<>>
bool is_sorted(parallel_policy p, It first, It last, Compare comp = {}) {
  return is_sorted_until(p, first, last, std::ref(comp)) == last;
}

/// The same for a range.
template <parallel_range R, class Compare = std::less<>, class Projection = std::identity>
bool is_sorted(parallel_policy p, R&& range, Compare comp = {}, Projection projection = {}) {
  return is_sorted(p, std::ranges::begin(range), detail::end_of(range),
                   detail::projected_pair(comp, projection));
}

/// The first place at which two ranges differ, in both; only as many elements are compared as the
/// shorter one has.
/// \param p              kasuri::par
/// \param first1, last1  the first range
/// \param first2, last2  the second range
/// \param is             is(x, y) says whether an element of the first equals one of the second
template <std::random_access_iterator A, std::random_access_iterator B,
          class Predicate = std::equal_to<>>
std::pair<A, B> mismatch(parallel_policy p, A first1, A last1, B first2, B last2,
                         Predicate is = {}) {
  const std::size_t size =
      std::min(detail::distance(first1, last1), detail::distance(first2, last2));
  const std::size_t at =
      detail::first_where(size, p.grain, [&](std::size_t begin, std::size_t end) {
        const A from = detail::advance(first1, begin);
        return begin +
               detail::distance(from, std::mismatch(from, detail::advance(first1, end),
                                                    detail::advance(first2, begin), std::ref(is))
                                          .first);
      });
  return {detail::advance(first1, at), detail::advance(first2, at)};
}

/// Whether two ranges have as many elements, which are equal one by one.
template <std::random_access_iterator A, std::random_access_iterator B,
          class Predicate = std::equal_to<>>
bool equal(parallel_policy p, A first1, A last1, B first2, B last2, Predicate is = {}) {
  return detail::distance(first1, last1) == detail::distance(first2, last2) &&
         mismatch(p, first1, last1, first2, last2, std::ref(is)).first == last1;
}

/// The same for ranges.
template <parallel_range A, parallel_range B, class Predicate = std::equal_to<>>
bool equal(parallel_policy p, A&& a, B&& b, Predicate is = {}) {
  return equal(p, std::ranges::begin(a), detail::end_of(a), std::ranges::begin(b),
               detail::end_of(b), std::ref(is));
}

/// Whether the first range comes before the second in the order of words: by the first element in
/// which they differ, else by length.
template <std::random_access_iterator A, std::random_access_iterator B, class Compare = std::less<>>
bool lexicographical_compare(parallel_policy p, A first1, A last1, B first2, B last2,
                             Compare comp = {}) {
  const auto [a, b] = mismatch(p, first1, last1, first2, last2, [&](const auto& x, const auto& y) {
    return !comp(x, y) && !comp(y, x);
  });
  if (b == last2) return false;
  return a == last1 || comp(*a, *b);
}

/// The same for ranges.
template <parallel_range A, parallel_range B, class Compare = std::less<>>
bool lexicographical_compare(parallel_policy p, A&& a, B&& b, Compare comp = {}) {
  return lexicographical_compare(p, std::ranges::begin(a), detail::end_of(a), std::ranges::begin(b),
                                 detail::end_of(b), std::ref(comp));
}

}  // namespace kasuri
