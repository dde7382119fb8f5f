// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "kasuri/detail/loop/lazy_loop.hpp"
#include "kasuri/detail/refused.hpp"
#include "kasuri/range.hpp"

/// \file
/// Parallel loops with automatic grain.
///
/// All of them share these rules:
/// - The body is one object, taken by reference: it is called from several workers at once, and no
///   order among iterations is promised.
/// - An exception leaves the loop once every piece in flight has ended; of several, one comes out.
///   Iterations not yet begun may then be left out.
/// - In a canceled task group the loop stops early: iterations not yet begun may be left out.
///   A worker looks between chunks, of up to 2048 iterations, and not before its first 64 or eighth
///   of the loop: a short loop may still run to its end, and a body that takes long had better ask
///   this_task::canceled() itself.
/// - A body that waits lets others begin: while iterations wait, more and more of them are begun,
///   each a task with a stack. Where there are very many, bound them, by a semaphore or a grain.
/// - Iterations must not wait for each other: several are run one behind the other. A loop of 64
///   and more is begun by its caller alone if one of the same body was over within some
///   microseconds before, and divided if it is not over by then; parallel_for_each never is.
/// - A loop whose size is at most its grain is a plain serial loop: no task, no question.
/// - Any thread may call; loops nest.
///
/// Splitting follows A. Tzannes, G. Caragea, R. Barua, U. Vishkin, "Lazy Binary-Splitting: A
/// Run-Time Adaptive Work-Stealing Scheduler", PPoPP 2010.

