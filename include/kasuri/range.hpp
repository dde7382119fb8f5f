// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>

#include "kasuri/detail/throws.hpp"

/// \file
/// Ranges that loops divide: one, two or three dimensions, each half open.

namespace kasuri {

/// A type that a loop may count with: any integer type but bool, or a random access iterator.
template <class Index>
concept loop_index = (std::integral<Index> && !std::same_as<std::remove_cv_t<Index>, bool>) ||
                     std::random_access_iterator<Index>;

/// The type that a loop from a First to a Last counts with: their common type, so that
/// parallel_for(0, v.size(), body) counts with std::size_t and loses nothing.
template <class First, class Last>
using common_index = std::common_type_t<First, Last>;

namespace detail {

// Distances go through std::size_t, whose arithmetic wraps, so that a range such as
// [INT_MIN, INT_MAX) has its right length.
template <loop_index Index>
constexpr std::size_t distance(Index first, Index last) noexcept {
  if (!(first < last)) return 0;
  if constexpr (std::integral<Index>)
    return static_cast<std::size_t>(last) - static_cast<std::size_t>(first);
  else
    return static_cast<std::size_t>(last - first);
}

template <loop_index Index>
constexpr Index advance(Index first, std::size_t steps) noexcept {
  if constexpr (std::integral<Index>)
    return static_cast<Index>(static_cast<std::size_t>(first) + steps);
  else
    return first + static_cast<std::iter_difference_t<Index>>(steps);
}

constexpr std::size_t divide_up(std::size_t a, std::size_t b) noexcept {
  return a / b + (a % b != 0);
}

// `size` elements, cut into so many nearly equal blocks. It divides once, for all of them.
class equal_blocks {
 public:
  constexpr equal_blocks(std::size_t blocks, std::size_t size) noexcept
      : length_(size / blocks), longer_(size % blocks) {}

  // The first element of block k.
  constexpr std::size_t begin(std::size_t k) const noexcept {
    return length_ * k + std::min(k, longer_);
  }

 private:
  std::size_t length_;
  std::size_t longer_;  // so many of them, the first ones, have one element more
};

constexpr std::size_t block_begin(std::size_t k, std::size_t blocks, std::size_t size) noexcept {
  return equal_blocks(blocks, size).begin(k);
}

}  // namespace detail

/// A half-open range [begin, end) of one dimension, with the least number of elements that a loop
/// may hand to its body at once. An end before its begin means an empty range.
/// begin() and end() are the indices themselves: for (auto i = r.begin(); i != r.end(); ++i). A
/// range-based for is for ranges of iterators, whose elements it goes over.
/// Immutable; any number of threads may read one object.
template <loop_index Index>
class blocked_range {
 public:
  /// The type that the range counts with.
  using const_iterator = Index;

  /// \param first  the first element
  /// \param last   the element past the end
  /// \param grain  the least elements a piece should have (the last piece may be smaller);
  ///               0 lets the loop choose
  constexpr blocked_range(Index first, Index last, std::size_t grain = 0) noexcept
      : begin_(first), end_(last), grain_(grain) {}

  /// The first element.
  constexpr Index begin() const noexcept { return begin_; }
  /// The element past the end.
  constexpr Index end() const noexcept { return end_; }
  /// Number of elements.
  constexpr std::size_t size() const noexcept { return detail::distance(begin_, end_); }
  /// True when there is no element.
  constexpr bool empty() const noexcept { return size() == 0; }
  /// The least elements of a piece; 0 where the loop chooses.
  constexpr std::size_t grain() const noexcept { return grain_; }

  /// The part [from, to) counted in elements from begin(); requires from <= to <= size().
  constexpr blocked_range slice(std::size_t from, std::size_t to) const noexcept {
    return {detail::advance(begin_, from), detail::advance(begin_, to), grain_};
  }

 private:
  Index begin_;
  Index end_;
  std::size_t grain_;
};

/// A rectangle: rows times columns. A loop covers it with tiles in row-major order, and hands its
/// body one tile at a time. The grain of each dimension is the tile's extent in it; a grain of 0
/// lets the loop choose one that depends on the extents alone.
template <loop_index Row, loop_index Column = Row>
class blocked_range2d {
 public:
  /// \param rows     the first dimension, with its grain
  /// \param columns  the second dimension, with its grain
  constexpr blocked_range2d(blocked_range<Row> rows, blocked_range<Column> columns) noexcept
      : rows_(rows), columns_(columns) {}

  /// The rows of this rectangle.
  constexpr const blocked_range<Row>& rows() const noexcept { return rows_; }
  /// The columns of this rectangle.
  constexpr const blocked_range<Column>& columns() const noexcept { return columns_; }
  /// True when there is no cell.
  constexpr bool empty() const noexcept { return rows_.empty() || columns_.empty(); }

