// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "kasuri/algorithm/policy.hpp"
#include "kasuri/detail/loop/lazy_loop.hpp"
#include "kasuri/range.hpp"

/// \file
/// Algorithms that look at or write each element by itself.

namespace kasuri {
namespace detail {

// piece(begin, end) with iterators, for parts of [first, last).
template <class It, class Piece>
void each_part(parallel_policy p, It first, std::size_t size, Piece&& piece) {
  loop<cancellation::ignored>(size, p.grain, [&](std::size_t begin, std::size_t end) {
    piece(advance(first, begin), advance(first, end));
  });
}

// piece(begin, end, to): the same with the place in the output that belongs to begin.
template <class It, class Out, class Piece>
Out each_part_to(parallel_policy p, It first, It last, Out out, Piece&& piece) {
  const std::size_t size = distance(first, last);
  loop<cancellation::ignored>(size, p.grain, [&](std::size_t begin, std::size_t end) {
    piece(advance(first, begin), advance(first, end), advance(out, begin));
  });
  return advance(out, size);
}

}  // namespace detail

/// Calls f(x) for each element x of [first, last).
/// \throws whatever \p f throws
template <std::random_access_iterator It, class F>
void for_each(parallel_policy p, It first, It last, F f) {
  detail::each_part(p, first, detail::distance(first, last), [&](It a, It b) {
    for (; a != b; ++a) std::invoke(f, *a);
  });
}

/// The same for a range, of f(projection(x)).
template <parallel_range R, class F, class Projection = std::identity>
void for_each(parallel_policy p, R&& range, F f, Projection projection = {}) {
  for_each(p, std::ranges::begin(range), detail::end_of(range), detail::projected(f, projection));
}

/// Each element becomes value.
template <std::random_access_iterator It, class T>
void fill(parallel_policy p, It first, It last, const T& value) {
  detail::each_part(p, first, detail::distance(first, last),
                    [&](It a, It b) { std::fill(a, b, value); });
}

/// The same for a range.
template <parallel_range R, class T>
void fill(parallel_policy p, R&& range, const T& value) {
  fill(p, std::ranges::begin(range), detail::end_of(range), value);
}

/// Each element becomes what make() returns, called once for each, in no order.
template <std::random_access_iterator It, class Make>
void generate(parallel_policy p, It first, It last, Make make) {
  detail::each_part(p, first, detail::distance(first, last),
                    [&](It a, It b) { std::generate(a, b, std::ref(make)); });
}

/// The same for a range.
template <parallel_range R, class Make>
void generate(parallel_policy p, R&& range, Make make) {
  generate(p, std::ranges::begin(range), detail::end_of(range), std::ref(make));
}

/// Copies [first, last) to \p out. Returns the end of the output.
template <std::random_access_iterator In, std::random_access_iterator Out>
Out copy(parallel_policy p, In first, In last, Out out) {
  return detail::each_part_to(p, first, last, out, [](In a, In b, Out to) { std::copy(a, b, to); });
}

/// The same for a range.
template <parallel_range R, std::random_access_iterator Out>
Out copy(parallel_policy p, R&& range, Out out) {
  return copy(p, std::ranges::begin(range), detail::end_of(range), out);
}

/// Moves [first, last) to \p out. Returns the end of the output.
template <std::random_access_iterator In, std::random_access_iterator Out>
Out move(parallel_policy p, In first, In last, Out out) {
  return detail::each_part_to(p, first, last, out, [](In a, In b, Out to) { std::move(a, b, to); });
}

/// Writes op(x) for each x of [first, last) to the same place from \p out on, which may be
/// \p first. Returns the end of the output.
template <std::random_access_iterator In, std::random_access_iterator Out, class Op>
Out transform(parallel_policy p, In first, In last, Out out, Op op) {
  return detail::each_part_to(p, first, last, out, [&](In a, In b, Out to) {
    for (; a != b; ++a, ++to) *to = std::invoke(op, *a);
  });
}

/// The same for a range, of op(projection(x)).
template <parallel_range R, std::random_access_iterator Out, class Op,
          class Projection = std::identity>
Out transform(parallel_policy p, R&& range, Out out, Op op, Projection projection = {}) {
  return transform(p, std::ranges::begin(range), detail::end_of(range), out,
                   detail::projected(op, projection));
}

/// Writes op(x, y) for each x of [first1, last1) and the y at the same place from \p first2 on.
/// \p out may be either.
template <std::random_access_iterator A, std::random_access_iterator B,
          std::random_access_iterator Out, class Op>
Out transform(parallel_policy p, A first1, A last1, B first2, Out out, Op op) {
  const std::size_t size = detail::distance(first1, last1);
  detail::loop<detail::cancellation::ignored>(
      size, p.grain, [&](std::size_t begin, std::size_t end) {
        std::transform(detail::advance(first1, begin), detail::advance(first1, end),
                       detail::advance(first2, begin), detail::advance(out, begin), std::ref(op));
      });
  return detail::advance(out, size);
}

/// Each x with is(x) becomes value.
template <std::random_access_iterator It, class Predicate, class T>
void replace_if(parallel_policy p, It first, It last, Predicate is, const T& value) {
  detail::each_part(p, first, detail::distance(first, last),
                    [&](It a, It b) { std::replace_if(a, b, std::ref(is), value); });
}

/// Each element that equals \p old_value becomes \p new_value.
template <std::random_access_iterator It, class T>
void replace(parallel_policy p, It first, It last, const T& old_value, const T& new_value) {
  detail::each_part(p, first, detail::distance(first, last),
                    [&](It a, It b) { std::replace(a, b, old_value, new_value); });
}

/// Exchanges [first1, last1) with as many elements from \p first2 on. Returns the end of these.
template <std::random_access_iterator A, std::random_access_iterator B>
B swap_ranges(parallel_policy p, A first1, A last1, B first2) {
  return detail::each_part_to(p, first1, last1, first2,
                              [](A a, A b, B to) { std::swap_ranges(a, b, to); });
}

/// Turns the order around.
template <std::random_access_iterator It>
void reverse(parallel_policy p, It first, It last) {
  detail::loop<detail::cancellation::ignored>(
      detail::distance(first, last) / 2, p.grain, [&](std::size_t begin, std::size_t end) {
        It a = detail::advance(first, begin);
        It b = last - static_cast<std::iter_difference_t<It>>(begin);
        for (const It stop = detail::advance(first, end); a != stop; ++a) std::iter_swap(a, --b);
      });
}

/// The same for a range.
template <parallel_range R>
void reverse(parallel_policy p, R&& range) {
  reverse(p, std::ranges::begin(range), detail::end_of(range));
}

/// Writes [first, last) to \p out with the order turned around. Returns the end of the output.
template <std::random_access_iterator In, std::random_access_iterator Out>
Out reverse_copy(parallel_policy p, In first, In last, Out out) {
  const std::size_t size = detail::distance(first, last);
  detail::loop<detail::cancellation::ignored>(
      size, p.grain, [&](std::size_t begin, std::size_t end) {
        std::reverse_copy(detail::advance(first, begin), detail::advance(first, end),
                          detail::advance(out, size - end));
      });
  return detail::advance(out, size);
}

/// The element at \p middle becomes the first, and those before it come behind the last. Three
/// reversals: each element is moved twice. Returns where the first one is now.
template <std::random_access_iterator It>
It rotate(parallel_policy p, It first, It middle, It last) {
  if (first == middle) return last;
  if (middle == last) return first;
  reverse(p, first, middle);
  reverse(p, middle, last);
  reverse(p, first, last);
  return first + (last - middle);
}

}  // namespace kasuri