namespace kasuri {
namespace detail {

// Says which body a loop takes.
template <class Body, class Given>
struct loop_body {
  static constexpr bool fits = std::is_invocable_v<Body&, Given>;
  static_assert(fits,
                "kasuri::parallel_for: the body is called as body(i) with an index, or with an "
                "iterator, whose element is *i; with a piece where there is a blocked_range");
  static_assert(!makes_coro<Body&, Given>(),
                "kasuri::parallel_for: the body is a coroutine, which the loop would not run: call "
                "async(f(i)) in a function, and wait for the futures");
};

template <class Index>
void takes_blocked_range(const blocked_range<Index>&);
template <class Row, class Column>
void takes_blocked_range(const blocked_range2d<Row, Column>&);
template <class Page, class Row, class Column>
void takes_blocked_range(const blocked_range3d<Page, Row, Column>&);

// A range of elements, and not one that loops divide.
template <class Range>
concept container = std::ranges::range<Range> &&
                    !requires(const std::remove_reference_t<Range>& r) { takes_blocked_range(r); };

}  // namespace detail

/// Calls body(i) for every i of [first, last).
/// \param first  the first index: an integer or a random access iterator (the body gets the
///               iterator itself)
/// \param last   the index past the end; nothing is done when it is not after \p first
/// \param grain  the least iterations a worker runs in a row; give one where an iteration is so
///               short that sharing fewer never pays. 0 means 1: large enough chunks are found at
///               run time
/// \param body   callable as body(common_index<First, Last>)
/// \throws whatever the body throws; std::out_of_range when \p first is negative and the common
///         type of the two is unsigned
template <class First, class Last, class Body>
  requires loop_index<common_index<First, Last>>
void parallel_for(First first, Last last, std::size_t grain, Body&& body) {
  const auto range = detail::loop_range(first, last, grain);
  if constexpr (detail::loop_body<Body, common_index<First, Last>&>::fits)
    detail::loop(range.size(), grain,
                 [from = range.begin(), &body](std::size_t begin, std::size_t end) {
                   const auto stop = detail::advance(from, end);
                   for (auto i = detail::advance(from, begin); i != stop; ++i) body(i);
                 });
}

/// parallel_for with an automatic grain.
template <class First, class Last, class Body>
  requires loop_index<common_index<First, Last>>
void parallel_for(First first, Last last, Body&& body) {
  parallel_for(first, last, std::size_t{0}, body);
}

/// parallel_for whose iterations cost different amounts that the program knows beforehand.
/// \param first, last  as above
/// \param cost         what the iterations cost: see work_by
/// \param body         callable as body(common_index<First, Last>)
/// \throws whatever the body throws; std::out_of_range as above
template <class First, class Last, class Work, class Body>
  requires loop_index<common_index<First, Last>>
void parallel_for(First first, Last last, work_by<Work> cost, Body&& body) {
  static_assert(detail::loop_body<Body, common_index<First, Last>&>::fits);
  const auto range = detail::loop_range(first, last, 0);
  if (range.size() == 0) return;
  const auto at = [from = range.begin()](std::size_t i) { return detail::advance(from, i); };
  const auto piece = [at, &body](std::size_t begin, std::size_t end) {
    const auto stop = at(end);
    for (auto i = at(begin); i != stop; ++i) body(i);
  };
  const auto work = [at, &cost](std::size_t begin, std::size_t end) {
    return static_cast<double>(cost.work(at(begin), at(end)));
  };
  using division = detail::equal_work<decltype(work)>;
  detail::lazy_loop<decltype(piece), detail::cancellation::obeyed, division>{
      piece, division{work}}(range.size());
}

/// Calls body(r) for pieces r of the range that cover it without overlap. Prefer it where the body
/// sets something up for each piece.
/// \param range  the range; its grain is the least size of a piece but the last
/// \param body   callable as body(const blocked_range<Index>&)
/// \throws whatever the body throws
template <class Index, class Body>
void parallel_for(const blocked_range<Index>& range, Body&& body) {
  if constexpr (detail::loop_body<Body, blocked_range<Index>>::fits)
    detail::loop(range.size(), range.grain(),
                 [&](std::size_t begin, std::size_t end) { body(range.slice(begin, end)); });
}

/// Calls body(tile) for tiles that cover the rectangle without overlap.
/// \param range  rows and columns; the grains are the extents of a tile (those at the far edges may
///               be smaller)
/// \param body   callable as body(const blocked_range2d<Row, Column>&)
/// \throws whatever the body throws
template <class Row, class Column, class Body>
void parallel_for(const blocked_range2d<Row, Column>& range, Body&& body) {
  static_assert(detail::loop_body<Body, blocked_range2d<Row, Column>>::fits);
  if (range.empty()) return;
  const detail::tiles all(range);
  detail::loop_each(all.count(), 0, [&](std::size_t k) { body(all[k]); });
}

/// Calls body(tile) for tiles that cover the box without overlap.
/// \param range  pages, rows and columns; the grains are the extents of a tile
/// \param body   callable as body(const blocked_range3d<Page, Row, Column>&)
/// \throws whatever the body throws
template <class Page, class Row, class Column, class Body>
void parallel_for(const blocked_range3d<Page, Row, Column>& range, Body&& body) {
  static_assert(detail::loop_body<Body, blocked_range3d<Page, Row, Column>>::fits);
  if (range.empty()) return;
  const detail::tiles all(range);
  detail::loop_each(all.count(), 0, [&](std::size_t k) { body(all[k]); });
}

/// Not for elements: parallel_for_each is.
template <class Range, class Body>
  requires detail::container<Range>
void parallel_for(Range&&, Body&&) {
  static_assert(detail::refused<Range>,
                "kasuri::parallel_for: takes indices, iterators or a kasuri::blocked_range; for "
                "the elements of a container: parallel_for_each(v, body)");
}

namespace detail {

/// A loop over elements of which none brings more.
template <class Range, class Body>
concept plain_loop = std::ranges::random_access_range<Range> && std::ranges::sized_range<Range> &&
                     std::invocable<Body&, std::ranges::range_reference_t<Range>>;

}  // namespace detail

/// Calls body(x) for every element x of a random access range, by reference. Other ranges, and
/// bodies that add elements: kasuri/parallel_for_each.hpp.
/// \param range  an array, vector, span or the like; must stay alive and keep its size meanwhile
/// \param body   callable with the range's reference type
/// \throws whatever the body throws
template <class Range, class Body>
  requires detail::plain_loop<Range, Body>
void parallel_for_each(Range&& range, Body&& body) {
  static_assert(!detail::makes_coro<Body&, std::ranges::range_reference_t<Range>>(),
                "kasuri::parallel_for_each: the body is a coroutine, which the loop would not run: "
                "call async(f(x)) in a function, and wait for the futures");
  const auto first = std::ranges::begin(range);
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  detail::loop_each<detail::cancellation::obeyed, detail::waiting_bodies>(
      size, 0,
      [&](std::size_t k) { body(first[static_cast<std::ranges::range_difference_t<Range>>(k)]); });
}

/// Writes op(x) for every x of [first, last) to the same place from \p out on; \p out may be
/// \p first.
/// \param first, last  the input
/// \param out          where the results go; must have room for as many
/// \param op           callable with the input's reference type
/// \return the end of the output
/// \throws whatever \p op or an assignment throws
template <std::random_access_iterator In, std::random_access_iterator Out, class Op>
Out parallel_transform(In first, In last, Out out, Op&& op) {
  const std::size_t size = detail::distance(first, last);
  detail::loop(size, 0, [&](std::size_t begin, std::size_t end) {
    const In stop = detail::advance(first, end);
    Out to = detail::advance(out, begin);
    for (In from = detail::advance(first, begin); from != stop; ++from, ++to) *to = op(*from);
  });
  return detail::advance(out, size);
}

}  // namespace kasuri