 private:
  blocked_range<Row> rows_;
  blocked_range<Column> columns_;
};

/// A box: pages times rows times columns, tiled as blocked_range2d is.
template <loop_index Page, loop_index Row = Page, loop_index Column = Row>
class blocked_range3d {
 public:
  /// \param pages    the first dimension, with its grain
  /// \param rows     the second dimension, with its grain
  /// \param columns  the third dimension, with its grain
  constexpr blocked_range3d(blocked_range<Page> pages, blocked_range<Row> rows,
                            blocked_range<Column> columns) noexcept
      : pages_(pages), rows_(rows), columns_(columns) {}

  /// The pages of this box.
  constexpr const blocked_range<Page>& pages() const noexcept { return pages_; }
  /// The rows of this box.
  constexpr const blocked_range<Row>& rows() const noexcept { return rows_; }
  /// The columns of this box.
  constexpr const blocked_range<Column>& columns() const noexcept { return columns_; }
  /// True when there is no cell.
  constexpr bool empty() const noexcept {
    return pages_.empty() || rows_.empty() || columns_.empty();
  }

 private:
  blocked_range<Page> pages_;
  blocked_range<Row> rows_;
  blocked_range<Column> columns_;
};

namespace detail {

template <class Index>
constexpr bool is_negative(Index i) noexcept {
  if constexpr (std::signed_integral<Index>) return i < 0;
  return false;
}

// The range of a loop whose ends may differ in type. Converting a negative end to an unsigned
// index would make another, large number of it.
template <class First, class Last>
constexpr blocked_range<common_index<First, Last>> loop_range(First first, Last last,
                                                              std::size_t grain) {
  using index = common_index<First, Last>;
  const auto from = static_cast<index>(first);
  if constexpr (std::unsigned_integral<index>) {
    if (is_negative(last)) return {from, from, grain};
    if (is_negative(first))
      throw_out_of_range("kasuri: a loop from a negative index to an unsigned one");
  }
  return {from, static_cast<index>(last), grain};
}

// Cuts one dimension into tiles of equal extent, the last one smaller.
struct tiling {
  std::size_t extent;
  std::size_t tile;
  std::size_t count;

  // Without a grain: at most `most` tiles.
  constexpr tiling(std::size_t extent_, std::size_t grain, std::size_t most) noexcept
      : extent(extent_),
        tile(grain != 0 ? grain : std::max<std::size_t>(divide_up(extent_, most), 1)),
        count(divide_up(extent_, tile)) {}

  template <class Index>
  constexpr blocked_range<Index> piece(const blocked_range<Index>& all, std::size_t k) const {
    return all.slice(k * tile, k + 1 == count ? extent : (k + 1) * tile);
  }
};

// The tiles of a rectangle or box, by their number in row-major order.
template <class Range>
class tiles;
template <class Range>
tiles(const Range&) -> tiles<Range>;

// Where no grain is given, about a thousand tiles: enough for some hundred workers, few enough
// that calling the body for each is not felt.
constexpr std::size_t most_tiles_2d = 32;
constexpr std::size_t most_tiles_3d = 10;

template <class Row, class Column>
class tiles<blocked_range2d<Row, Column>> {
 public:
  using range = blocked_range2d<Row, Column>;

  constexpr explicit tiles(const range& all) noexcept
      : all_(all),
        rows_(all.rows().size(), all.rows().grain(), most_tiles_2d),
        columns_(all.columns().size(), all.columns().grain(), most_tiles_2d) {}

  constexpr std::size_t count() const noexcept { return rows_.count * columns_.count; }
  constexpr range operator[](std::size_t k) const noexcept {
    return {rows_.piece(all_.rows(), k / columns_.count),
            columns_.piece(all_.columns(), k % columns_.count)};
  }

 private:
  const range& all_;
  tiling rows_;
  tiling columns_;
};

template <class Page, class Row, class Column>
class tiles<blocked_range3d<Page, Row, Column>> {
 public:
  using range = blocked_range3d<Page, Row, Column>;

  constexpr explicit tiles(const range& all) noexcept
      : all_(all),
        pages_(all.pages().size(), all.pages().grain(), most_tiles_3d),
        rows_(all.rows().size(), all.rows().grain(), most_tiles_3d),
        columns_(all.columns().size(), all.columns().grain(), most_tiles_3d) {}

  constexpr std::size_t count() const noexcept {
    return pages_.count * rows_.count * columns_.count;
  }
  constexpr range operator[](std::size_t k) const noexcept {
    return {pages_.piece(all_.pages(), k / columns_.count / rows_.count),
            rows_.piece(all_.rows(), k / columns_.count % rows_.count),
            columns_.piece(all_.columns(), k % columns_.count)};
  }

 private:
  const range& all_;
  tiling pages_;
  tiling rows_;
  tiling columns_;
};

}  // namespace detail
}  // namespace kasuri
